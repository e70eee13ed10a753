/**
 * The form of a contracts module: its parts, and nothing that is misspelt.
 * @module
 */
import type { ContractsModule } from "./module.ts";

const EMPTY: ContractsModule = { name: "", escrow: { abi: [], events: {} } };

/** What there is in each part. */
const KNOWN = {
  module: ["name", "escrow", "factory", "desk"],
  escrow: [
    ...["abi", "decimals", "onchainId", "events", "closesAtTarget", "token", "views", "dollar", "numbered"],
  ],
  token: ["event", "parameter", "claims"],
  factory: ["event", "escrow"],
  desk: ["abi", "decimals", "events"],
};

/** The module, or an empty one where its form is wrong. @param problems gets every problem, with its place */
export function checkedModule(value: unknown, problems: string[]): ContractsModule {
  if (!isObject(value)) {
    problems.push("there is no default export, or it is no object");
    return EMPTY;
  }
  const { name, escrow, factory, desk } = value;
  refuseOthers(value, "", KNOWN.module, problems);
  refuseOthers(escrow, "escrow.", KNOWN.escrow, problems);
  refuseOthers(isObject(escrow) ? escrow.token : undefined, "escrow.token.", KNOWN.token, problems);
  refuseOthers(factory, "factory.", KNOWN.factory, problems);
  refuseOthers(desk, "desk.", KNOWN.desk, problems);
  const before = problems.length;
  if (typeof name !== "string" || name.trim() === "") problems.push("name: expected a text");
  for (const [place, part] of Object.entries({ escrow, desk })) {
    if (place === "desk" && part === undefined) continue;
    if (!isObject(part)) {
      problems.push(`${place}: expected an object with abi and events`);
      continue;
    }
    if (!Array.isArray(part.abi)) problems.push(`${place}.abi: expected a list of ABI items`);
    if (!isObject(part.events))
      problems.push(`${place}.events: expected an object with a handler for each event`);
  }
  if (isObject(escrow) && escrow.onchainId !== undefined && typeof escrow.onchainId !== "function")
    problems.push("escrow.onchainId: expected a function");
  if (isObject(escrow) && !["boolean", "undefined"].includes(typeof escrow.closesAtTarget))
    problems.push("escrow.closesAtTarget: expected true or false");
  if (factory !== undefined && !isObject(factory))
    problems.push("factory: expected an object with event and escrow");
  return problems.length === before ? (value as ContractsModule) : EMPTY;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** @param place of the keys, with a point at the end unless it is the module itself */
export function refuseOthers(
  part: unknown,
  place: string,
  known: readonly string[],
  problems: string[],
): void {
  for (const key of isObject(part) ? Object.keys(part) : [])
    if (!known.includes(key)) problems.push(`${place}${key}: unknown; there are ${known.join(", ")}`);
}
