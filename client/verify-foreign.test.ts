import { keccak256, stringToHex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { compileModule } from "../src/contracts/compile.ts";
import foreign from "../test/harness/foreign/module.ts";
import { FOREIGN, FOREIGN_STORY, FOREIGN_TOTALS } from "../test/harness/foreign/proven.ts";
import { mutants } from "../test/harness/mutants.ts";
import { createProvenApp } from "../test/harness/proven-app.ts";
import { judgeEvent } from "../test/model/proof.ts";
import { type EventProof, type ListingProof, type VerifyOptions, verify } from "./verify.ts";

const MUTANTS = 600;
const EVENTS = FOREIGN_STORY.flat(2).length;

let proven: Awaited<ReturnType<typeof createProvenApp>>;
let events: EventProof[];
let listing: ListingProof;
/** What the contract's views answer, by the data of the call. */
const answers = new Map<string, string>();
beforeAll(async () => {
  const problems: string[] = [];
  const contracts = compileModule(foreign, problems);
  expect(problems).toEqual([]);
  proven = await createProvenApp({
    ...{ story: FOREIGN_STORY, contracts },
    views: (data) => answers.get(data) ?? null,
  });
  events = await Promise.all(proven.events.map(proven.eventProof));
  listing = await proven.listingProof("lst_1");
});

const check = (proof: EventProof | ListingProof, more: Partial<VerifyOptions> = {}) =>
  verify(proof, { rpc: "https://node.example", fetch: proven.rpc, proofOf: proven.eventProof, ...more });

/** The proof of the market's first event with this name and place among those. */
function proofOf(name: string, place = 0): EventProof {
  const proof = events.filter(({ abi }) => abi.name === name)[place];
  if (proof === undefined) throw new Error(`no ${name}`);
  return structuredClone(proof);
}

describe("the proof of another contract's event", () => {
  it("holds by its own ABI, for verify and for a model that shares nothing with it", async () => {
    expect(events).toHaveLength(EVENTS);
    for (const proof of events) {
      judgeEvent(proof, proven.chain.hashOf(proof.block.number), FOREIGN);
      expect((await check(proof)).checks, proof.abi.name).toEqual([
        { about: "the event", holds: true, detail: "it holds" },
      ]);
    }
  });

  it("says what the log says, and on whose word its meaning is", async () => {
    const proof = proofOf("Deposited", 1);
    const { address } = proof.log;
    const [raiseId, investor, by] = ["raiseId 1", /investor 0x\w{40}/.source, /by 0x\w{40}/.source];
    const { proven: isProven, sentence, notProven } = await check(proof);
    expect([isProven, sentence]).toEqual([
      true,
      expect.stringMatching(
        `^Proven: the contract ${address} emitted Deposited\\(${raiseId}, ${investor}, ${by}, amount 60\\) in block ${proof.block.number}, whose`,
      ),
    ]);
    expect(notProven.slice(0, 2)).toEqual([
      "That Deposited is subscribed, backer is investor, payer is by, amount is amount, bidRateBps 0, in 6 decimals: the service's contracts module says so.",
      "That the contract names the arguments of Deposited so, in this order: the service says it. Compare its source, or give its ABI.",
    ]);
  });

  it("is compared with an ABI that the reader has", async () => {
    const { abi, ...proof } = proofOf("PaymentMade");
    const { notProven } = await check({ ...proof, abi }, { abi: [{ type: "function" }, abi] });
    expect(notProven.join()).not.toContain("names the arguments");
    const [id, principal, interest] = abi.inputs;
    const swapped = { ...abi, inputs: [id, interest, principal] as typeof abi.inputs };
    expect((await check({ ...proof, abi }, { abi: [swapped] })).sentence).toContain(
      "the ABI that you gave names the arguments of PaymentMade otherwise",
    );
    expect((await check({ ...proof, abi }, { abi: [] })).sentence).toContain(
      "the ABI that you gave has no event PaymentMade",
    );
  });

  it.each<[string, string, (proof: EventProof) => void, string]>([
    ["another amount", "Deposited", ({ event }) => set(event, "amount", "1"), "the event's amount is 1, and"],
    [
      "another backer",
      "Deposited",
      ({ event }) => set(event, "backer", `0x${"99".repeat(20)}`),
      "the event's backer is",
    ],
    [
      "an amount that no argument is",
      "Deposited",
      (proof) => set(proof.mapping?.fields, "amount", []),
      "no argument of Deposited is the event's amount",
    ],
    [
      "other decimals",
      "Deposited",
      ({ mapping }) => set(mapping, "decimals", 18),
      "the event's amount is 400000000000000, and",
    ],
    [
      "decimals that nothing has",
      "Deposited",
      ({ mapping }) => set(mapping, "decimals", -1),
      "no such decimals",
    ],
    [
      "an argument that is not there",
      "Deposited",
      (proof) => set(proof.mapping?.fields, "amount", ["sum"]),
      "the log has no argument sum",
    ],
    [
      "the other argument",
      "PaymentMade",
      (proof) => set(proof.mapping?.fields, "principal", ["interest"]),
      "the event's principal is",
    ],
    [
      "the other sign",
      "PaymentMade",
      (proof) => set(proof.mapping?.fields, "principal", ["-principal"]),
      "the event's principal is",
    ],
    [
      "no reading",
      "Deposited",
      (proof) => set(proof, "mapping", null),
      "Deposited is no event of the project's contracts",
    ],
    [
      "another event's ABI",
      "Deposited",
      (proof) => set(proof, "abi", proofOf("PaidOut").abi),
      "the log is no PaidOut as the proof has it: its signature is another",
    ],
    [
      "another type",
      "Deposited",
      ({ abi }) => set(abi.inputs[2], "type", "uint128"),
      "its signature is another",
    ],
    [
      "a topic less",
      "Deposited",
      ({ abi }) => set(abi.inputs[1], "indexed", false),
      "Deposited has other topics than the log",
    ],
    [
      "a name that is none",
      "Deposited",
      ({ abi }) => set(abi.inputs[2], "name", "amount\u001b[2J"),
      "the proof carries no event of an ABI",
    ],
    [
      "a kind that there is not",
      "Deposited",
      ({ event }) => set(event, "kind", "paid\u001b[2J"),
      "the event is of no kind that there is",
    ],
    [
      "another name of an event that is not mapped",
      "Done",
      ({ event }) => set(event, "logName", "Deposited"),
      "the event is of no kind that there is",
    ],
    ["no ABI", "Deposited", (proof) => set(proof, "abi", null), "the proof carries no event of an ABI"],
  ])("is refused with %s", async (_, name, change, why) => {
    const proof = proofOf(name);
    change(proof);
    const verdict = await check(proof);
    expect([verdict.proven, verdict.sentence]).toEqual([false, expect.stringContaining(why)]);
  });

  it("names the arguments as the service maps them, and says that the mapping is the service's", async () => {
    const proof = proofOf("PaymentMade");
    const [id, principal, interest] = proof.abi.inputs;
    const swapped = structuredClone(proof);
    set(swapped.abi, "inputs", [id, { ...principal, name: "interest" }, { ...interest, name: "principal" }]);
    expect((await check(swapped)).proven).toBe(false);
    set(swapped.event, "principal", Reflect.get(proof.event, "interest"));
    set(swapped.event, "interest", Reflect.get(proof.event, "principal"));
    const verdict = await check(swapped);
    expect(verdict.sentence).toContain("PaymentMade(raiseId 1, interest 100, principal 7)");
    expect(verdict.notProven.join()).toContain("names the arguments of PaymentMade so");
    expect((await check(swapped, { abi: [proof.abi] })).proven).toBe(false);
  });

  it(`in which one bit is another is refused: ${MUTANTS} of them`, async () => {
    const parts = ["block", "header", "path", "receipt", "log", "transactionIndex", "logInReceipt"] as const;
    const accepted: string[] = [];
    for (const [mutant, what] of mutants(events, MUTANTS, [...parts]))
      if ((await check(mutant)).proven) accepted.push(what);
    expect(accepted).toEqual([]);
  });
});

describe("totals without running totals", () => {
  it("are sums of proven events", async () => {
    const values = Object.entries(listing.totals).map(([name, { value }]) => [name, value]);
    expect(Object.fromEntries(values)).toEqual(FOREIGN_TOTALS);
    for (const { sumOf } of Object.values(listing.totals)) {
      for (const { source } of sumOf ?? []) {
        const proof = await proven.eventProof(source);
        judgeEvent(proof, proven.chain.hashOf(proof.block.number), FOREIGN);
      }
    }
    const { checks, sentence, notProven } = await check(listing);
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
    expect(sentence).toMatch(
      /^Proven up to block [\d,]+: committed \S+, refunded \S+, reserve \S+, principal owed \S+, claimed by holders \S+ and repaid \S+, of listing 1 /,
    );
    expect(notProven).toEqual(
      expect.arrayContaining([
        "That no further event counts for committed, refunded, reserve, claimed by holders and repaid: a sum proves only what its own events come to.",
        expect.stringMatching(
          /^That Deposited is subscribed, .*; Returned is refunded, .*, in 6 decimals: the service's/,
        ),
        expect.stringMatching(/^That the contract names the arguments of Deposited, Returned, .* so/),
      ]),
    );
  });

  it("name each event with its amount, and what carries the total where something does", () => {
    const { reserveBalance, outstandingPrincipal } = listing.totals;
    const amounts = ({ sumOf }: typeof reserveBalance) =>
      sumOf?.map(({ sign, field, amount }) => `${sign}${field} ${amount}`);
    expect(amounts(reserveBalance)).toEqual(["+amount 50000000000000", "-amount 20000000000000"]);
    expect(outstandingPrincipal).toMatchObject({ field: "amount", proof: { abi: { name: "Lent" } } });
    expect(amounts(outstandingPrincipal)).toEqual([
      ...["-principal 100000000000000", "-paidAmount 50000000000000", "-paidAmount 310000000000000"],
    ]);
  });

  it.each<[string, (totals: ListingProof["totals"]) => void, string]>([
    [
      "an event is left out",
      ({ claimedAmount }) => claimedAmount.sumOf?.pop(),
      "claimedAmount: the events come to",
    ],
    [
      "an event counts twice",
      ({ refundedAmount }) => {
        refundedAmount.sumOf?.push(...refundedAmount.sumOf);
        set(refundedAmount, "value", "20000000000000");
      },
      "refundedAmount: an event counts twice",
    ],
    [
      "an amount has the other sign",
      ({ reserveBalance }) => {
        set(reserveBalance.sumOf?.[1], "sign", "+");
        set(reserveBalance, "value", "70000000000000");
      },
      "reserveBalance: amount of Cushion is no + of the total",
    ],
    [
      "an amount is another",
      ({ claimedAmount }) => {
        set(claimedAmount.sumOf?.[0], "amount", "91000000000000");
        set(claimedAmount, "value", "108000000000000");
      },
      "claimedAmount: amount of PaidOut is 90000000000000, and not 91000000000000",
    ],
    [
      "a part is of another total",
      ({ claimedAmount, refundedAmount }) => {
        set(claimedAmount, "sumOf", refundedAmount.sumOf);
        set(claimedAmount, "value", refundedAmount.value);
      },
      "claimedAmount: amount of Returned is no + of the total",
    ],
    [
      "there are too many events",
      ({ claimedAmount }) => {
        set(claimedAmount, "sumOf", null);
        set(claimedAmount, "unexplained", "too_many_events");
      },
      "claimedAmount: more events would have to be summed than a proof names",
    ],
  ])("are refused where %s", async (_, change, why) => {
    const forged = structuredClone(listing);
    change(forged.totals);
    const verdict = await check(forged);
    expect([verdict.proven, verdict.sentence]).toEqual([false, expect.stringContaining(why)]);
  });

  it.each<[string, readonly string[]]>([
    ["by the same argument", ["amount"]],
    ["by more arguments", ["amount", "why"]],
  ])("are refused where a log counts again for a second event of it, %s", async (_, names) => {
    const forged = structuredClone(listing);
    const { refundedAmount } = forged.totals;
    const [part] = refundedAmount.sumOf ?? [];
    if (part === undefined) throw new Error("there is a refund");
    refundedAmount.sumOf?.push({ ...part, source: `${part.source}.1` });
    set(refundedAmount, "value", "20000000000000");
    const second = async (event: string) => {
      if (!event.endsWith(".1")) return proven.eventProof(event);
      const proof = await proven.eventProof(part.source);
      set(proof.event, "part", 1);
      set(proof.mapping?.fields, "amount", names);
      return proof;
    };
    expect((await check(forged, { proofOf: second })).sentence).toContain(
      "refundedAmount: an event counts twice",
    );
  });

  it("are refused with an event of another listing, even if it is said to be of this one", async () => {
    const other = (await proven.listingProof("lst_2")).totals.raisedAmount;
    const forged = { ...listing, totals: { ...listing.totals, raisedAmount: other } };
    expect((await check(forged)).sentence).toContain("is of another listing");
    const saying = (onchainId: string | null) => async (event: string) => {
      const proof = await proven.eventProof(event);
      if (event === other.sumOf?.[0]?.source) set(proof.mapping, "onchainId", onchainId);
      return proof;
    };
    expect((await check(forged, { proofOf: saying(null) })).sentence).toMatch(
      /some events say which listing they are of, and others, such as [\d-]+, do not/,
    );
    const mixed = structuredClone(listing);
    mixed.totals.raisedAmount.sumOf?.push(...(other.sumOf ?? []));
    set(mixed.totals.raisedAmount, "value", "850000000000000");
    for (const name of [null, "amount"])
      expect((await check(mixed, { proofOf: saying(name) })).proven).toBe(false);
  });

  it("say so if the contract's events name no listing", async () => {
    const nameless = structuredClone(listing);
    set(nameless.totals.outstandingPrincipal.proof?.mapping, "onchainId", null);
    const proofOf = async (event: string) => {
      const proof = await proven.eventProof(event);
      set(proof.mapping, "onchainId", null);
      return proof;
    };
    const { sentence, notProven } = await check(nameless, { proofOf });
    expect(sentence).toContain(`, of the contract ${listing.escrowAddress}. Your node confirmed`);
    expect(notProven).toContain("That the contract has no listing but 1: its events name none.");
  });

  it("say nothing of a figure that the service derives from more than events", async () => {
    const derived = structuredClone(listing);
    const total = { value: "5", source: null, field: null, proof: null, sumOf: null, unexplained: "derived" };
    set(derived.totals, "outstandingPrincipal", { ...derived.totals.outstandingPrincipal, ...total });
    const { proven: isProven, sentence, notProven } = await check(derived);
    expect([isProven, sentence]).toEqual([
      true,
      expect.stringMatching(
        /^Proven up to block [\d,]+: committed \S+, refunded \S+, reserve \S+, claimed by holders \S+ and repaid \S+, of/,
      ),
    ]);
    expect(notProven[0]).toBe(
      "That principal owed is as shown: the service derives it from more than events.",
    );
    const nothing = structuredClone(derived);
    for (const name of Object.keys(nothing.totals))
      set(nothing.totals, name, { ...derived.totals.outstandingPrincipal, ...total });
    expect((await check(nothing)).proven).toBe(false);
  });

  it("are compared with the module's views with `complete`, as far as there are views", async () => {
    const { raisedAmount, repaidAmount } = listing.totals;
    expect(raisedAmount.view).toEqual({
      signature: "raised(uint256)",
      data: `${keccak256(stringToHex("raised(uint256)")).slice(0, 10)}${"1".padStart(64, "0")}`,
      decimals: 6,
    });
    expect(repaidAmount.view).toBeNull();
    const told = {
      raisedAmount: 450n,
      refundedAmount: 10n,
      reserveBalance: 30n,
      outstandingPrincipal: 0n,
      claimedAmount: 107n,
    };
    for (const [name, value] of Object.entries(told)) {
      const { data = "" } = listing.totals[name as keyof typeof told].view ?? {};
      answers.set(data, `0x${value.toString(16).padStart(64, "0")}`);
    }
    const { proven: isProven, sentence, notProven } = await check(listing, { complete: true });
    expect([isProven, sentence]).toEqual([
      true,
      expect.stringContaining("add up from, and of committed by raised(uint256), "),
    ]);
    expect(notProven[0]).toContain("That no repayment is missing");
    answers.set(raisedAmount.view?.data ?? "", `0x${"451".padStart(64, "0")}`);
    expect((await check(listing, { complete: true })).proven).toBe(false);
    const forged = structuredClone(listing);
    answers.set(raisedAmount.view?.data ?? "", `0x${4_500n.toString(16).padStart(64, "0")}`);
    set(forged.totals.raisedAmount.view, "decimals", 7);
    expect((await check(forged, { complete: true })).sentence).toContain("other decimals than the events");
    set(forged.totals.raisedAmount.view, "signature", "raisedAmount(uint256)");
    set(forged.totals.claimedAmount.view, "signature", "paid\u001b[2J(uint256)");
    expect((await check(forged, { complete: true })).sentence).toMatch(
      /claimedAmount of the contract: the service names no function/,
    );
    expect((await check(forged, { complete: true })).sentence).toContain(
      "the call is not one of raisedAmount(uint256)",
    );
  });

  it("name the argument of a view with `complete` if no event names a listing, and else are this listing's", async () => {
    const forged = structuredClone(listing);
    for (const { value, view } of Object.values(forged.totals)) {
      if (view === null) continue;
      view.data = view.data.replace(/1$/, "9");
      answers.set(view.data, `0x${(BigInt(value) / 10n ** 12n).toString(16).padStart(64, "0")}`);
    }
    expect((await check(forged, { complete: true })).sentence).toContain(
      "raisedAmount of the contract: the call of raised(uint256) is of another listing",
    );
    set(forged.totals.outstandingPrincipal.proof?.mapping, "onchainId", null);
    const nameless = async (event: string) => {
      const proof = await proven.eventProof(event);
      set(proof.mapping, "onchainId", null);
      return proof;
    };
    const { sentence, notProven } = await check(forged, { complete: true, proofOf: nameless });
    const call = `raised(uint256) with 0x${"9".padStart(64, "0")}`;
    expect(sentence).toContain(`of committed by ${call}, `);
    expect(notProven.join()).toContain(`That ${call}, `);
  });

  it("say each meaning that an event is said to have", async () => {
    const [first] = listing.totals.claimedAmount.sumOf ?? [];
    const proofOf = async (event: string) => {
      const proof = await proven.eventProof(event);
      if (event === first?.source) set(proof.event, "holder", null);
      return proof;
    };
    expect((await check(listing, { proofOf })).notProven.join()).toMatch(
      /; PaidOut is payout_claimed, amount is amount; PaidOut is payout_claimed, holder is \w+, amount is amount/,
    );
  });

  it("are refused where two events are said to have different decimals", async () => {
    const forged = structuredClone(listing);
    const { claimedAmount } = forged.totals;
    set(claimedAmount, "value", `${BigInt(claimedAmount.value) / 10n}`);
    for (const part of claimedAmount.sumOf ?? []) part.amount = `${BigInt(part.amount) / 10n}`;
    const tenth = async (event: string) => {
      const proof = await proven.eventProof(event);
      if (proof.abi.name !== "PaidOut") return proof;
      set(proof.mapping, "decimals", 7);
      set(proof.event, "amount", `${BigInt(Reflect.get(proof.event, "amount") as string) / 10n}`);
      return proof;
    };
    expect((await check(forged, { proofOf: tenth })).sentence).toContain("other decimals than others");
  });
});

function set(target: unknown, name: string, value: unknown): void {
  Reflect.set(target as object, name, value);
}
