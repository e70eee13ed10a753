import { pad } from "viem";
import { describe, expect, it } from "vitest";
import { InconsistentChainError, inOrder, parseLogs } from "./logs.ts";

const LOG = {
  address: `0x${"Ab".repeat(20)}`,
  topics: [pad("0x1")],
  data: "0x",
  blockNumber: "0x10",
  blockHash: pad("0xb"),
  transactionHash: pad("0x7"),
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false,
};
const log = (changes: object = {}) => ({ ...LOG, ...changes });
/** The logs of three transactions, as the endpoint of erigontech/erigon#17249 numbers them. */
const NUMBERED_IN_TRANSACTIONS = [0, 1, 2].map((index) =>
  log({ transactionIndex: `0x${index}`, transactionHash: pad(`0x${index}`) }),
);

describe("parseLogs", () => {
  it("takes numbers from hex, addresses and topics in lowercase", () => {
    const topics = [`0x${"Ab".repeat(32)}`];
    expect(parseLogs([log({ transactionIndex: "0xa", logIndex: "0x1F", topics })])).toMatchObject([
      {
        ...{ block: 16, transactionIndex: 10, logIndex: 31 },
        ...{ address: LOG.address.toLowerCase(), topic: `0x${"ab".repeat(32)}` },
      },
    ]);
  });

  it.each([
    ["blockNumber", null],
    ["transactionIndex", null],
    ["transactionIndex", undefined],
    ["logIndex", ""],
    ["logIndex", 0],
    ["logIndex", "0x"],
    ["logIndex", "7"],
    ["blockHash", null],
    ["transactionHash", null],
    ["address", null],
    ["address", "0x12"],
    ["topics", null],
    ["topics", [null]],
    ["data", null],
    ["removed", true],
  ])("refuses a log whose %s is %j, and names it", (field, value) => {
    expect(() => parseLogs([log(), log({ [field]: value })])).toThrow(InconsistentChainError);
    expect(() => parseLogs([log({ [field]: value })])).toThrow(field);
  });

  it.each([[null], [{}], ["0x"], [[null]], [[7]]])("refuses %j", (answer) => {
    expect(() => parseLogs(answer)).toThrow(InconsistentChainError);
  });
});

describe("inOrder", () => {
  it("sorts by the place in the chain, and drops identical logs", () => {
    const logs = [
      log({ logIndex: "0x2", transactionIndex: "0x1" }),
      log({ logIndex: "0x1" }),
      log({ blockNumber: "0xf", logIndex: "0x9" }),
    ];
    const places = inOrder(parseLogs([...logs, ...logs, ...logs])).map(({ block, logIndex }) => [
      block,
      logIndex,
    ]);
    expect(places).toEqual([
      [15, 9],
      [16, 1],
      [16, 2],
    ]);
  });

  it.each([
    ["of several transactions", NUMBERED_IN_TRANSACTIONS],
    ["of one transaction", [log(), log({ data: "0x01" })]],
    ["of two contracts", [log(), log({ address: `0x${"cd".repeat(20)}` })]],
    ["of two blocks of one number", [log(), log({ blockHash: pad("0xc") })]],
  ])("refuses two logs with one index: %s", (_what, logs) => {
    expect(() => inOrder(parseLogs(logs))).toThrow(/different logs of block 16 have the index 0/);
  });

  it("refuses a later transaction with an earlier log", () => {
    const logs = [log({ logIndex: "0x1" }), log({ transactionIndex: "0x1" })];
    expect(() => inOrder(parseLogs(logs))).toThrow(/block 16 are numbered wrongly/);
  });
});
