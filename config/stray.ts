/**
 * Misspelt variables, such as `RPC_URL`, `ESCROW` or `REGISTRY_URL`, which no setting reads. Unrelated variables are
 * ignored.
 * @module
 */
import type { Environment } from "./environment.ts";
import { VARIABLE_NAMES, type VariableName } from "./variables.ts";

/** Set by the daemon for the indexer. */
const INTERNAL = new Set(["RAISEBOOK_LAST_GOOD_REGISTRY"]);
const SUFFIX = /_(?:URLS?|URIS?|FILE|PATH|DIR|ADDRESS|ADDRESSES)$/;
const SYNONYMS: Readonly<Record<string, string>> = {
  URI: "URL",
  URIS: "URL",
  DIRECTORY: "DIR",
  FOLDER: "DIR",
};
/** Shorter names are one typo away from other programs' names: HOST from POST. */
const SHORTEST_WITH_TYPO = 6;

/** Variables that are set but not read, each with the one that was probably meant, or null. */
export function strayVariables(env: Environment): { name: string; meant: VariableName | null }[] {
  const ours = new Set<string>([...VARIABLE_NAMES, ...INTERNAL]);
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !ours.has(name))
    .map((name) => ({ name, meant: VARIABLE_NAMES.find((candidate) => isMeant(name, candidate)) ?? null }))
    .filter(({ name, meant }) => meant !== null || name.startsWith("RAISEBOOK_"));
}

function isMeant(name: string, candidate: VariableName): boolean {
  const upper = name.toUpperCase();
  const bare = upper
    .replace(/^RAISEBOOK_/, "")
    // As in Ponder's examples: PONDER_RPC_URL_97.
    .replace(/^PONDER_(.*)_\d+$/, "$1");
  if (bare === candidate || bare === `${candidate}S`) return true;
  if (candidate === "HOST" || candidate === "PORT") return false;
  const names = [upper, bare];
  if ([...names, bare.replace(SUFFIX, "")].some((one) => stemOf(one) === stemOf(candidate))) return true;
  return candidate.length >= SHORTEST_WITH_TYPO && names.some((one) => isOneTypo(one, candidate));
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
