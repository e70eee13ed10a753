/** @jsxImportSource hono/jsx */
/**
 * What is the same on every page: the brand, the files, the tools for an agent in the browser.
 * @module
 */

import type { SiteAssets } from "./assets.ts";
import { BACKGROUNDS } from "./brand/accent.ts";
import { iconPath, MANIFEST_PATH } from "./brand/assets.ts";
import { BrowserTools, browserToolsHash, browserToolsScript } from "./browser-tools/script.tsx";
import type { SiteDependencies } from "./dependencies.ts";
import type { Frame } from "./html/document.tsx";

/** @returns the frame, and the CSP source of its inline script */
export function createFrame(
  { site, brand, toolServer }: Pick<SiteDependencies, "site" | "brand" | "toolServer">,
  { css, script }: SiteAssets,
): { frame: Frame; scriptHash: string } {
  const tools = browserToolsScript(toolServer.tools);
  const frame: Frame = {
    publicUrl: site.publicUrl,
    siteName: brand.name,
    assets: {
      css,
      script,
      logo: brand.logo.path,
      favicon: { href: iconPath(brand), type: brand.logo.body.type },
      manifest: MANIFEST_PATH,
    },
    themeColours: { light: BACKGROUNDS.light[0], dark: BACKGROUNDS.dark[0] },
    tools: <BrowserTools script={tools} />,
  };
  return { frame, scriptHash: browserToolsHash(tools) };
}
