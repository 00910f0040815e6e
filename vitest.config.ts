import { defineConfig } from "vitest/config";

const setupFiles = ["tests/setup/console-error.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/{core,protocol,tools,backends,server,components,lint,launcher}/**/*.test.{ts,tsx}"],
          setupFiles,
          testTimeout: 30_000,
        },
      },
      {
        test: { name: "db", include: ["tests/{db,properties,crash}/**/*.test.ts"], setupFiles, testTimeout: 60_000 },
      },
      {
        // Each file starts the built server as a process of its own; two at once would only wait for each other.
        test: {
          name: "api",
          include: ["tests/api/**/*.test.ts"],
          setupFiles,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
