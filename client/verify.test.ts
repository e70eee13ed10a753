import { numberToHex, toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { provenProofs, RPC } from "../test/harness/proven-app.ts";
import { type EventProof, type ListingProof, proofAddressOf, verify } from "./verify.ts";

const { proven, events, listings, check } = await provenProofs();

describe("verify an event", () => {
  it("proves each kind of event", async () => {
    for (const proof of events) {
      const { proven: isProven, sentence } = await check(proof);
      expect([isProven, sentence]).toEqual([true, expect.stringContaining(proof.block.hash)]);
    }
  });

  it("says in a sentence what is proven, and what is not", async () => {
    const proof = events.find(({ event }) => event.kind === "subscribed");
    if (proof === undefined) throw new Error("nobody subscribed");
    const { address } = proof.log;
    expect(await check(proof)).toEqual({
      proven: true,
      sentence: `Proven: the contract ${address} emitted Subscribed for its listing 1 in block ${proof.block.number}, whose hash ${proof.block.hash} your node confirms.`,
      notProven: [
        "That lst_1 is that listing: the service's registry says so.",
        "The hash of the transaction and the index of the log in its block: a receipt has neither.",
        "That the block is final: your node says only that it is on its chain now.",
      ],
      checks: [{ about: "the event", holds: true, detail: "it holds" }],
    });
  });

  it("asks the node for the block's hash alone", async () => {
    const asked: unknown[] = [];
    const fetch = async (request: Request) => {
      asked.push(await request.clone().json());
      return proven.rpc(request);
    };
    const [proof] = events;
    if (proof === undefined) throw new Error("no event");
    await verify(proof, { rpc: RPC, fetch });
    const number = `0x${BigInt(proof.block.number).toString(16)}`;
    expect(asked).toEqual([
      { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: [number, false] },
    ]);
  });

  it.each([
    [
      "of another chain",
      async () => Response.json({ result: { hash: `0x${"ab".repeat(32)}` } }),
      "of your node has the hash",
    ],
    ["without the block", async () => Response.json({ result: null }), "your node does not know block"],
    [
      "that answers with an error",
      async () => Response.json({ error: { code: -32601 } }),
      "your node does not know",
    ],
    ["that is no node", async () => new Response("<html>"), "your node does not answer"],
    ["that is not there", async () => Promise.reject(new Error(`fetch ${RPC}`)), "your node does not answer"],
  ])("is not proven with a node %s", async (_, fetch, why) => {
    const [proof] = events;
    if (proof === undefined) throw new Error("no event");
    const verdict = await verify(proof, { rpc: RPC, fetch });
    expect([verdict.proven, verdict.sentence]).toEqual([false, expect.stringContaining(why)]);
    expect(JSON.stringify(verdict)).not.toContain("key");
  });

  it.each(["https://user:key@node.example", "node.example/key"])(
    "does not show the address %s of a node that cannot be asked",
    async (rpc) => {
      const { sentence } = await verify(events[0] as EventProof, { rpc, fetch: proven.rpc });
      expect(sentence).toContain("your node does not answer");
      expect(sentence).not.toContain("key");
    },
  );

  it("refuses proofs whose parts are of other events", async () => {
    const [one, other] = events.filter(({ event }) => event.kind === "subscribed");
    if (one === undefined || other === undefined) throw new Error("too few events");
    for (const part of ["event", "block", "header", "path", "receipt", "log", "transactionIndex"] as const) {
      expect((await check({ ...one, [part]: other[part] })).proven, part).toBe(false);
    }
  });
});

describe("verify a listing", () => {
  it("proves its totals", async () => {
    for (const proof of listings) {
      const verdict = await check(proof);
      expect(verdict.checks.filter(({ holds }) => !holds)).toEqual([]);
      expect(verdict.proven).toBe(true);
    }
  });

  it("does not take an absence for proven", async () => {
    const [, open] = listings;
    if (open === undefined) throw new Error("no listing");
    const { sentence, notProven } = await check(open);
    expect(sentence).toMatch(
      /^Proven up to block [\d,]+: committed [\d,.]+ and refunded [\d,.]+, of listing 2 of the /,
    );
    expect(sentence).toMatch(/ Your node confirmed every event they add up from\.$/);
    expect(notProven[0]).toBe(
      "That nothing was ever put into the reserve, drawn, claimed by holders or repaid (these show 0).",
    );
  });

  it("does not take a figure for derived that an event has to say", async () => {
    const [settled] = listings;
    if (settled === undefined) throw new Error("no listing");
    const derived = structuredClone(settled);
    Object.assign(derived.totals.outstandingPrincipal, {
      ...{ value: "5", source: null, field: null, proof: null, sumOf: null, unexplained: "derived" },
    });
    const { proven: isProven, sentence } = await check(derived);
    expect([isProven, sentence]).toEqual([
      false,
      expect.stringContaining("outstandingPrincipal: the service derives it from more than events"),
    ]);
  });

  it("does not take a listing without events for proven", async () => {
    const [settled] = listings;
    if (settled === undefined) throw new Error("no listing");
    const silent = structuredClone(settled);
    for (const name of Object.keys(silent.totals) as (keyof ListingProof["totals"])[])
      silent.totals[name] = {
        ...{ value: "0", source: null, field: null, proof: null, sumOf: [] },
        ...{ unexplained: null, view: null },
      };
    expect(await check(silent)).toMatchObject({
      proven: false,
      sentence: expect.stringMatching(/^Nothing is proven/),
    });
  });

  it("does not take parts on trust", async () => {
    const [settled] = listings;
    if (settled === undefined) throw new Error("no listing");
    const { proven: isProven, sentence } = await verify(settled, { rpc: RPC, fetch: proven.rpc });
    expect([isProven, sentence]).toEqual([
      false,
      expect.stringContaining("repaidAmount: the events that it is the sum of"),
    ]);
  });

  it("rethrows what fetching a part throws, and gives no verdict", async () => {
    const [settled] = listings;
    if (settled === undefined) throw new Error("no listing");
    const busy = new Error("Proofs ask the chain too often at the moment.");
    for (const proofOf of [
      () => Promise.reject(busy),
      () => {
        throw busy;
      },
    ]) {
      await expect(verify(settled, { rpc: RPC, fetch: proven.rpc, proofOf })).rejects.toBe(busy);
    }
  });

  it("compares with the contract if `complete` is set", async () => {
    const [settled] = listings;
    if (settled === undefined) throw new Error("no listing");
    const { totals } = settled;
    const figures = [
      totals.raisedAmount,
      totals.refundedAmount,
      totals.reserveBalance,
      totals.outstandingPrincipal,
      totals.claimedAmount,
    ];
    const calls: unknown[] = [];
    const nodeWith = (answers: readonly string[]) => async (request: Request) => {
      const { method, params } = (await request.clone().json()) as { method: string; params: unknown[] };
      if (method !== "eth_call") return proven.rpc(request);
      calls.push(params);
      const result = `0x${BigInt(answers[(calls.length - 1) % answers.length] ?? 0)
        .toString(16)
        .padStart(64, "0")}`;
      return Response.json({ result });
    };
    const options = { rpc: RPC, proofOf: proven.eventProof, complete: true };
    const right = figures.map(({ value }) => value);
    expect((await verify(settled, { ...options, fetch: nodeWith(right) })).sentence).toContain(
      "the contract itself says the same",
    );
    expect(calls).toHaveLength(5);
    expect(calls[0]).toEqual([
      {
        to: settled.escrowAddress,
        data: `${toFunctionSelector("raisedAmount(uint256)")}${"1".padStart(64, "0")}`,
      },
      `0x${BigInt(settled.asOf.blockNumber).toString(16)}`,
    ]);
    calls.length = 0;
    const wrong = await verify(settled, { ...options, fetch: nodeWith(["1", ...right.slice(1)]) });
    expect(wrong.sentence).toContain("raisedAmount of the contract: the contract says 1, and the proof 140");
  });

  it("believes the contract on this listing alone if `complete` is set", async () => {
    const fetch = async (request: Request) => {
      const { method, params } = (await request.clone().json()) as {
        method: string;
        params: [{ data: string }];
      };
      if (method !== "eth_call") return proven.rpc(request);
      return Response.json({ result: numberToHex(/01$/.test(params[0].data) ? 140n : 0n, { size: 32 }) });
    };
    const silent = async (signature: string, argument: string) => {
      const [settled] = structuredClone(listings) as [ListingProof];
      for (const [name, total] of Object.entries(settled.totals)) {
        const data = `${toFunctionSelector(signature)}${argument}`;
        Object.assign(total, { value: "0", source: null, field: null, proof: null, sumOf: [] });
        total.view = name === "repaidAmount" ? null : { signature, data, decimals: 18 };
      }
      return verify(settled, { rpc: RPC, fetch, complete: true });
    };
    const other = "999".padStart(64, "0");
    const { proven: isProven, sentence } = await silent("raised(uint256)", other);
    expect([isProven, sentence]).toEqual([
      false,
      expect.stringContaining("the call of raised(uint256) is of another listing"),
    ]);
    expect((await silent("raised(uint256)", "1".padStart(64, "0"))).sentence).toContain("says 140");
    const byText = await silent("raised(bytes32)", other);
    const call = `raised(bytes32) with 0x${other}`;
    expect(byText.sentence).toContain(`of committed by ${call}, `);
    expect(byText.notProven.join()).toContain(`That ${call}, `);
    expect((await silent("raised()", "")).sentence).toContain("of committed by raised(), ");
    expect((await silent("raised()", "\u001b[2J")).sentence).toContain("the call is not one of raised()");
  });

  it("refuses a source that is of another listing, or of a later block", async () => {
    const [one, other] = listings;
    if (one === undefined || other === undefined) throw new Error("no listing");
    const swapped = { ...one, totals: { ...one.totals, raisedAmount: other.totals.raisedAmount } };
    expect((await check(swapped)).sentence).toContain("is of another listing");
    const asOf = { blockNumber: events[0]?.block.number ?? "", hash: events[0]?.block.hash ?? "" };
    expect((await check({ ...one, asOf })).sentence).toContain("is later than the figures");
  });

  it("refuses a figure that leaves out an event, or counts one twice", async () => {
    const [settled] = listings;
    if (settled === undefined) throw new Error("no listing");
    const { repaidAmount } = settled.totals;
    const sumOf = repaidAmount.sumOf ?? [];
    for (const parts of [sumOf.slice(1), [...sumOf, ...sumOf.slice(0, 1)]]) {
      const value = `${parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)}`;
      const verdict = await check({
        ...settled,
        totals: { ...settled.totals, repaidAmount: { ...repaidAmount, sumOf: parts } },
      });
      expect(verdict.proven).toBe(false);
      const doubled = { ...repaidAmount, value, sumOf: [...sumOf, ...sumOf.slice(0, 1)] };
      expect((await check({ ...settled, totals: { ...settled.totals, repaidAmount: doubled } })).proven).toBe(
        false,
      );
    }
  });
});

it.each([
  ["https://raises.example/listings/lst_1", "https://raises.example/v1", "/listings/{id}/proof", "lst_1"],
  ["https://raises.example/listings/lst_1.md", "https://raises.example/v1", "/listings/{id}/proof", "lst_1"],
  [
    "https://raises.example/md/listings/RB00001",
    "https://raises.example/v1",
    "/listings/{id}/proof",
    "RB00001",
  ],
  [
    "http://127.0.0.1:42069/v1/listings/lst_1/events",
    "http://127.0.0.1:42069/v1",
    "/listings/{id}/proof",
    "lst_1",
  ],
  [
    "https://raises.example/book/v1/events/120-3/proof",
    "https://raises.example/book/v1",
    "/events/{event}/proof",
    "120-3",
  ],
  ["https://raises.example/v1/events/120-3", "https://raises.example/v1", "/events/{event}/proof", "120-3"],
])("finds the proof of %s", (url, baseUrl, path, id) => {
  expect(proofAddressOf(url)).toEqual({ baseUrl, path, id });
});

it.each([
  "https://raises.example/",
  "https://raises.example/originators/org_1",
  "https://raises.example/v1/listings",
  "https://raises.example/listings/%E0%A4",
])("finds none of %s", (url) => expect(proofAddressOf(url)).toBeNull());
