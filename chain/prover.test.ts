import { type Hex, pad } from "viem";
import { describe, expect, it } from "vitest";
import { BLOCK, LOGS, RECEIPTS } from "../test/harness/block-vector.ts";
import { RpcError, type RpcRequest } from "./call.ts";
import { createProver } from "./prover.ts";
import type { RpcReceipt } from "./raw-blocks.ts";

const NUMBER = Number(BLOCK.number);
const TOPICS = [...new Set(LOGS.map(({ topics }) => topics[0]))];
const refused = (message: string) => new RpcError("other", message, { place: 0 });

type Answer = (request: RpcRequest) => unknown;

/** A prover over endpoints that answer so, and the methods that they were asked for. */
function proverOver(answer: Answer, topics: readonly (Hex | undefined)[] = TOPICS) {
  const asked: string[] = [];
  const all = async (requests: readonly RpcRequest[]) =>
    requests.map((request) => {
      asked.push(request.method);
      return answer(request);
    });
  const optional = async (
    requests: readonly RpcRequest[],
    _signal?: AbortSignal,
    isUsable?: (result: unknown) => boolean,
  ) => {
    const results = await all(requests);
    if (isUsable !== undefined && !results.every(isUsable)) throw refused("no usable result");
    return results;
  };
  const upTo = (_block: number, requests: readonly RpcRequest[]) => all(requests);
  const client = { requestAll: all, requestUpTo: upTo, requestOptional: optional };
  return { asked, ...createProver({ client, topics, retryDelay: 1 }) };
}

const changed = (change: (receipts: RpcReceipt[]) => unknown[]) => () =>
  change(structuredClone([...RECEIPTS]));

/** `Buffer.from` reads its low byte alone, which is that of "0". */
const withWideDigit = (receipt: RpcReceipt) => ({
  ...receipt,
  logs: receipt.logs.map((log) => ({
    ...log,
    data: log.data.replaceAll("0", "\u0130").replace("\u0130x", "0x"),
  })),
});

describe("prove", () => {
  it("gives all logs with the wanted topics of a block, with one request for its receipts", async () => {
    const { asked, prove } = proverOver(() => RECEIPTS);
    const proven = await prove([BLOCK]);
    expect(proven.get(NUMBER)?.map(({ raw }) => raw)).toEqual(LOGS);
    expect(asked).toContain("eth_getBlockReceipts");
    const some = proverOver(() => RECEIPTS, TOPICS.slice(0, 1));
    const first = LOGS.filter(({ topics }) => topics[0] === TOPICS[0]);
    expect((await some.prove([BLOCK])).get(NUMBER)?.map(({ raw }) => raw)).toEqual(first);
  });

  it.each<[string, () => unknown]>([
    ["lack a log", changed((receipts) => receipts.map((one) => ({ ...one, logs: one.logs.slice(1) })))],
    ["lack the last one", changed((receipts) => receipts.slice(0, -1))],
    ["have another status", changed(([first, ...rest]) => [{ ...first, status: "0x0" }, ...rest])],
    ["have another character for a digit", changed((receipts) => receipts.map(withWideDigit))],
    ["are not receipts", () => [1, "0x"]],
    ["are not there", () => null],
  ])("proves nothing by receipts that %s", async (_what, answer) => {
    expect(await proverOver(answer).prove([BLOCK])).toEqual(new Map());
  });

  it("asks again, as another endpoint may have them", async () => {
    const answers = [null, RECEIPTS.slice(1), RECEIPTS];
    expect((await proverOver(() => answers.shift()).prove([BLOCK])).size).toBe(1);
  });

  const LYING = { ...BLOCK, receiptsRoot: pad("0x1") } as typeof BLOCK;

  it("asks another endpoint for a header that does not hash to its hash", async () => {
    const { asked, prove } = proverOver(({ method }) =>
      method === "eth_getBlockByNumber" ? BLOCK : RECEIPTS,
    );
    for (const given of [LYING, { number: BLOCK.number, hash: BLOCK.hash }])
      expect((await prove([given])).get(NUMBER)).toHaveLength(LOGS.length);
    expect(asked.filter((method) => method === "eth_getBlockByNumber")).toHaveLength(2);
    expect(await prove([{ ...LYING, hash: pad("0x2") }])).toEqual(new Map());
  });

  it("proves nothing by headers that do not hash, and asks for them once until there is one that does", async () => {
    const { asked, prove } = proverOver(({ method }) =>
      method === "eth_getBlockByNumber" ? LYING : RECEIPTS,
    );
    for (const _ of [1, 2]) expect(await prove([LYING])).toEqual(new Map());
    expect(asked).toEqual(["eth_getBlockByNumber"]);
    expect((await prove([BLOCK])).size).toBe(1);
    expect(await prove([LYING])).toEqual(new Map());
    expect(asked.filter((method) => method === "eth_getBlockByNumber")).toHaveLength(2);
  });

  it("takes the receipts one by one where an endpoint does not give them together", async () => {
    const { asked, prove } = proverOver(({ method, params }) => {
      if (method === "eth_getBlockReceipts") throw refused("no such method");
      return RECEIPTS[BLOCK.transactions.indexOf(params?.[0] as Hex)];
    });
    expect((await prove([BLOCK])).get(NUMBER)).toHaveLength(LOGS.length);
    await prove([BLOCK]);
    expect(asked.filter((method) => method === "eth_getBlockReceipts")).toHaveLength(1);
  });

  /** An endpoint that gives receipts in both ways, and whose first answers to a request for those of a block are errors. */
  const failingAtFirst = (...errors: RpcError[]) =>
    proverOver(({ method, params }) => {
      const error = method === "eth_getBlockReceipts" ? errors.shift() : undefined;
      if (error !== undefined) throw error;
      if (method === "eth_getBlockReceipts") return RECEIPTS;
      return RECEIPTS[BLOCK.transactions.indexOf(params?.[0] as Hex)] ?? null;
    });

  it("asks again after a failure, however many blocks later", async () => {
    const { prove } = failingAtFirst(new RpcError("failure", "cannot be reached"));
    await expect(prove([BLOCK])).rejects.toThrow("cannot be reached");
    expect((await prove([BLOCK])).size).toBe(1);
  });

  it("takes receipts together again after a block whose receipts were refused", async () => {
    const { asked, prove } = failingAtFirst(new RpcError("pruned", "has pruned them", { place: 0 }));
    expect((await prove([BLOCK])).size).toBe(1);
    await prove([BLOCK]);
    expect(asked.at(-1)).toBe("eth_getBlockReceipts");

    // Not found, in either way.
    const missing = { ...BLOCK, transactions: [pad("0xdead")] } as typeof BLOCK;
    const other = failingAtFirst(...[1, 2, 3].map(() => refused("block not found")));
    expect(await other.prove([missing])).toEqual(new Map());
    expect((await other.prove([BLOCK])).size).toBe(1);
    expect(other.asked.at(-1)).toBe("eth_getBlockReceipts");
  });

  it("passes on that the endpoints are silent", async () => {
    const { prove } = proverOver(() => {
      throw new RpcError("failure", "cannot be reached");
    });
    await expect(prove([BLOCK])).rejects.toThrow("cannot be reached");
  });
});

describe("candidates", () => {
  const at = (number: Hex) => ({ ...BLOCK, number });

  it("are the blocks whose filter has a wanted topic", async () => {
    const { candidates } = proverOver(() => BLOCK, [pad("0x5"), TOPICS[0]]);
    expect(await candidates(NUMBER, NUMBER)).toEqual([BLOCK]);
    expect(await proverOver(() => BLOCK, [pad("0x5")]).candidates(NUMBER, NUMBER)).toEqual([]);
  });

  it("are also those whose filter is not known to be the chain's", async () => {
    const bloom = `0x${"0".repeat(512)}` as const;
    const lying = { ...BLOCK, logsBloom: bloom };
    expect(await proverOver(() => lying).candidates(NUMBER, NUMBER)).toEqual([lying]);
    expect(await proverOver(({ params }) => at(params?.[0] as Hex)).candidates(1, 3)).toHaveLength(3);
  });

  it("are those that one endpoint of two does not have yet, but none that both do not have", async () => {
    let asked = 0;
    const { candidates } = proverOver(({ params }) => {
      asked += 1;
      return asked > 3 && params?.[0] !== "0x1" ? at(params?.[0] as Hex) : null;
    });
    expect((await candidates(1, 3)).map(({ number }) => number)).toEqual(["0x2", "0x3"]);
  });
});
