/**
 * Reads the logo once, so that one that cannot be used stops the start instead of the service.
 * @module
 */
import { loadBrand } from "../api/site/brand/brand.ts";
import { LogoError } from "../api/site/brand/logo.ts";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

type BrandSettings = Pick<Settings, "siteName" | "siteLogo" | "siteAccent">;

export async function checkBrand(settings: BrandSettings): Promise<readonly Problem[]> {
  try {
    await loadBrand(settings);
    return [];
  } catch (error) {
    if (!(error instanceof LogoError)) throw error;
    const reasons = error.problems.map((line) => `\n    - ${line}`);
    return [problemWith("SITE_LOGO", `cannot be used (${settings.siteLogo}):${reasons.join("")}`)];
  }
}
