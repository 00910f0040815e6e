import type { CoreDeps } from "./deps.ts";
import type { EventBus } from "./event-bus.ts";
import { LoopGuard } from "./loop-guard.ts";
import type { ModelRouter } from "./model-router.ts";
import { PermissionGate } from "./permission-gate.ts";
import type { DeskRow } from "./record.ts";
import { ToolCallExecutor } from "./tool-call-executor.ts";
import { ToolRegistry } from "./tool-registry.ts";
import type { Tool, Toolset } from "./tool.ts";
import { TurnRunner } from "./turn-runner.ts";

/** What runs of one desk in this process. */
export interface LiveDesk {
  executor: ToolCallExecutor;
  runner: TurnRunner;
}

/** The desks of this process: each has one executor and one runner. */
export class LiveDesks {
  readonly #desks = new Map<string, LiveDesk>();
  readonly #toolsets: ReadonlyMap<string, Toolset>;
  readonly #router: ModelRouter;
  readonly #bus: EventBus;
  readonly #deps: CoreDeps;

  constructor(toolsets: ReadonlyMap<string, Toolset>, router: ModelRouter, bus: EventBus, deps: CoreDeps) {
    this.#toolsets = toolsets;
    this.#router = router;
    this.#bus = bus;
    this.#deps = deps;
  }

  get toolsetNames(): string[] {
    return [...this.#toolsets.keys()];
  }

  find(name: string): LiveDesk | undefined {
    return this.#desks.get(name);
  }

  all(): LiveDesk[] {
    return [...this.#desks.values()];
  }

  /** Brings a desk to life, or takes over its changed toolsets. It does not begin to run by itself. */
  open(desk: DeskRow): LiveDesk {
    const known = this.#desks.get(desk.name);
    if (known) {
      known.executor.registry.replace(this.#tools(desk));
      return known;
    }
    const registry = new ToolRegistry(this.#tools(desk));
    const gate = new PermissionGate(this.#deps.store);
    const executor = new ToolCallExecutor(desk.name, registry, this.#bus, new LoopGuard(), gate, this.#deps);
    const runner = new TurnRunner(desk.name, executor, this.#router, this.#bus, this.#deps);
    const live = { executor, runner };
    this.#desks.set(desk.name, live);
    return live;
  }

  /** Ends every desk for a shutdown: tools that run finish, nothing new starts. */
  async close(): Promise<void> {
    for (const { executor } of this.all()) executor.close();
    await Promise.all(this.all().map(({ runner }) => runner.close()));
    await Promise.all(this.all().map(({ executor }) => executor.idle()));
  }

  #tools(desk: DeskRow): Tool[] {
    return desk.toolsets.flatMap((name) => {
      const toolset = this.#toolsets.get(name);
      if (!toolset)
        this.#deps.log.warn({ desk: desk.name, toolset: name }, "the desk names a toolset that does not exist");
      return [...(toolset?.tools ?? [])];
    });
  }
}
