import { defineConfig } from "prisma/config";

// For Prisma's command line only, such as `prisma migrate deploy`: the server migrates by itself at its start.
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations/sqlite" },
  datasource: { url: process.env["DATABASE_URL"] ?? "file:./data/deskboard.db" },
});
