/** Proofs that a service has forged, against verify and against a model of it. */
import { describe, expect, it } from "vitest";
import { mutants } from "../test/harness/mutants.ts";
import { provenProofs, RPC } from "../test/harness/proven-app.ts";
import { judgeEvent, judgeTotals } from "../test/model/proof.ts";
import { type EventProof, type ListingProof, verify } from "./verify.ts";

const MUTANTS_OF_EVENTS = 9_000;
const MUTANTS_OF_TOTALS = 1_000;

const { proven, events, listings, check } = await provenProofs();

/** The verdict on a forged proof; null where it names an event that the service does not have. */
const judge = (forged: ListingProof) => check(forged).catch(() => null);

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

/** The verdicts of verify and of the model on the settled listing with these totals. */
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
