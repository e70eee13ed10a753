import { numberToHex, toFunctionSelector } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { mutants } from "../test/harness/mutants.ts";
import { createProvenApp } from "../test/harness/proven-app.ts";
import { judgeEvent, judgeTotals } from "../test/model/proof.ts";
import { type EventProof, type ListingProof, proofAddressOf, verify } from "./verify.ts";

const RPC = "https://node.example/key";
const MUTANTS_OF_EVENTS = 9_000;
const MUTANTS_OF_TOTALS = 1_000;

let proven: Awaited<ReturnType<typeof createProvenApp>>;
let events: EventProof[];
let listings: ListingProof[];
beforeAll(async () => {
  proven = await createProvenApp();
  events = await Promise.all(proven.events.map(proven.eventProof));
  listings = await Promise.all(["lst_1", "lst_2"].map(proven.listingProof));
});

/** The verdict on a forged proof; null where it names an event that the service does not have. */
const judge = (forged: ListingProof) => check(forged).catch(() => null);
const check = (proof: EventProof | ListingProof, more: { complete?: boolean } = {}) =>
  verify(proof, { rpc: RPC, fetch: proven.rpc, proofOf: proven.eventProof, ...more });

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

  it("throws what the question for a part throws, and says nothing of the proof", async () => {
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

describe("verify whatever a service says", () => {
  it.each<[string, (proof: ListingProof) => unknown]>([
    ["nothing", () => null],
    ["nothing but totals", () => ({ totals: {} })],
    ["no totals", (proof) => ({ ...proof, totals: null })],
    ["a block that is no number", (proof) => ({ ...proof, asOf: { ...proof.asOf, blockNumber: "x" } })],
    ["no event", () => ({ block: {} })],
  ])("refuses %s in the verdict", async (_, change) => {
    const [settled] = listings as [ListingProof];
    const verdict = await check(change(settled) as ListingProof, { complete: true });
    expect([verdict.proven, verdict.checks.at(-1)?.holds]).toEqual([false, false]);
  });

  it("has no character in its verdict that a terminal acts on", async () => {
    const painted = "\u001b[2J\u001b[HProven\u009b8m\u202e\u2028\n";
    const [proof] = structuredClone(events) as [EventProof];
    proof.event.publicId = painted;
    const verdicts = [await check(proof)];
    proof.event.kind = painted as typeof proof.event.kind;
    verdicts.push(await check(proof));
    expect(verdicts.map(({ proven: isProven }) => isProven)).toEqual([true, false]);
    expect(verdicts.map(({ notProven: [first] }) => first)[0]).toContain(
      "That [2J[HProven8m is that listing",
    );
    expect(verdicts[1]?.sentence).toContain("the event says [2J[HProven8m");
    const texts = verdicts.flatMap(({ sentence, notProven, checks }) => [
      ...[sentence, ...notProven],
      ...checks.map(({ detail }) => detail),
    ]);
    expect(texts.join("")).not.toMatch(/[\p{C}\p{Zl}]/u);
  });
});

/** What verify and the model say of the settled listing with these totals. */
async function judgedBy(
  proofOf: (name: string) => Promise<EventProof>,
  totals: Partial<ListingProof["totals"]>,
): Promise<[string, string]> {
  const [settled] = structuredClone(listings) as [ListingProof];
  const forged = { ...settled, totals: { ...settled.totals, ...totals } };
  const model = judgeTotals(forged, proven.chain.hashOf, proofOf).then(
    () => "accepted",
    ({ message }) => message,
  );
  return [(await verify(forged, { rpc: RPC, fetch: proven.rpc, proofOf })).sentence, await model];
}

const nameOf = ({ event }: EventProof) => `${event.blockNumber}-${event.logIndex}`;

describe("a total of the settled listing", () => {
  type Total = ListingProof["totals"]["repaidAmount"];
  const proofOf = (kind: string, place = 0) => {
    const ofListing = events.filter(({ event }) => event.publicId === "lst_1" && event.kind === kind);
    return structuredClone(ofListing[place]) as EventProof;
  };
  const plus = (proof: EventProof, field: string, amount: string, sign: "+" | "-" = "+") => ({
    ...{ source: nameOf(proof), field, sign, amount },
  });
  const totalOf = (value: string, carrier: [EventProof, field: string] | null, sumOf: Total["sumOf"]) => {
    const [proof, field] = carrier ?? [null, null];
    const source = proof === null ? null : nameOf(proof);
    return { value, source, field, proof, sumOf, unexplained: null, view: null };
  };
  /** A repayment whose principal is read from another argument than in the contracts' interface. */
  const asPrincipal = (proof: EventProof): EventProof => {
    const fields = { payer: ["payer"], principal: ["outstandingPrincipal"] };
    const event = { ...proof.event, principal: "100", interest: null, outstandingPrincipal: null };
    const mapping = { onchainId: "onchainId", decimals: 18, fields };
    return { ...proof, event: event as unknown as EventProof["event"], mapping };
  };

  it.each<[string, () => [Partial<ListingProof["totals"]>, EventProof?], string, string]>([
    [
      "a field that is not its running figure",
      () => [{ outstandingPrincipal: totalOf("90", [proofOf("repaid", 1), "principal"], []) }],
      "Repaid does not carry the total in principal",
      "the carrier of outstandingPrincipal is outstandingPrincipal, and not principal",
    ],
    [
      "a part whose event has the running figure",
      () => {
        const sumOf = [plus(proofOf("repaid"), "principal", "40", "-")];
        return [{ outstandingPrincipal: totalOf("100", [proofOf("drawn_down"), "amount"], sumOf) }];
      },
      "Repaid carries the total itself",
      "principal of Repaid is no part of outstandingPrincipal",
    ],
    [
      "a second event of the log that has the running figure",
      () => {
        const [subscribed, second] = [proofOf("subscribed", 1), proofOf("subscribed", 1)];
        Reflect.set(second.event, "part", 1);
        const part = { ...plus(second, "amount", "60"), source: `${nameOf(second)}.1` };
        return [{ raisedAmount: totalOf("220", [subscribed, "totalRaised"], [part]) }, second];
      },
      "has no log of its own",
      "the event is ",
    ],
    [
      "an argument that the interface has as another field",
      () => {
        const repaid = asPrincipal(proofOf("repaid"));
        return [{ repaidAmount: totalOf("100", null, [plus(repaid, "principal", "100")]) }, repaid];
      },
      "the contracts' interface has another argument of Repaid as principal",
      "the presence of a mapping is false, and not true",
    ],
  ])("is not proven by %s", async (_, lie, why, inModel) => {
    const [totals, given] = lie();
    const [sentence, model] = await judgedBy(async (name) => given ?? proven.eventProof(name), totals);
    expect(sentence).toContain(why);
    expect(model).toContain(inModel);
  });
});

describe("a log under a name that the service has invented", () => {
  const INVENTED = 1_000;
  const invent = (source: string) => source.replace(/\d+$/, (index) => `${Number(index) + INVENTED}`);
  /** Proves an invented name by the log that has the real one. */
  const proofOf = async (name: string): Promise<EventProof> => {
    const index = Number(name.split("-")[1]);
    if (index < INVENTED) return proven.eventProof(name);
    const proof = await proven.eventProof(name.replace(/\d+$/, `${index - INVENTED}`));
    Reflect.set(proof.event, "logIndex", index);
    return proof;
  };
  const judged = (totals: Partial<ListingProof["totals"]>) => judgedBy(proofOf, totals);

  it("does not count twice", async () => {
    const { repaidAmount } = listings[0]?.totals ?? {};
    if (repaidAmount === undefined) throw new Error("no listing");
    const sumOf = repaidAmount.sumOf ?? [];
    const doubled = {
      ...repaidAmount,
      value: `${2n * BigInt(repaidAmount.value)}`,
      sumOf: [...sumOf, ...sumOf.map((part) => ({ ...part, source: invent(part.source) }))],
    };
    const [sentence, model] = await judged({ repaidAmount: doubled });
    expect(sentence).toContain("repaidAmount: an event counts twice");
    expect(model).toContain("counts twice");
  });

  it("does not count again by another reading of it", async () => {
    const { repaidAmount } = listings[0]?.totals ?? {};
    if (repaidAmount === undefined) throw new Error("no listing");
    const sumOf = repaidAmount.sumOf ?? [];
    const value = `${2n * BigInt(repaidAmount.value)}`;
    const again = sumOf.map((part) => ({ ...part, source: invent(part.source) }));
    const [settled] = structuredClone(listings) as [ListingProof];
    settled.totals.repaidAmount = { ...repaidAmount, value, sumOf: [...sumOf, ...again] };
    const names = ["payer", "principal", "interest", "outstandingPrincipal"];
    const fields = Object.fromEntries(names.map((name) => [name, [name]]));
    const otherwise = async (name: string) => {
      const proof = await proofOf(name);
      const isInvented = again.some(({ source }) => source === name);
      return isInvented ? { ...proof, mapping: { onchainId: "onchainId", decimals: 18, fields } } : proof;
    };
    expect((await verify(settled, { rpc: RPC, fetch: proven.rpc, proofOf: otherwise })).sentence).toContain(
      "is decoded differently from other events with the same signature",
    );
  });

  it("is not later than the source that it comes before in its block", async () => {
    const ofListing = events.filter(({ event }) => event.publicId === "lst_1");
    const [closed, subscribed] = ["listing_closed", "subscribed"].map((kind) =>
      ofListing.findLast(({ event }) => event.kind === kind),
    );
    if (closed === undefined || subscribed === undefined) throw new Error("too few events");
    expect(subscribed.block).toEqual(closed.block);
    const raisedAmount: ListingProof["totals"]["raisedAmount"] = {
      ...{ value: "200", source: nameOf(closed), field: "raisedAmount", proof: closed },
      ...{ unexplained: null, view: null },
      sumOf: [{ source: invent(nameOf(subscribed)), field: "amount", sign: "+", amount: "60" }],
    };
    const [sentence, model] = await judged({ raisedAmount });
    expect(sentence).toContain(`is not later than ${raisedAmount.source}`);
    expect(model).toContain("is not later");
  });

  it.each(["transactionIndex", "logInReceipt"] as const)("has a number as its %s", async (name) => {
    const proof = events.find((one) => one[name] > 0 && one[name] < 10) as EventProof;
    for (const index of [`${proof[name]}`, `0${proof[name]}`, -1, 0.5]) {
      const alias = { ...proof, [name]: index };
      expect((await check(alias)).sentence).toContain(`the ${name} is no index`);
      expect(() => judgeEvent(alias as EventProof, proven.chain.hashOf(proof.block.number))).toThrow(
        "no index",
      );
    }
  });
});

describe("a proof in which one bit is another", () => {
  it(`is refused by verify and by the model: ${MUTANTS_OF_EVENTS} of events`, async () => {
    const accepted: string[] = [];
    for (const [mutant, what] of mutants(events, MUTANTS_OF_EVENTS, [
      "event",
      "block",
      "header",
      "path",
      "receipt",
      "log",
      "transactionIndex",
      "logInReceipt",
      "abi",
    ])) {
      if ((await check(mutant)).proven) accepted.push(`verify: ${what}`);
      try {
        judgeEvent(mutant, proven.chain.hashOf(mutant.block.number));
        accepted.push(`model: ${what}`);
      } catch {}
    }
    expect(accepted).toEqual([]);
  });

  it(`is refused by verify and by the model: ${MUTANTS_OF_TOTALS} of totals`, async () => {
    const accepted: string[] = [];
    for (const [mutant, what] of mutants(listings, MUTANTS_OF_TOTALS, [
      "totals",
      "onchainId",
      "escrowAddress",
    ])) {
      if ((await judge(mutant))?.proven) accepted.push(`verify: ${what}`);
      try {
        await judgeTotals(mutant, proven.chain.hashOf, proven.eventProof);
        accepted.push(`model: ${what}`);
      } catch {}
    }
    expect(accepted).toEqual([]);
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
