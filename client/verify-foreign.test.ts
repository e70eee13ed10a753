import { describe, expect, it } from "vitest";
import { foreignProofs, set } from "../test/harness/foreign/proofs.ts";
import { FOREIGN, FOREIGN_STORY } from "../test/harness/foreign/proven.ts";
import { mutants } from "../test/harness/mutants.ts";
import { judgeEvent } from "../test/model/proof.ts";
import type { EventProof } from "./verify.ts";

const MUTANTS = 600;
const EVENTS = FOREIGN_STORY.flat(2).length;

const { proven, events, check } = await foreignProofs();

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
