import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";

// Prisma's own schema engine as WebAssembly: the native one is fetched from a host of its own, which an installation
// must not need. It is instantiated once a process: a second time throws.
let instantiated: Promise<void> | undefined;

async function instantiate(): Promise<void> {
  const file = fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
  const bytes = await readFile(file.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, {
    "./schema_engine_bg.js": engineModule as unknown as WebAssembly.ModuleImports,
  });
  const glue = engineModule as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void };
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports["__wbindgen_start"] as () => void)();
}

/** The engine keeps its connections, with an exclusive lock, even when it is freed: they are collected and disposed. */
class CollectingFactory extends PrismaBetterSqlite3 {
  readonly #connections: SqlDriverAdapter[] = [];

  override async connect(): Promise<SqlDriverAdapter> {
    const connection = await super.connect();
    this.#connections.push(connection);
    return connection;
  }

  override async connectToShadowDb(): Promise<SqlDriverAdapter> {
    const connection = await super.connectToShadowDb();
    this.#connections.push(connection);
    return connection;
  }

  async disposeAll(): Promise<void> {
    for (const connection of this.#connections) await connection.dispose();
  }
}

/**
 * Runs `use` with the engine on a database file (`:memory:` for none) and lets go of the file afterwards.
 */
export async function withSchemaEngine<T>(
  file: string,
  use: (engine: engineModule.SchemaEngine) => Promise<T>,
): Promise<T> {
  instantiated ??= instantiate();
  await instantiated;
  const factory = new CollectingFactory({ url: file === ":memory:" ? file : `file:${file}` });
  try {
    const engine = await engineModule.SchemaEngine.new(
      { datamodels: undefined },
      () => {},
      bindMigrationAwareSqlAdapterFactory(factory),
    );
    try {
      return await use(engine);
    } finally {
      engine.free();
    }
  } finally {
    await factory.disposeAll();
  }
}
