"use client";

import { type ComponentProps, memo } from "react";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { InertValue } from "./inert-value.tsx";
import { rehypeInertText, rehypeRawAsText } from "./rehype-inert-text.ts";
import { isTameMarkdown } from "./tame-markdown.ts";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { ScrollBox } from "./ui/scroll-box.tsx";

type Props<Tag extends keyof React.JSX.IntrinsicElements> = Pick<ComponentProps<Tag>, "children">;

const Heading = ({ children }: Props<"p">) => (
  <p dir="auto" className="font-semibold text-text">
    {children}
  </p>
);

/** What is drawn for each element: none loads, none leads anywhere, and none passes for a part of the page. */
const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  p: ({ children }: Props<"p">) => <p dir="auto">{children}</p>,
  a: ({ children, href }: ComponentProps<"a">) => (
    <span>
      {children}
      {href !== undefined && href !== children && (
        <span className="font-mono text-xs text-dim">
          {" "}
          [link: <InertValue text={href} />]
        </span>
      )}
    </span>
  ),
  img: ({ alt, src }: ComponentProps<"img">) => (
    <span className="font-mono text-xs text-dim">
      [picture, not loaded: <InertValue text={`${alt ?? ""} ${typeof src === "string" ? src : ""}`.trim()} />]
    </span>
  ),
  input: ({ checked }: ComponentProps<"input">) => <span>{checked ? "☑" : "☐"}</span>,
  hr: () => <div className="border-t border-line" />,
  ul: ({ children }: Props<"ul">) => <ul className="list-disc ps-5">{children}</ul>,
  ol: ({ children }: Props<"ol">) => <ol className="list-decimal ps-5">{children}</ol>,
  li: ({ children }: Props<"li">) => <li dir="auto">{children}</li>,
  blockquote: ({ children }: Props<"blockquote">) => (
    <blockquote className="border-s-2 border-line-strong ps-3">{children}</blockquote>
  ),
  code: ({ children }: Props<"code">) => <code className="font-mono text-xs">{children}</code>,
  pre: ({ children }: Props<"pre">) => (
    <pre dir="auto" className="rounded-md bg-raised p-2 font-mono text-xs whitespace-pre-wrap">
      {children}
    </pre>
  ),
  table: ({ children }: Props<"table">) => (
    <ScrollBox label="Table" className="max-w-full overflow-x-auto">
      <table className="w-max min-w-full border-collapse font-mono text-xs">{children}</table>
    </ScrollBox>
  ),
  th: ({ children, style }: ComponentProps<"th">) => (
    <Cell tag="th" align={style?.textAlign}>
      {children}
    </Cell>
  ),
  td: ({ children, style }: ComponentProps<"td">) => (
    <Cell tag="td" align={style?.textAlign}>
      {children}
    </Cell>
  ),
  sup: ({ children }: Props<"sup">) => <sup>{children}</sup>,
  section: ({ children }: Props<"section">) => <div>{children}</div>,
};

interface CellProps extends Props<"td"> {
  tag: "th" | "td";
  align: string | undefined;
}

function Cell({ tag: Tag, align, children }: CellProps) {
  const side = align === "right" ? "text-end" : align === "center" ? "text-center" : "text-start";
  const weight = Tag === "th" ? "font-normal text-muted" : "text-text";
  return (
    <Tag
      dir="auto"
      className={`border-b border-line max-w-112 px-2 py-1 whitespace-pre-wrap wrap-break-word ${side} ${weight}`}
    >
      {children}
    </Tag>
  );
}

/** Markdown that somebody else wrote, made harmless: no raw HTML, nothing loads, no link is live. */
export const InertMarkdown = memo(function InertMarkdown({ text }: { text: string }) {
  if (!isTameMarkdown(text)) return <AsWritten text={text} />;
  return (
    <ErrorBoundary key={text} fallback={<AsWritten text={text} />}>
      <div className="flex flex-col gap-2 overflow-clip text-muted [overflow-wrap:anywhere] [unicode-bidi:isolate]">
        <Markdown
          remarkPlugins={[remarkGfm]}
          rehypePlugins={[rehypeRawAsText, rehypeSanitize, rehypeInertText]}
          components={components}
        >
          {text}
        </Markdown>
      </div>
    </ErrorBoundary>
  );
});

function AsWritten({ text }: { text: string }) {
  return (
    <>
      <p className="pb-2 text-xs text-muted">Shown as it was written; it is too large or too nested to be laid out.</p>
      <InertValue text={text} className="font-mono text-xs" />
    </>
  );
}
