import { TextArea } from "#components/ui/text-area.tsx";

/** What somebody had typed on a card that another decided meanwhile: to be read and copied, not sent. */
export function KeptWords({ text }: { text: string }) {
  if (text === "") return null;
  return <TextArea label="Your words, which were not sent" value={text} readOnly />;
}
