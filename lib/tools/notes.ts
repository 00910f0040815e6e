import { z } from "zod";
import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import type { Notebook } from "#lib/core/ports/notebook.ts";
import { defineTool, done, type Toolset } from "#lib/core/tool.ts";
import { limits } from "#lib/protocol/limits.ts";
import { limitedText } from "./limited-text.ts";

const listed = { most: 100, standard: 20 } as const;
/** How far back a look-up goes: the notes of a desk that were written since. */
const lookUpNotes = 500;

/** The toolset `notes`: what a desk writes down for itself, and reads again in later turns. */
export function notesToolset(options: { notebook: Notebook; clock: Clock }): Toolset {
  const { notebook, clock } = options;
  // A note has the id of its idempotency key, so that the same work never writes a second one.
  const find = async (deskName: string, key: string) =>
    (await notebook.newest(deskName, lookUpNotes)).find((note) => note.id === key);

  const writeNote = defineTool({
    name: "write_note",
    description: "Writes a note for yourself. Nothing else is remembered from one turn to the next.",
    effect: "write",
    defaultVerdict: "allow",
    parameters: z.strictObject({
      text: limitedText(limits.noteCharacters).describe(`At most ${limits.noteCharacters} characters.`),
    }),
    async run({ text }, { deskName, idempotencyKey }) {
      if (await find(deskName, idempotencyKey)) return done("The note was written before.");
      await notebook.add({ id: idempotencyKey, deskName, text, at: isoNow(clock) });
      return done("The note is written.");
    },
    async lookUp(key, { deskName }) {
      const note = await find(deskName, key);
      if (!note) return { found: false, text: "There is no such note." };
      return { found: true, text: `The note was written at ${note.at}: ${JSON.stringify(note.text)}` };
    },
  });

  const readNotes = defineTool({
    name: "read_notes",
    description: "Your own notes, newest first, as JSON.",
    effect: "read",
    parameters: z.strictObject({
      limit: z
        .int({ error: `must be a whole number from 1 to ${listed.most}` })
        .min(1, { error: "must be at least 1" })
        .max(listed.most, { error: `must be at most ${listed.most}` })
        .default(listed.standard)
        .describe(`How many notes, 1 to ${listed.most}.`),
    }),
    async run({ limit }, { deskName }) {
      const notes = await notebook.newest(deskName, limit);
      return done(JSON.stringify(notes.map(({ at, text }) => ({ at, text }))));
    },
  });
  return { name: "notes", tools: [writeNote, readNotes] };
}
