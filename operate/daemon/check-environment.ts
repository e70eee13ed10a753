/** @module Valid values that probably make no sense together, and unknown names. */

import { existsSync, statSync } from "node:fs";
import {
  type Environment,
  embeddedIn,
  loadEnvFiles,
  MEMORY,
  type Settings,
} from "../../config/environment.ts";
import type { Warning } from "../../config/problems.ts";
import { isLoopbackHost } from "../../config/values.ts";
import { VARIABLE_NAMES, type VariableName } from "../../config/variables.ts";

/** Those that are next to the test networks in use, and so the likely mistakes. */
const MAIN_NETWORKS: ReadonlyMap<number, string> = new Map([
  [1, "Ethereum's main network"],
  [56, "BSC's main network"],
]);

/** @param env the source of the settings */
export function warnOfEnvironment(env: Environment, settings: Settings): Warning[] {
  const { chainId, publicUrl, host, database, rateLimit, trustedProxies, metricsPort, ledger } = settings;
  const isPublic = !isLoopbackHost(new URL(publicUrl).hostname);
  const isSet = (name: VariableName) => Boolean(env[name]?.trim());
  const warnings = warnOfStray(env);
  const warn = (variable: VariableName, warning: string, remedy: string) =>
    void warnings.push({ variable, warning, remedy });

  const mainNetwork = MAIN_NETWORKS.get(chainId);
  if (mainNetwork !== undefined) {
    const warning = `is that of ${mainNetwork}, but every page says "test network" and that no value is real`;
    warn("CHAIN_ID", warning, "Set it to the id of the test network that the contracts are on.");
  }
  const readsChain = settings.holders ? "HOLDERS=true" : settings.fastForward ? null : "FAST_FORWARD=false";
  if (ledger !== null && readsChain !== null) {
    const warning = `is ignored, as ${readsChain} has the whole history read from the chain`;
    warn("LEDGER", warning, "Take one of the two out.");
  }
  if (isPublic && !isSet("APP_URL")) {
    const remedy = "Set it to the app where people sign.";
    warn("APP_URL", "is not set: no page says where to subscribe and sign", remedy);
  }
  if (!isPublic && !isLoopbackHost(host)) {
    const warning = `leads every visitor to their own machine, and HOST (${host}) lets others in`;
    const remedy = "Set it to the address at which others reach the service, or HOST to 127.0.0.1.";
    warn("PUBLIC_URL", warning, remedy);
  }
  if (database.kind === "pglite" && database.dataDirectory === MEMORY && isPublic) {
    const warning = "is memory://: each start reads the whole chain again";
    warn("RAISEBOOK_DATA_DIR", warning, "Name a directory, or a PostgreSQL database in DATABASE_URL.");
  }
  // The directory alone says nothing: units and images always name one.
  const dataDirectory = env.RAISEBOOK_DATA_DIR?.trim();
  if (database.kind === "postgres" && dataDirectory && existsSync(embeddedIn(dataDirectory))) {
    const warning = "holds an embedded database, which is ignored, as DATABASE_URL is set";
    warn("RAISEBOOK_DATA_DIR", warning, "Delete it if it is no longer needed, or take DATABASE_URL out.");
  }
  if (database.kind === "pglite" && isSet("NOTICES_DATABASE_URL")) {
    const warning = "is ignored without DATABASE_URL: the embedded database announces blocks itself";
    warn("NOTICES_DATABASE_URL", warning, "Take it out, or set DATABASE_URL to a replica.");
  }
  if (database.kind === "pglite" && metricsPort !== null) {
    const warning = "is ignored without DATABASE_URL: the metrics are on OPERATOR_PORT";
    warn("METRICS_PORT", warning, "Take it out, and have Prometheus ask OPERATOR_PORT.");
  }
  if (rateLimit !== null && isBehindProxy(settings) && !trustsItsProxy(settings)) {
    const warning = "counts all clients as one: the proxy before the service is not in TRUSTED_PROXIES";
    const remedy = "Set TRUSTED_PROXIES to the address of the proxy, 127.0.0.1 on this machine.";
    warn("RATE_LIMIT", warning, remedy);
  }
  if (trustedProxies.some((network) => network.endsWith("/0"))) {
    const warning = "trusts every address: a client can claim any address, and RATE_LIMIT has no effect";
    warn("TRUSTED_PROXIES", warning, "Name only the addresses of your own proxies.");
  }
  return warnings;
}

/** Whether a proxy answers at PUBLIC_URL: the service has no TLS, and a single port. */
function isBehindProxy({ publicUrl, port }: Settings): boolean {
  const url = new URL(publicUrl);
  return url.protocol === "https:" || (Number(url.port) || 80) !== port;
}

/** Only a proxy on this machine can reach a service that listens on loopback. */
function trustsItsProxy({ host, trustedProxies }: Settings): boolean {
  const isTheirs = (network: string) =>
    !isLoopbackHost(host) || isLoopbackHost(network.replace(/\/.*/, "")) || network.endsWith("/0");
  return trustedProxies.some(isTheirs);
}

/** Also for settings that are invalid. */
export function warnOfStray(env: Environment): Warning[] {
  return strayVariables(env).map(({ name, meant }) => ({
    variable: name,
    warning: `is set, but nothing reads it${meant === null ? "" : `; did you mean ${meant}?`}`,
    remedy: meant === null ? `Take ${name} out.` : `Call it ${meant}, or take it out.`,
  }));
}

/** Set by the daemon for the indexer. */
const INTERNAL = new Set(["RAISEBOOK_LAST_GOOD_REGISTRY"]);
const SUFFIX = /_(?:URLS?|URIS?|FILE|PATH|DIR|ADDRESS|ADDRESSES)$/;
const SYNONYMS: Record<string, string> = { URI: "URL", URIS: "URL", DIRECTORY: "DIR", FOLDER: "DIR" };
/** Shorter names are one typo away from other programs' names: HOST from POST. */
const SHORTEST_WITH_TYPO = 6;

/** Variables that are set but not read, each with the one that was probably meant, or null. */
export function strayVariables(env: Environment): { name: string; meant: VariableName | null }[] {
  const ours = new Set<string>([...VARIABLE_NAMES, ...INTERNAL]);
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !ours.has(name))
    .map((name) => ({ name, meant: meantBy(name) }))
    .filter(({ name, meant }) => meant !== null || name.startsWith("RAISEBOOK_"));
}

/** A name in another form comes before a typo: CONTACTS is CONTACT, and not CONTRACTS. */
function meantBy(name: string): VariableName | null {
  const upper = name.toUpperCase();
  const bare = upper
    .replace(/^RAISEBOOK_/, "")
    // As in Ponder's examples: PONDER_RPC_URL_97.
    .replace(/^PONDER_(.*)_\d+$/, "$1");
  const names = [upper, bare];
  const stems = [...names, bare.replace(SUFFIX, "")].map(stemOf);
  const candidates = VARIABLE_NAMES.filter((candidate) => candidate !== "HOST" && candidate !== "PORT");
  return (
    VARIABLE_NAMES.find((candidate) => bare === candidate || bare === `${candidate}S`) ??
    candidates.find((candidate) => stems.includes(stemOf(candidate))) ??
    candidates.find(
      (candidate) => candidate.length >= SHORTEST_WITH_TYPO && names.some((one) => isOneTypo(one, candidate)),
    ) ??
    null
  );
}

/** The name with one form for each word: TRUSTED_PROXIES and TRUST_PROXY are the same. */
function stemOf(name: string): string {
  return name.split("_").map(stemOfWord).join("_");
}

function stemOfWord(word: string): string {
  const synonym = SYNONYMS[word];
  if (synonym !== undefined) return synonym;
  return word
    .replace(/IES$/, "Y")
    .replace(/S$/, "")
    .replace(/(?<=...)(?:ED|ING)$/, "");
}

/** Whether the texts differ by one inserted, missing, replaced or transposed letter. */
function isOneTypo(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** The environment of the units in `deploy/systemd`. */
const SYSTEMD_ENV_FILE = "/etc/raisebook/raisebook.env";

/** Loads the settings' files. @returns them with the one of `--env-file`, for `warnOfModes` */
export function loadSettingsFiles({ envFile }: { envFile?: string | undefined }): readonly string[] {
  return [...new Set([...(envFile === undefined ? [] : [envFile]), ...loadEnvFiles(), SYSTEMD_ENV_FILE])];
}

/** Checks each of these files that exists. */
export function warnOfModes(files: readonly string[]): Warning[] {
  return files.flatMap((file) => {
    const mode = modeOf(file);
    const open = [...((mode & 0o004) !== 0 ? ["read"] : []), ...((mode & 0o002) !== 0 ? ["changed"] : [])];
    if (open.length === 0) return [];
    const warning = `can be ${open.join(" and ")} by every user of this machine (mode ${mode.toString(8)}): it holds keys and passwords`;
    return [{ variable: file, warning, remedy: `chmod 600 ${file}` }];
  });
}

/** 0 if there is no file, or none that this user can inspect. Windows has permissions that a mode does not show. */
function modeOf(file: string): number {
  if (process.platform === "win32") return 0;
  try {
    return statSync(file).mode & 0o777;
  } catch {
    return 0;
  }
}
