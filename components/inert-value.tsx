import { memo } from "react";
import { inertPieces, type TextPiece } from "./inert-text.ts";
import { classes } from "./ui/classes.ts";

function Piece({ piece }: { piece: TextPiece }) {
  if (piece.kind === "plain") return piece.text;
  if (piece.kind === "hidden") {
    return (
      <span className="inert-mark" title={piece.title}>
        {piece.text}
      </span>
    );
  }
  return (
    <>
      {piece.text}
      <span className="inert-mark" title="letters that are not what they seem">
        {piece.mark}
      </span>
    </>
  );
}

/**
 * Text that somebody else wrote, a model, a tool or a person: shown letter for letter, never as markup. Characters that
 * hide or reorder text, and words that mix scripts, carry a mark.
 */
export const InertValue = memo(function InertValue({ text, className }: { text: string; className?: string }) {
  return (
    <bdi dir="auto" className={classes("inert", className)}>
      {inertPieces(text).map((piece, index) => (
        <Piece key={index} piece={piece} />
      ))}
    </bdi>
  );
});
