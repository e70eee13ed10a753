/** @jsxImportSource hono/jsx */
/** @module The common parts of all pages, and the content security policy. http.md, "Pages". */
import { isolated } from "../../config/format/untrusted-text.ts";
import type { SiteAssets } from "./assets.ts";
import { BACKGROUNDS } from "./brand/accent.ts";
import { iconPath, MANIFEST_PATH } from "./brand/assets.ts";
import { BrowserTools, browserToolsHash, browserToolsScript } from "./browser-tools/script.tsx";
import type { SiteDependencies } from "./dependencies.ts";
import type { Shell } from "./html/document.tsx";
import { NAVIGATION } from "./pages.ts";

/** @returns the shell, and the content security policy of every page */
export function createShell(
  { publicSettings, brand, toolServer }: Pick<SiteDependencies, "publicSettings" | "brand" | "toolServer">,
  { css, script }: SiteAssets,
): { shell: Shell; policy: string } {
  const tools = browserToolsScript(toolServer.tools);
  const shell: Shell = {
    publicUrl: publicSettings.publicUrl,
    siteName: isolated(brand.name),
    chainId: publicSettings.chainId,
    assets: {
      css,
      script,
      logo: brand.logo.path,
      favicon: { href: iconPath(brand), type: brand.logo.body.type },
      manifest: MANIFEST_PATH,
    },
    themeColours: { light: BACKGROUNDS.light[0], dark: BACKGROUNDS.dark[0] },
    tools: <BrowserTools script={tools} />,
    navigation: NAVIGATION,
  };
  return { shell, policy: policyOf(browserToolsHash(tools)) };
}

function policyOf(scriptHash: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHash}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
