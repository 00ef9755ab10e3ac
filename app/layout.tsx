// The frame of every page: language, fonts, theme before the first paint, and what lies above all pages.
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./globals.css";
import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
import monoLatin from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { preload } from "react-dom";
import { en } from "#components/strings/en.ts";
import { Overlays } from "#components/ui/overlays.tsx";

export const metadata: Metadata = {
  title: en.app.title(null),
  description: en.app.description,
  applicationName: en.app.name,
  robots: { index: false, follow: false },
  referrer: "no-referrer",
  formatDetection: { telephone: false, address: false, email: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: dark)", color: "#0b0d12" },
    { media: "(prefers-color-scheme: light)", color: "#f6f7fa" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  preload(interLatin, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  preload(monoLatin, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  return (
    // theme.js sets data-theme before React looks.
    <html lang="en" data-theme="dark" suppressHydrationWarning>
      <head>
        {/* Render-blocking on purpose: no flash of the wrong theme. */}
        <script src="/theme.js" />
      </head>
      <body>
        <Overlays>{children}</Overlays>
      </body>
    </html>
  );
}
