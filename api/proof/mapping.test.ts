import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { compileModule } from "../../src/contracts/compile.ts";
import { decodeLog } from "../../src/contracts/contracts.ts";
import type { ContractLog, LogHandler } from "../../src/contracts/module.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { eventAbiOf, type Mapping, mappingOf } from "./mapping.ts";

const ANNA: Hex = `0x${"a1".repeat(20)}`;
const PLACE = {
  address: ANNA,
  blockNumber: 7n,
  blockTime: 70n,
  txHash: `0x${"7".repeat(64)}`,
  logIndex: 3,
} as const;

const PAID =
  "event Paid(uint256 indexed loan, uint256 total, uint256 interest, int256 change, address from, bool isLate)";
const paid = [5n, 100n, 30n, -8n, ANNA, true];

/** How a module with this handler for `Paid` reads a log of it. */
function mappingBy(
  handler: (log: ContractLog) => object,
  kind: EventKind,
  onchainId = (log: ContractLog) => log.args.loan,
): Mapping {
  const problems: string[] = [];
  const events = { Paid: handler as LogHandler<never> };
  const contracts = compileModule(
    { name: "Theirs", escrow: { abi: [PAID], decimals: 6, onchainId, events } },
    problems,
  );
  expect(problems).toEqual([]);
  const item = parseAbiItem(PAID);
  const [, ...others] = item.inputs;
  const log = {
    topics: encodeEventTopics({ abi: [item], args: { loan: 5n } }) as Hex[],
    data: encodeAbiParameters(others, paid.slice(1) as never),
  };
  const decoded = decodeLog(contracts, log);
  if (decoded === null) throw new Error("the log is followed");
  return mappingOf(decoded.event, { args: decoded.args, place: PLACE, part: 0, kind, decimals: 6 });
}

describe("mappingOf", () => {
  it("finds the arguments that are added and taken away", () => {
    const read = ({ args }: ContractLog) => ({
      ...{ kind: "repaid", payer: args.from },
      ...{ principal: args.total - args.interest, interest: args.interest },
    });
    expect(mappingBy(read, "repaid")).toEqual({
      ...{ decimals: 6, onchainId: "loan" },
      fields: { payer: ["from"], principal: ["total", "-interest"], interest: ["interest"] },
    });
  });

  it("finds the size of a negative change, and a time", () => {
    const reserve = ({ args }: ContractLog) => ({
      kind: "reserve_changed",
      reason: "released",
      amount: -args.change,
    });
    expect(mappingBy(reserve, "reserve_changed").fields).toEqual({ amount: ["-change"] });
    const drawn = ({ args }: ContractLog) => ({
      kind: "drawn_down",
      amount: args.total,
      maturityAt: args.interest,
    });
    expect(mappingBy(drawn, "drawn_down").fields).toEqual({ amount: ["total"], maturityAt: ["interest"] });
  });

  it("leaves out what is made in another way, and what no argument says", () => {
    const read = ({ args, block }: ContractLog) => ({
      ...{ kind: "drawn_down", to: ANNA, amount: args.total * args.interest },
      ...{ fee: args.total + 1n, maturityAt: block.timestamp + 90n },
    });
    expect(mappingBy(read, "drawn_down", () => 1n)).toEqual({ decimals: 6, onchainId: null, fields: {} });
  });

  it("does not take an equal argument for the one that is read", () => {
    // The id is 5 too, and is not what the amount follows.
    const read = ({ args }: ContractLog) => ({
      kind: "payout_claimed",
      holder: args.from,
      amount: args.loan,
    });
    expect(mappingBy(read, "payout_claimed", () => 5n)).toMatchObject({
      onchainId: null,
      fields: { amount: ["loan"] },
    });
  });

  it("takes no notice of a handler that fails on other values", () => {
    const read = ({ args }: ContractLog) => {
      if (args.total !== 100n || args.isLate !== true) throw new Error("not these");
      return { kind: "payout_claimed", holder: args.from, amount: args.interest };
    };
    expect(mappingBy(read, "payout_claimed").fields).toEqual({ holder: ["from"], amount: ["interest"] });
  });
});

it("the event of an ABI is shown without the compiler's names of types, tuples with their members", () => {
  const item = {
    ...{ type: "event", name: "Opened", anonymous: false },
    inputs: [
      { name: "id", type: "uint256", internalType: "LoanId", indexed: true },
      {
        type: "tuple",
        name: "terms",
        internalType: "struct T",
        indexed: false,
        components: [{ name: "goal", type: "uint256", internalType: "Wad" }],
      },
    ],
  } as const;
  expect(eventAbiOf(item as never)).toEqual({
    ...{ type: "event", name: "Opened" },
    inputs: [
      { name: "id", type: "uint256", indexed: true },
      { name: "terms", type: "tuple", indexed: false, components: [{ name: "goal", type: "uint256" }] },
    ],
  });
});
