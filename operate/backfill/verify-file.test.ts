import fc from "fast-check";
import { encodeAbiParameters, type Hex, pad, toEventSelector } from "viem";
import { expect, it } from "vitest";
import { RpcError, type RpcRequest } from "../../chain/call.ts";
import { readSettings } from "../../config/environment.ts";
import { fakeChain } from "../../test/harness/fake-chain.ts";
import { eventIdAt } from "../../test/harness/ledger-table.ts";
import type { LedgerFile } from "./ledger-file.ts";
import { type FiledEvent, LedgerFileError } from "./ledger-line.ts";
import { verifyFile } from "./verify-file.ts";

const ESCROW: Hex = `0x${"e1".repeat(20)}`;
const PAYER: Hex = `0x${"a1".repeat(20)}`;
const REPAID = toEventSelector("Repaid(uint256,address,uint256,uint256,uint256)");
/** Blocks from one with a repayment to the next one. */
const STEP = 10;

const settings = readSettings({
  RPC_URLS: "http://127.0.0.1:1",
  ESCROWS: `${ESCROW}@1`,
  REGISTRY: "registry.json",
});
const hex = (number: number): Hex => `0x${number.toString(16)}`;
const hashOf = (block: number): Hex => pad(hex(block));
const last = (repayments: number) => repayments * STEP + 5;

/** A chain with a repayment in every tenth block, of as much as the block's number. */
function chainOf(repayments: number, { hasLogs = (block: number) => block >= 0 } = {}) {
  const asked: [number, number][] = [];
  const answer = ({ method, params: [param] = [] }: RpcRequest): unknown => {
    if (method === "eth_getBlockByNumber") {
      return { number: param, hash: hashOf(Number(param)), parentHash: "0x", timestamp: param };
    }
    const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string };
    const [first, end] = [Number(fromBlock), Number(toBlock)];
    if (!hasLogs(first)) throw new RpcError("other", "history has been pruned", { place: 0 });
    asked.push([first, end]);
    const blocks = Array.from({ length: repayments }, (_, index) => (index + 1) * STEP);
    return blocks
      .filter((block) => block >= first && block <= end)
      .map((block) => ({
        ...{ address: ESCROW, topics: [REPAID, pad("0x1"), pad(PAYER)] },
        data: encodeAbiParameters(Array(3).fill({ type: "uint256" }), [BigInt(block), 0n, 0n]),
        ...{ blockNumber: hex(block), blockHash: hashOf(block), transactionHash: hashOf(block) },
        ...{ transactionIndex: "0x0", logIndex: "0x0" },
      }));
  };
  return { client: fakeChain(answer, () => asked.length), asked };
}

function repayment(block: number): FiledEvent {
  const place = { blockNumber: BigInt(block), blockTime: BigInt(block), logIndex: 0, part: 0 };
  const args = { payer: PAYER, principal: `${block}`, interest: "0", outstandingPrincipal: "0" };
  const of = { escrowAddress: ESCROW, onchainId: 1n, kind: "repaid" as const, args };
  return {
    row: { ...of, eventId: eventIdAt({ time: block, block }), ...place, txHash: hashOf(block) },
    blockHash: hashOf(block),
  };
}

const repaid = (repayments: number) =>
  Array.from({ length: repayments }, (_, index) => repayment((index + 1) * STEP));

function fileOf(events: readonly FiledEvent[], blocks: number): LedgerFile {
  const { chainId, escrows, escrowFactory, desk } = settings;
  const of = { chainId, escrows: [...escrows], escrowFactory, desk, ledgerKey: "key" };
  return {
    header: {
      ...of,
      last: { number: blocks, hash: hashOf(blocks) },
      escrowChildren: [],
      events: events.length,
    },
    async *events() {
      yield* events;
    },
  };
}

const changed = ({ row, blockHash }: FiledEvent): FiledEvent => ({
  row: { ...row, args: { ...row.args, principal: "1" } },
  blockHash,
});

it("compares all of a small file, blocks without events too", async () => {
  const { client, asked } = chainOf(40);
  const verified = await verifyFile({ file: fileOf(repaid(40), last(40)), settings, client });
  expect(verified).toEqual({
    ...{ listings: 1, anomalies: { unknown_listing: 40, repaid_before_drawdown: 40 } },
    ...{ blocks: 40, compared: 40, refused: 0 },
  });
  const blocks = asked.flatMap(([first, end]) =>
    Array.from({ length: end - first + 1 }, (_, index) => first + index),
  );
  expect(blocks.toSorted((a, b) => a - b)).toEqual(Array.from({ length: last(40) }, (_, index) => index + 1));
});

it("refuses a small file with any event of it changed, left out or made up", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(19), fc.constantFrom("changed", "left out", "made up"), async (at, how) => {
      const events = repaid(20);
      const file = {
        changed: events.map((event, index) => (index === at ? changed(event) : event)),
        "left out": events.toSpliced(at, 1),
        "made up": events.toSpliced(at, 0, repayment(at * STEP + 3)),
      }[how];
      const verifying = verifyFile({
        file: fileOf(file, last(20)),
        settings,
        client: chainOf(20).client,
      });
      await expect(verifying).rejects.toThrow(LedgerFileError);
    }),
  );
});

it("compares an unpredictable sample of a large file", async () => {
  const samples = await Promise.all(
    [1, 2].map(async () => {
      const { client, asked } = chainOf(1_000);
      const file = fileOf(repaid(1_000), last(1_000));
      const { blocks, compared } = await verifyFile({ file, settings, client });
      expect({ blocks, compared, asked: asked.length }).toEqual({ blocks: 1_000, compared: 200, asked: 201 });
      return asked.map(([, end]) => end).toSorted((a, b) => a - b);
    }),
  );
  expect(samples[0]).not.toEqual(samples[1]);
  const forged = fileOf(repaid(1_000).map(changed), last(1_000));
  await expect(verifyFile({ file: forged, settings, client: chainOf(1_000).client })).rejects.toThrow(
    LedgerFileError,
  );
});

it("counts what endpoints without old logs refuse", async () => {
  const { client } = chainOf(10, { hasLogs: (block) => block > 50 });
  const verified = await verifyFile({
    file: fileOf(repaid(10), last(10)),
    settings,
    client,
    retryDelay: 0,
  });
  expect(verified).toMatchObject({ blocks: 10, compared: 5, refused: 5 });
});

it("ends at once when it is not wanted any more, whatever the endpoints do", async () => {
  const client = { ...chainOf(10).client, requestLogs: () => new Promise(() => {}) };
  const stopping = new AbortController();
  const verifying = verifyFile({
    file: fileOf(repaid(10), last(10)),
    settings,
    client,
    signal: stopping.signal,
  });
  stopping.abort();
  await expect(verifying).rejects.toBe(stopping.signal.reason);
  await expect(verifyFile({ file: fileOf([], 5), settings, client, signal: stopping.signal })).rejects.toBe(
    stopping.signal.reason,
  );
});

it("refuses a file of another chain", async () => {
  const file = fileOf([], 5);
  const header = { ...file.header, last: { number: 5, hash: hashOf(6) } };
  await expect(
    verifyFile({ file: { ...file, header }, settings, client: chainOf(0).client }),
  ).rejects.toThrow("it is of another chain, or of blocks that are gone: block 5 is");
});
