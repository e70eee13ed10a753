/** @module Reads registry, knowledge base and logo once, so that a bad file stops the start instead of the service. */

import { KnowledgeError, loadKnowledge } from "../../api/knowledge/load.ts";
import {
  askSource,
  type FirstCopy,
  type LastGood,
  loadFirstCopy,
  readLastGood,
} from "../../api/registry/copy.ts";
import { RegistryError } from "../../api/registry/error.ts";
import { loadImages } from "../../api/registry/images.ts";
import type { RegistryKeeper } from "../../api/registry/registry-keeper.ts";
import type { Registry } from "../../api/registry/schema.ts";
import { requiredSigner, requireLater } from "../../api/registry/signature.ts";
import { nameOf } from "../../api/registry/source.ts";
import { LogoError, loadBrand } from "../../api/site/brand/brand.ts";
import { codeAt, nullIfRefused } from "../../chain/call.ts";
import {
  DEFAULT_CHAIN_ID,
  DEFAULT_KNOWLEDGE,
  DEFAULT_SITE_ACCENT,
  DEFAULT_SITE_NAME,
} from "../../config/defaults.ts";
import type { Environment, Settings } from "../../config/environment.ts";
import { counted } from "../../config/format/counted.ts";
import { type Problem, problemWith, type Warning } from "../../config/problems.ts";
import { signedForIn } from "../../config/service-urls.ts";
import { VARIABLES, type VariableName } from "../../config/variables.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import type { ChainEndpoint } from "./check-chain.ts";
import { NAMES, otherKindOf, type TopicsOfKinds, topicsOfKinds } from "./contract-kinds.ts";

export type RegistryCheck = {
  /** Null if it is unusable. */
  readonly document: Registry | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
};

type RegistrySettings = Pick<Settings, "registry" | "registrySigner" | "publicUrl" | "chainId">;

type Stored = {
  /** the good copy that an earlier run may have stored: a signed document must not be older */
  readonly lastGood?: LastGood | undefined;
  /** spares the validation of entries that it has */
  readonly saved?: RegistryKeeper | undefined;
};

/** @throws {RegistryError} if a document that must be signed is older than the copy in use before, as far as that can be read */
export async function requireLaterThanStored(
  document: Registry,
  settings: RegistrySettings,
  lastGood: LastGood | undefined,
): Promise<void> {
  const signer = requiredSigner(settings);
  if (signer === null) return;
  const before = await readLastGood(lastGood, signer, settings.registry).catch(() => null);
  if (before !== null) requireLater(document, before.registry);
}

/** @param fallsBack whether a bad document is only a warning where there is a stored copy */
export async function checkRegistry(
  settings: RegistrySettings,
  { lastGood, saved, fallsBack = true }: Stored & { fallsBack?: boolean } = {},
): Promise<RegistryCheck> {
  const { registry } = settings;
  const signer = requiredSigner(settings);
  try {
    const { copy } = await (await askSource({ source: registry, signer, saved })).read();
    await requireLaterThanStored(copy.registry, settings, lastGood);
    return { document: copy.registry, problems: [], warnings: [] };
  } catch (error) {
    const bad = unusableRegistry(registry, error);
    const kept = fallsBack ? await readLastGood(lastGood, signer, registry).catch(() => null) : null;
    if (kept === null) return { document: null, problems: [bad], warnings: [] };
    const warning = `${bad.problem}\n    The last good copy is in use until it is fixed.`;
    const { REGISTRY: remedy = "" } = REMEDIES;
    return { document: kept.registry, problems: [], warnings: [{ variable: "REGISTRY", warning, remedy }] };
  }
}

/** @throws what is not a `RegistryError` */
function unusableRegistry(registry: Settings["registry"], error: unknown): Problem {
  if (!(error instanceof RegistryError)) throw error;
  return unusable("REGISTRY", nameOf(registry), error.message.split("\n"));
}

type StartCheck = {
  readonly problems: readonly Problem[];
  /** The registry, for a start in this process; undefined if it is unusable or not wanted. */
  readonly registry: FirstCopy | undefined;
};

/**
 * All files of a reader.
 * @param isLoaded whether the registry is loaded for a start in this process; otherwise one that has not changed since it was saved is
 * not read
 */
export async function checkStart(
  settings: RegistrySettings & KnowledgeSettings & BrandSettings,
  { isLoaded, lastGood, saved }: Stored & { isLoaded: boolean },
): Promise<StartCheck> {
  const parameters = { source: settings.registry, signer: requiredSigner(settings), saved };
  const load = async () => {
    if (isLoaded) return await loadFirstCopy({ ...parameters, lastGood });
    const asked = await askSource(parameters);
    if (!asked.isUnchanged) await asked.read();
    return undefined;
  };
  const checkLoaded = async (): Promise<StartCheck> => {
    try {
      return { problems: [], registry: await load() };
    } catch (error) {
      const bad = unusableRegistry(settings.registry, error);
      const kept = await readLastGood(lastGood, parameters.signer, settings.registry).catch(() => null);
      return { problems: kept === null ? [bad] : [], registry: undefined };
    }
  };
  const [{ problems, registry }, ...others] = await Promise.all([
    checkLoaded(),
    checkKnowledge(settings),
    checkBrand(settings),
  ]);
  return { problems: [...problems, ...others.flat()], registry };
}

/** Maximum number of escrows whose code is checked. */
const MOST_ESCROWS = 50;

/**
 * Warns of listings whose escrows are not followed, which no page will ever show. Only a warning, since a registry may be ahead of
 * a deployment. With a factory, whose escrows are known only once its events are indexed, only addresses without an escrow count.
 * @param node null: no code is checked
 */
export async function warnOfUnfollowed(
  { listingByPair }: Registry,
  settings: Pick<Settings, "contracts" | "escrows" | "escrowFactory">,
  node: ChainEndpoint | null,
): Promise<readonly Warning[]> {
  const { escrows, escrowFactory } = settings;
  const topics = topicsOfKinds(settings);
  const followed = new Set<string>(escrows.map(({ address }) => address));
  /** listings by their escrow, whose entries are not read */
  const unfollowed = new Map<string, number>();
  for (const pair of listingByPair.keys()) {
    const [escrow = ""] = pair.split(":", 1);
    if (!followed.has(escrow)) unfollowed.set(escrow, (unfollowed.get(escrow) ?? 0) + 1);
  }
  const warnings = [...unfollowed].map(async ([escrow, length], index): Promise<Warning[]> => {
    const has = `has ${counted(length, "listings")} of`;
    // A factory's escrows are not known beforehand, so the registry's word counts for a raise without an event.
    const isShown = escrowFactory !== null && contractsOf(settings).lifecycle.derivesCreation;
    const hidden = `${length === 1 ? "it is" : "they are"} ${isShown ? "shown as if it were one" : "never shown"}`;
    const other = node === null || index >= MOST_ESCROWS ? null : await whatElse(node, escrow, topics);
    if (other !== null) {
      const remedy = "Correct its escrowAddress: take it from the deployment on this chain.";
      return [{ variable: "REGISTRY", warning: `${has} ${escrow}, ${other}: ${hidden}`, remedy }];
    }
    if (escrowFactory !== null) return [];
    const warning = `${has} the escrow ${escrow}, which is not in ESCROWS: ${hidden}`;
    const remedy =
      "Add the escrow to ESCROWS with the block of its deployment, or point the listings at one that is there.";
    return [{ variable: "REGISTRY", warning, remedy }];
  });
  return (await Promise.all(warnings)).flat();
}

/** Describes what is at an address that cannot be an escrow; null if it may be one. */
async function whatElse(node: ChainEndpoint, address: string, topics: TopicsOfKinds): Promise<string | null> {
  const code = await codeAt(node, address).catch(nullIfRefused);
  if (code === "0x") return "where there is no contract";
  const kind = await otherKindOf(node, { address, variable: "ESCROWS" }, String(code), topics);
  return kind === null || kind === "unknown" ? null : `which is ${NAMES[kind]}, not ${NAMES.ESCROWS}`;
}

/** Warns of unusable pictures in the registry, which are replaced with patterns. */
export async function warnOfImages(
  document: Registry,
  { registry }: Pick<Settings, "registry">,
): Promise<readonly Warning[]> {
  const { problems } = await loadImages({ source: registry, registry: document });
  return problems.map((problem) => ({
    variable: "REGISTRY",
    warning: `names a picture at ${problem}`,
    remedy: "Put a picture there that can be used, or take its name out: a pattern stands in.",
  }));
}

type KnowledgeSettings = Pick<Settings, "knowledge" | "publicUrl">;

export async function checkKnowledge({
  knowledge,
  publicUrl,
}: KnowledgeSettings): Promise<readonly Problem[]> {
  try {
    await loadKnowledge(knowledge, publicUrl);
    return [];
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    return [unusable("KNOWLEDGE", knowledge, error.problems)];
  }
}

type BrandSettings = Pick<Settings, "siteName" | "siteLogo" | "siteAccent">;

export async function checkBrand(settings: BrandSettings): Promise<readonly Problem[]> {
  try {
    await loadBrand(settings);
    return [];
  } catch (error) {
    if (!(error instanceof LogoError)) throw error;
    return [unusable("SITE_LOGO", `${settings.siteLogo}`, error.problems)];
  }
}

/** All files of an environment whose other values may be invalid, so that one report covers everything. */
export async function checkFiles(env: Environment): Promise<readonly Problem[]> {
  const text = (value: string | undefined) => (value?.trim() ? value : undefined);
  const registry = VARIABLES.REGISTRY.schema.optional().safeParse(text(env.REGISTRY)).data;
  // An invalid value has been reported already.
  const signedFor = signedForIn(env);
  const signer = VARIABLES.REGISTRY_SIGNER.schema.safeParse(text(env.REGISTRY_SIGNER)).data ?? null;
  const signing =
    signedFor === null
      ? { registrySigner: null, publicUrl: "", chainId: DEFAULT_CHAIN_ID }
      : { registrySigner: signer, ...signedFor };
  const knowledge = VARIABLES.KNOWLEDGE.schema.safeParse(text(env.KNOWLEDGE)).data ?? DEFAULT_KNOWLEDGE;
  const siteLogo = VARIABLES.SITE_LOGO.schema.safeParse(text(env.SITE_LOGO)).data ?? null;
  const problems = await Promise.all([
    registry === undefined ? [] : checkRegistry({ registry, ...signing }).then((check) => check.problems),
    checkKnowledge({ knowledge, publicUrl: "http://localhost" }),
    checkBrand({ siteName: DEFAULT_SITE_NAME, siteLogo, siteAccent: DEFAULT_SITE_ACCENT }),
  ]);
  return problems.flat();
}

const REMEDIES: Partial<Record<VariableName, string>> = {
  REGISTRY: "Fix the document: raisebook registry check shows where in it.",
  KNOWLEDGE: "Fix the pages, or leave it out for the built-in ones.",
  SITE_LOGO: "Take another file, or leave it out for the built-in mark.",
};

function unusable(variable: VariableName, name: string, reasons: readonly string[]): Problem {
  const list = reasons.map((line) => `\n    - ${line}`).join("");
  return problemWith(variable, `cannot be used (${name}):${list}`, REMEDIES[variable]);
}
