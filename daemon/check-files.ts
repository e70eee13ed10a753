/**
 * The files that an environment names, when its other values cannot be used: what is wrong is told in one go.
 * @module
 */
import type { Environment, Problem } from "../config/environment.ts";
import { DEFAULT_KNOWLEDGE, DEFAULT_SITE_ACCENT, DEFAULT_SITE_NAME, VARIABLES } from "../config/variables.ts";
import { checkBrand } from "./check-brand.ts";
import { checkKnowledge } from "./check-knowledge.ts";
import { checkRegistry } from "./check-registry.ts";

export async function checkFiles(env: Environment): Promise<readonly Problem[]> {
  const text = (value: string | undefined) => (value?.trim() ? value : undefined);
  const registry = VARIABLES.REGISTRY.schema.optional().safeParse(text(env.REGISTRY)).data;
  const knowledge = VARIABLES.KNOWLEDGE.schema.safeParse(text(env.KNOWLEDGE)).data ?? DEFAULT_KNOWLEDGE;
  const siteLogo = VARIABLES.SITE_LOGO.schema.safeParse(text(env.SITE_LOGO)).data ?? null;
  const found = await Promise.all([
    registry === undefined ? [] : checkRegistry({ registry }).then(({ problems }) => problems),
    checkKnowledge({ knowledge, publicUrl: "http://localhost" }),
    checkBrand({ siteName: DEFAULT_SITE_NAME, siteLogo, siteAccent: DEFAULT_SITE_ACCENT }),
  ]);
  return found.flat();
}
