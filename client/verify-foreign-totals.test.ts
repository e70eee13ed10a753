/** Totals of contracts whose events carry none. */
import { keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { foreignProofs, set } from "../test/harness/foreign/proofs.ts";
import { FOREIGN, FOREIGN_TOTALS } from "../test/harness/foreign/proven.ts";
import { judgeEvent } from "../test/model/proof.ts";
import type { ListingProof } from "./verify.ts";

const { proven, listing, check, answers } = await foreignProofs();

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
