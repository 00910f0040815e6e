/** Control characters, and those that hide text or change its direction: what a terminal must not be sent raw. */
const controls =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The text with each control character written as `\u001b`; inside a JSON string it stays the same JSON value. */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
