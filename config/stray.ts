/**
 * Variables that nothing reads although somebody meant them: `RPC_URL`, `ESCROW`, `REGISTRY_URL`. What has nothing to do
 * with ours is the operator's own business.
 * @module
 */
import type { Environment } from "./environment.ts";
import { VARIABLE_NAMES, type VariableName } from "./variables.ts";

/** Set by the daemon for the indexer. */
const INTERNAL = new Set(["RAISEBOOK_LAST_GOOD_REGISTRY"]);
const ADDED = /_(?:URLS?|URIS?|FILE|PATH|DIR|ADDRESS|ADDRESSES)$/;
/** Shorter names are one letter from many a foreign one: HOST from POST. */
const SHORTEST_WITH_A_SLIP = 6;

/** The variables that are set and not read, each with the one that was probably meant, or null. */
export function strayVariables(env: Environment): { name: string; meant: VariableName | null }[] {
  const known = new Set<string>([...VARIABLE_NAMES, ...INTERNAL]);
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !known.has(name))
    .map((name) => ({ name, meant: VARIABLE_NAMES.find((ours) => isMeant(name, ours)) ?? null }))
    .filter(({ name, meant }) => meant !== null || name.startsWith("RAISEBOOK_"));
}

function isMeant(name: string, ours: VariableName): boolean {
  const bare = name.toUpperCase().replace(/^RAISEBOOK_/, "");
  if (bare === ours || bare === `${ours}S`) return true;
  if (ours === "HOST" || ours === "PORT") return false;
  const shortened = bare.replace(ADDED, "");
  if (shortened !== bare && (shortened === ours || `${shortened}S` === ours)) return true;
  return ours.length >= SHORTEST_WITH_A_SLIP && isOneSlip(bare, ours);
}

/** Whether a letter too many, one too few, another one, or two in the wrong order make one text of the other. */
function isOneSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
