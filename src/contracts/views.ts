/**
 * The views of a contracts module: the figures that an escrow can be asked for, and where its dollar is.
 * @module
 */
import { type AbiFunction, encodeFunctionData, type Hex, isAddress } from "viem";
import { lower } from "../fold/events.ts";
import { itemOf } from "./abi.ts";
import { isObject, refuseOthers } from "./checked-module.ts";
import type { ContractsModule, EscrowViewName, ModuleView } from "./module.ts";
import { problemOf } from "./promise.ts";

/** The figures of a raise that a view may report. */
export const LISTING_VIEWS = [
  "raisedAmount",
  "refundedAmount",
  "reserveBalance",
  "outstandingPrincipal",
  "claimedAmount",
] as const;
export type ListingView = (typeof LISTING_VIEWS)[number];

/** All figures: those of a raise, and the dollars that the escrow has to hold for all its raises. */
const VIEWS: readonly EscrowViewName[] = [...LISTING_VIEWS, "requiredBalance"];

/** A view, ready to be called. */
export type EscrowView = {
  item: AbiFunction;
  /** The arguments for a raise. @throws whatever the module's function throws */
  argsFor(onchainId: bigint): readonly unknown[];
  /** whether an escrow may lack it */
  isOptional: boolean;
};

export type EscrowViews = Partial<Record<EscrowViewName, EscrowView>>;

/** The data of a view's call for a raise; null where its module has no arguments for it. */
export function dataOf({ item, argsFor }: EscrowView, onchainId: bigint): Hex | null {
  let args: readonly unknown[] | undefined;
  try {
    args = argsFor(onchainId);
    return encodeFunctionData({ abi: [item], args });
  } catch (error) {
    // It also handles what a promise is rejected with.
    problemOf(error, args);
    return null;
  }
}

/** The dollar: its address, or the escrow's view that has it. */
export type Dollar = { address: Hex } | { view: AbiFunction };

/** @param problems gets every problem, with its place in the module */
export function viewsOf(
  views: ContractsModule["escrow"]["views"],
  place: string,
  problems: string[],
): EscrowViews {
  if (views === undefined) return {};
  if (!isObject(views)) {
    problems.push(`${place}: expected an object with a view for each figure`);
    return {};
  }
  const found: EscrowViews = {};
  for (const [name, view] of Object.entries(views)) {
    const known = VIEWS.find((one) => one === name);
    const at = `${place}.${name}`;
    if (known === undefined) {
      problems.push(`${at}: unknown; there are ${VIEWS.join(", ")}`);
      continue;
    }
    const compiled = viewOf(view, known === "requiredBalance" ? 0 : 1, at, problems);
    if (compiled !== null) found[known] = compiled;
  }
  return found;
}

/** @param most number of parameters that have a value where the module gives no `args`: the raise's id, or nothing */
function viewOf(view: unknown, most: number, at: string, problems: string[]): EscrowView | null {
  if (!isObject(view)) {
    problems.push(
      `${at}: expected an object with function, and args where it needs others than the raise's id`,
    );
    return null;
  }
  const { function: declared, args, optional = false } = view as Partial<ModuleView>;
  refuseOthers(view, `${at}.`, ["function", "args", "optional"], problems);
  if (typeof optional !== "boolean") problems.push(`${at}.optional: expected true or false`);
  const item = functionOf(declared, /^u?int\d*$/, "one whole number", `${at}.function`, problems);
  if (args !== undefined && typeof args !== "function") {
    problems.push(`${at}.args: expected a function of the raise's id`);
    return null;
  }
  if (item === null) return null;
  const { length } = item.inputs;
  if (args === undefined && length > most) {
    problems.push(`${at}.args: missing; ${item.name} has ${length} parameters`);
    return null;
  }
  const argsFor = args ?? ((onchainId: bigint) => [onchainId].slice(0, length));
  let given: readonly unknown[] | undefined;
  try {
    given = argsFor(1n);
    encodeFunctionData({ abi: [item], args: given });
  } catch (error) {
    const [line = ""] = problemOf(error, given).split("\n");
    problems.push(`${at}.args: are not those of ${item.name}: ${line}`);
    return null;
  }
  return { item, argsFor, isOptional: optional };
}

/** @param problems gets what is wrong with it */
export function dollarOf(dollar: unknown, place: string, problems: string[]): Dollar | null {
  if (dollar === undefined) return null;
  if (typeof dollar === "string" && /^0x/i.test(dollar.trim())) {
    if (isAddress(dollar, { strict: false })) return { address: lower(dollar) };
    problems.push(`${place}: expected an address, or a view of the escrow that returns it`);
    return null;
  }
  const view = functionOf(dollar, /^address$/, "one address", place, problems);
  if (view === null) return null;
  if (view.inputs.length === 0) return { view };
  problems.push(`${place}: ${view.name} must not have parameters`);
  return null;
}

/** The function of an item, which must be a view with one result of this type. */
function functionOf(
  declared: unknown,
  type: RegExp,
  result: string,
  at: string,
  problems: string[],
): AbiFunction | null {
  if (typeof declared !== "string" && (typeof declared !== "object" || declared === null)) {
    problems.push(`${at}: expected a function, as in Solidity or as an ABI item`);
    return null;
  }
  const item = itemOf(declared, at, problems);
  if (item === null) return null;
  if (item.type !== "function") problems.push(`${at}: expected a function`);
  else if (item.stateMutability !== "view" && item.stateMutability !== "pure")
    problems.push(`${at}: ${item.name} is no view`);
  else if (item.outputs?.length !== 1 || !type.test(item.outputs[0]?.type ?? ""))
    problems.push(`${at}: ${item.name} must return ${result}`);
  else return item;
  return null;
}
