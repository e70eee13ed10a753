/**
 * The contracts of the settings, and what their logs mean.
 * @module
 */
import { compileFunction } from "node:vm";
import { decodeEventLog, erc20Abi, getAbiItem, type Hex, toEventSelector } from "viem";
import type { ContractsFile } from "../../config/contracts-file.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { type Problem, problemWith, SettingsError } from "../../config/problems.ts";
import { messageOf } from "./abi.ts";
import { BUILT_IN } from "./built-in.ts";
import {
  type Contracts,
  compileModule,
  type FollowedEvent,
  type LogPlace,
  type MappedLog,
} from "./compile.ts";

export const transferAbi = getAbiItem({ abi: erc20Abi, name: "Transfer" });
/** The first topic of a token's transfers. */
export const TRANSFER = toEventSelector(transferAbi);

const known = new Map<string | null, Contracts>();

/** The contracts of the settings: the module's, or those of the project. @throws {SettingsError} with every problem of the module */
export function contractsOf({ contracts }: { contracts: ContractsFile | null }): Contracts {
  const text = contracts?.text ?? null;
  const made = known.get(text) ?? compile(contracts);
  known.set(text, made);
  return made;
}

/** Another copy of the same contracts, which has not been given any log yet. */
export function freshContracts({ contracts }: { contracts: ContractsFile | null }): Contracts {
  return compile(contracts);
}

/** The settings that a module has nothing for, or that do not go with it. */
export function missingParts(
  settings: Pick<Settings, "contracts" | "holders" | "escrowFactory" | "desk">,
): readonly Problem[] {
  const { escrow, factory, desk, byTopic, lifecycle } = contractsOf(settings);
  const needs = [
    { variable: "HOLDERS", isMissing: settings.holders && escrow.token === null, part: "escrow.token" },
    {
      variable: "ESCROW_FACTORY",
      isMissing: settings.escrowFactory !== null && factory === null,
      part: "factory",
    },
    { variable: "DESK", isMissing: settings.desk !== null && desk === null, part: "desk" },
  ] as const;
  const missing = needs
    .filter(({ isMissing }) => isMissing)
    .map(({ variable, part }) =>
      problemWith(
        variable,
        `needs a part of the contracts' module that is not there: ${part}`,
        `Add it, or take ${variable} out.`,
      ),
    );
  const isTaken = settings.holders && byTopic.has(TRANSFER);
  const transfers = "counts transfers of tokens, and a handler of the contracts' module has that event";
  const onTokens = [
    { variable: "HOLDERS", isSet: settings.holders },
    { variable: "DESK", isSet: settings.desk !== null },
  ] as const;
  const tokenless = onTokens
    .filter(({ isSet }) => isSet && lifecycle.derivesCreation)
    .map(({ variable }) =>
      problemWith(
        variable,
        "needs the token of each raise from its listing_created, to which the contracts' module maps no event",
        `Map an event to listing_created with token, or take ${variable} out.`,
      ),
    );
  return [
    ...missing,
    ...tokenless,
    ...(isTaken ? [problemWith("HOLDERS", transfers, "Take HOLDERS out.")] : []),
  ];
}

/** What a log means, which may be nothing. A log that is not followed, and one that does not fit its event, mean nothing. */
export function mapRawLog(
  contracts: Contracts,
  log: { topics: readonly Hex[]; data: Hex },
  place: LogPlace,
): MappedLog[] {
  const decoded = decodeLog(contracts, log);
  return decoded === null ? [] : decoded.event.map(decoded.args, place);
}

/** The event of a log with its arguments as viem decodes them; null for a log that is not followed or does not fit its event. */
export function decodeLog(
  { byTopic }: Pick<Contracts, "byTopic">,
  { topics, data }: { topics: readonly Hex[]; data: Hex },
): { event: FollowedEvent; args: unknown } | null {
  const event = byTopic.get(topics[0]);
  if (event === undefined) return null;
  try {
    const decoded = decodeEventLog({ abi: [event.abiItem], data, topics: [...topics] as [Hex, ...Hex[]] });
    return { event, args: decoded.args ?? {} };
  } catch {
    return null;
  }
}

/** The place of a log that was read with its block; without the block its time is 0, which the project's own contracts never ask for. */
export function placeIn(
  {
    address,
    block,
    logIndex,
    raw,
  }: { address: Hex; block: number; logIndex: number; raw: { transactionHash: Hex } },
  header: { timestamp: Hex } | undefined,
): LogPlace {
  const blockTime = BigInt(header?.timestamp ?? 0);
  return { address, blockNumber: BigInt(block), blockTime, txHash: raw.transactionHash, logIndex };
}

/**
 * The topics to look for where only some events of the project's contracts matter, and the factory's announcements. With a module,
 * any event may be one of them: undefined, which stands for all.
 */
export function topicsNamed(
  settings: { contracts: ContractsFile | null },
  names: readonly string[],
): readonly Hex[] | undefined {
  const { escrow, factory } = contractsOf(settings);
  if (settings.contracts !== null) return undefined;
  const events = escrow.events.filter(({ abiItem }) => names.includes(abiItem.name));
  return [...(factory === null ? [] : [factory]), ...events].map(({ topic }) => topic);
}

/** Warns of logs that could not be mapped, once for each event and reason. */
export function unmappedLog(log: Pick<Logger, "warn">): (name: string, problem: string) => void {
  const told = new Set<string>();
  return (event, problem) => {
    const key = `${event}: ${problem}`;
    if (told.has(key) || told.size >= MOST_WARNINGS) return;
    told.add(key);
    log.warn({
      msg: "An event could not be mapped by the contracts' module; it stays in the ledger as unmapped",
      event,
      problem,
    });
  };
}

/** A module that fails in a new way for each log must not fill the disk. */
const MOST_WARNINGS = 100;

const refuse = (name: string) => () => {
  throw new Error(`${name} is not available: an event must mean the same whenever it is read`);
};

/** Packages such as bignumber.js ask for a random number as they load, which is always the same then. */
let isLoading = false;

/** What a module is given in place of the names that answer differently each time. */
const IMPURE = {
  Date: new Proxy(Date, {
    apply: refuse("Date()"),
    construct: (target, args, made) =>
      args.length === 0 ? refuse("new Date()")() : Reflect.construct(target, args, made),
    get: (target, name) => (name === "now" ? refuse("Date.now()") : Reflect.get(target, name)),
  }),
  Math: Object.create(Math, { random: { value: () => (isLoading ? 0 : refuse("Math.random()")()) } }),
};

function compile(file: ContractsFile | null): Contracts {
  if (file === null) return compileModule(BUILT_IN, []);
  const problems: string[] = [];
  const made = compileModule(evaluate(file), problems, file.text);
  if (problems.length === 0 && made.escrow.events.length === 0)
    problems.push("escrow.events: has no handler, so that nothing would be followed");
  if (problems.length === 0) return made;
  throw new SettingsError([unusable(file, problems)]);
}

function unusable({ path }: ContractsFile, problems: readonly string[]) {
  const list = problems.map((line) => `\n    - ${line}`).join("");
  return problemWith(
    "CONTRACTS",
    `cannot be used (${path}):${list}`,
    "Fix the module: docs/contracts.md says what it may contain.",
  );
}

/** The default export of the module. */
function evaluate(file: ContractsFile): unknown {
  const module = { exports: {} as { default?: unknown } };
  try {
    const parameters = ["module", "exports", ...Object.keys(IMPURE)];
    const run = compileFunction(file.text, parameters, { filename: file.path });
    isLoading = true;
    run(module, module.exports, ...Object.values(IMPURE));
  } catch (error) {
    throw new SettingsError([unusable(file, [`it cannot be loaded: ${messageOf(error)}`])]);
  } finally {
    isLoading = false;
  }
  return module.exports.default;
}
