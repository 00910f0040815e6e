// A process of its own that opens a record, for tests that start and kill it: `node record-child.ts <what> <dataDir>`.
// `hold` says that it owns the data and waits; `write` commits as fast as it can and says what was confirmed, and goes on
// after failures, which it says, too.
import { writeSync } from "node:fs";
import { isAppError } from "#lib/core/app-error.ts";
import { message, noteRow, unit } from "./record-rows.ts";
import { openTestRecord } from "./record.ts";

const [, , what, dataDir = "", callers = "20", textLength = "10"] = process.argv;

// At once, not through a buffer that dies with the process.
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

try {
  const { store } = await openTestRecord({ dataDir });
  say(`owner ${process.pid}`);
  if (what === "write") {
    const writeOn = async (caller: number) => {
      let failures = 0;
      for (let index = 0; failures < 3; index += 1) {
        const id = `${caller}-${index}`;
        const row = noteRow({ id, text: "x".repeat(Number(textLength)) });
        try {
          await store.commit(unit({ changes: [{ insert: "note", row }], events: [message("majors", id)] }));
          say(`confirmed ${id}`);
        } catch (error) {
          failures += 1;
          say(`failed ${isAppError(error) ? error.code : String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: Number(callers) }, (_, caller) => writeOn(caller)));
    await store.close();
    say("closed");
  } else {
    process.stdin.resume();
    process.stdin.once("end", () => {
      void store.close();
    });
  }
} catch (error) {
  say(`refused ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
