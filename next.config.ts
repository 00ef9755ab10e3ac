// The dashboard as static files: no server of its own, no dynamic segments (`/s/?id=`). Type checks belong to `npm run check`.
import type { NextConfig } from "next";

const config: NextConfig = {
  output: "export",
  trailingSlash: true,
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  typescript: { ignoreBuildErrors: true },
  turbopack: { resolveAlias: { "next/dist/compiled/buffer": "./lib/xterm/no-buffer.ts" } },
  // The dev overlay's badge would sit on the status line.
  devIndicators: false,
};

export default config;
