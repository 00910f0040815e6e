import type { CoreDeps } from "#lib/core/deps.ts";
import type { Backend } from "#lib/core/ports/backend.ts";
import type { Toolset } from "#lib/core/tool.ts";
import { trendPlaybook } from "#lib/backends/playbooks/trend.ts";
import { storedNotebook } from "#lib/db/stored-notebook.ts";
import { storedPaperLedger } from "#lib/db/stored-paper-ledger.ts";
import { askUserToolset } from "#lib/tools/ask-user.ts";
import { dailyRates } from "#lib/tools/market/daily-rates.ts";
import { Market } from "#lib/tools/market/market.ts";
import { marketToolset } from "#lib/tools/market/toolset.ts";
import { notesToolset } from "#lib/tools/notes.ts";
import { PaperAccount } from "#lib/tools/paper-account/paper-account.ts";
import { paperAccountToolset } from "#lib/tools/paper-account/toolset.ts";
import type { Settings } from "./env.ts";

/** The backends that desks may name. */
export function runtimeBackends(settings: Pick<Settings, "marketDaySeconds">): ReadonlyMap<string, Backend> {
  return byName([trendPlaybook({ dayMs: settings.marketDaySeconds * 1000 })]);
}

/** The toolsets that desks may name. The replay of the market began when the record did. */
export async function runtimeToolsets(
  deps: CoreDeps,
  settings: Pick<Settings, "marketDaySeconds">,
): Promise<ReadonlyMap<string, Toolset>> {
  const { store, clock, ids } = deps;
  const first = await store.event(1);
  const market = new Market({
    rates: dailyRates,
    clock,
    epochMs: first ? Date.parse(first.at) : clock.now(),
    dayMs: settings.marketDaySeconds * 1000,
  });
  const account = new PaperAccount({ ledger: storedPaperLedger(store), market, clock, ids });
  return byName([
    askUserToolset,
    marketToolset(market),
    notesToolset({ notebook: storedNotebook(store), clock }),
    paperAccountToolset({ account, clock }),
  ]);
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}
