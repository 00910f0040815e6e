"use client";

import { type KeyboardEvent, useState } from "react";
import { limits } from "#lib/protocol/limits.ts";
import { newClientId } from "#components/data/client-id.ts";
import { useDesks } from "#components/data/desks.ts";
import { useSendMessage } from "#components/data/messages.ts";
import { useDraft } from "#components/data/use-draft.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { Button } from "#components/ui/button.tsx";
import { Select } from "#components/ui/select.tsx";
import { TextArea } from "#components/ui/text-area.tsx";
import { emptyMessage, messageDraftSchema, outgoing } from "./message-draft.ts";

/** Writes to a desk. The text stays until the server has it. */
export function MessageBox() {
  const desks = useDesks().data ?? [];
  const [draft, setDraft] = useDraft("message", messageDraftSchema, emptyMessage);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = useSendMessage();
  const desk = desks.find((one) => one.name === draft.desk) ?? desks[0];
  const over = draft.text.length - limits.messageCharacters;
  const blank = draft.text.trim() === "";

  const submit = () => {
    if (!desk || blank || send.isPending) return;
    const message = outgoing(draft, desk.name, newClientId);
    setDraft({ ...draft, sent: message });
    setSentTo(null);
    send.mutate(message, {
      onSuccess: () => {
        setDraft({ desk: desk.name, text: "" });
        setSentTo(desk.name);
      },
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!event.repeat) submit();
  };

  return (
    <section id="write" aria-label="Write to a desk" tabIndex={-1} className="flex flex-col gap-2 outline-none">
      <FailureNote error={send.error} />
      <TextArea
        label={desk ? `Write to ${desk.name}` : "Write to a desk"}
        placeholder="Ask, or say what to do"
        value={draft.text}
        readOnly={send.isPending}
        aria-invalid={over > 0}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      <div className="flex min-h-8 flex-wrap items-center justify-end gap-3">
        {desks.length > 1 && desk && (
          <Select
            label="To"
            value={desk.name}
            options={desks.map((one) => ({
              value: one.name,
              label: one.status === "active" ? one.name : `${one.name} (${one.status})`,
            }))}
            onChange={(event) => setDraft({ ...draft, desk: event.target.value })}
          />
        )}
        <output className={over > 0 ? "grow text-xs text-failed" : "grow text-xs text-muted"}>
          {statusOf(over, send.isPending, draft.text === "" ? sentTo : null)}
        </output>
        <Button
          look={blank ? "plain" : "strong"}
          aria-label={desk ? `Send to ${desk.name}` : "Send"}
          disabled={!desk || blank || send.isPending}
          onClick={submit}
        >
          Send
        </Button>
      </div>
    </section>
  );
}

function statusOf(over: number, sending: boolean, sentTo: string | null): string {
  const most = limits.messageCharacters.toLocaleString("en");
  if (over > 0) return `${over.toLocaleString("en")} characters more than the ${most} that fit.`;
  if (sending) return "Sending…";
  return sentTo === null ? "Ctrl+Enter sends." : `Sent to ${sentTo}.`;
}
