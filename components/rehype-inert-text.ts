import { inertPieces } from "./inert-text.ts";

/** As much of a node of a hypertext tree as is looked at here. */
interface TreeNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
}

function textNode(value: string): TreeNode {
  return { type: "text", value };
}

function markNode(text: string): TreeNode {
  return { type: "element", tagName: "span", properties: { className: ["inert-mark"] }, children: [textNode(text)] };
}

function marked(value: string): TreeNode[] {
  return inertPieces(value).flatMap((piece) => {
    if (piece.kind === "plain") return [textNode(piece.text)];
    if (piece.kind === "hidden") return [markNode(piece.text)];
    return [textNode(piece.text), markNode(piece.mark)];
  });
}

function visit(node: TreeNode, replace: (child: TreeNode) => TreeNode[] | null): void {
  node.children = node.children?.flatMap((child) => {
    const replaced = replace(child);
    if (!replaced) visit(child, replace);
    return replaced ?? [child];
  });
}

/** A rehype plugin, for before the sanitizer: raw HTML becomes the text that its author wrote. */
export function rehypeRawAsText() {
  return (tree: TreeNode) =>
    visit(tree, (child) => (child.type === "raw" || child.type === "comment" ? [textNode(child.value ?? "")] : null));
}

/** A rehype plugin, for after the sanitizer: marks what hides or reorders text, as `InertValue` does. */
export function rehypeInertText() {
  return (tree: TreeNode) => visit(tree, (child) => (child.type === "text" ? marked(child.value ?? "") : null));
}
