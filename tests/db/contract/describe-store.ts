import { afterEach, describe } from "vitest";
import { describeChanges } from "./changes.ts";
import { describeConditions } from "./conditions.ts";
import { describeEventPages } from "./event-pages.ts";
import { describeGroups } from "./groups.ts";
import type { OpenStore, StoreUnderTest } from "./open-store.ts";
import { describeReads } from "./reads.ts";
import { describeText } from "./text.ts";

/** What every store must do, on whatever database it stands. */
export function describeStore(name: string, open: OpenStore): void {
  const opened: StoreUnderTest[] = [];
  const openAndRemember: OpenStore = async (options) => {
    const store = await open(options);
    opened.push(store);
    return store;
  };
  describe(name, () => {
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.remove();
    });
    describeConditions(openAndRemember);
    describeChanges(openAndRemember);
    describeGroups(openAndRemember);
    describeReads(openAndRemember);
    describeEventPages(openAndRemember);
    describeText(openAndRemember);
  });
}
