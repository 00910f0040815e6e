import type { NextConfig } from "next";

const config: NextConfig = {
  experimental: { useTypeScriptCli: true },
  // `npm run check` and `npm test` check the types of everything once, tests included; a start need not wait for it.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["better-sqlite3", "pino"],
};

export default config;
