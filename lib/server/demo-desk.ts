import type { Desks } from "#lib/core/desks.ts";
import type { Store } from "#lib/core/ports/store.ts";

/** The desk that an empty database begins with. */
const majors = {
  name: "majors",
  instructions:
    "Follow the trend of EURUSD with small positions on the paper account. Say in plain words why you act. Every order waits for a person.",
  backends: ["playbook:trend"],
  toolsets: ["ask_user", "market", "notes", "paper_account"],
};

/** Makes the demonstration desk where the database has no desk at all. @returns whether it did. */
export async function makeDemoDesk(desks: Desks, store: Store): Promise<boolean> {
  if ((await store.desks()).length > 0) return false;
  await desks.create(majors, "deskboard");
  return true;
}
