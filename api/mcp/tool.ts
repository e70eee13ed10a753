/** @module A tool: its texts, its schemas and its answer. The endpoint and the browser tools are both made from it. */
import { z } from "zod";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { FollowedContracts } from "../../src/contracts/describe.ts";
import type { Search } from "../knowledge/search.ts";
import type { LedgerQueries } from "../ledger/read.ts";
import type { Snapshot } from "../market/snapshot.ts";

export type ToolContext = {
  ledger: LedgerQueries;
  /** whether events name the addresses of persons */
  exposeAccounts: boolean;
  publicSettings: PublicSettings;
  contracts: FollowedContracts;
  /** null before the first indexed block */
  snapshot: Snapshot | null;
  search: Search;
};

/** The facts, also as lines where a model reads these better than JSON; or one sentence of advice. */
type Outcome<Facts> = { facts: Facts; text?: string } | { advice: string };

export type Tool = {
  name: string;
  title: string;
  /** 40 to 500 characters */
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** whether the answer depends on more than the snapshot and these arguments; never, by default */
  readsLedger?(args: Readonly<Record<string, unknown>>): boolean;
  /** whether the answer is incomplete until the texts of the market are read */
  isSearch?: boolean;
  /** whether a call takes a slot among the expensive questions */
  isExpensive?(args: Readonly<Record<string, unknown>>): boolean;
  /** @param args as parsed by `input` */
  run(context: ToolContext, args: never): Outcome<unknown> | Promise<Outcome<unknown>>;
};

type ToolParameters<Input extends z.ZodRawShape, Output extends z.ZodRawShape> = Omit<
  Tool,
  "input" | "output" | "run"
> & {
  input: Input;
  output: Output;
  run(
    context: ToolContext,
    args: z.output<z.ZodObject<Input>>,
  ): Outcome<z.output<z.ZodObject<Output>>> | Promise<Outcome<z.output<z.ZodObject<Output>>>>;
};

/** A tool whose arguments and facts are checked by its schemas. */
export function defineTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>({
  input,
  output,
  ...tool
}: ToolParameters<Input, Output>): Tool {
  return { ...tool, input: z.strictObject(input), output: z.object(output) };
}

/** Characters of an answer, unless the caller names a limit, and at most. */
export const ANSWER_BUDGET = { byDefault: 6_000, most: 80_000 } as const;

/** The length of facts in the text of an answer, in characters. */
export function lengthOf(facts: unknown): number {
  return JSON.stringify(facts).length;
}

/** The longest page of at most `limit` items whose text fits the budget, but one item at least. */
export function longestPage<Page>(limit: number, budget: number, pageOf: (limit: number) => Page): Page {
  let most = limit;
  let page = pageOf(most);
  for (let length = lengthOf(page); most > 1 && length > budget; length = lengthOf(page)) {
    most = Math.max(1, Math.min(most - 1, Math.floor((most * budget) / length)));
    page = pageOf(most);
  }
  return page;
}
