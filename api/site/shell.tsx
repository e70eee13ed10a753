/** @jsxImportSource hono/jsx */
/** The common parts of all pages, and the content security policy. http.md, "Pages". @module */
import { isolated } from "../../config/format/untrusted-text.ts";
import type { SiteAssets } from "./assets.ts";
import { BACKGROUNDS } from "./brand/accent.ts";
import { iconPath, MANIFEST_PATH } from "./brand/assets.ts";
import { BrowserTools, browserToolsHash, browserToolsScript } from "./browser-tools/script.tsx";
import type { SiteDependencies } from "./dependencies.ts";
import type { Shell } from "./html/document.tsx";
import { NAVIGATION } from "./pages.ts";

/** @returns the shell, and the content security policies of pages without and with a console */
export function createShell(
  { publicSettings, brand, toolServer }: Pick<SiteDependencies, "publicSettings" | "brand" | "toolServer">,
  { css, script }: SiteAssets,
): { shell: Shell; policies: { page: string; console: string } } {
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
  const scriptHash = browserToolsHash(tools);
  return { shell, policies: { page: policyOf(scriptHash, false), console: policyOf(scriptHash, true) } };
}

/** A console's program writes styles that no hash can foresee, draws from data URLs, and starts workers from blobs. */
function policyOf(scriptHash: string, hasConsole: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHash}`,
    ...(hasConsole
      ? ["style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "font-src data:", "worker-src blob:"]
      : ["style-src 'self'", "img-src 'self'"]),
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
