/**
 * A market with three events, an escrow for each raise, and terms in the registry: it is what a model of the rules makes of the
 * events, in bulk and event by event, on both databases, live, by time alone, after a reorg and after changed terms, now and as of a block.
 */
import type { Hex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, ORIGINATOR, OTHER_BACKER } from "../harness/emit.ts";
import { EMITTER, logOfThree, send, THREE_EVENTS_MODULE } from "../harness/foreign/foreign.ts";
import { type Service, startService } from "../harness/service.ts";
import { derivedRaise, type Terms, type Told } from "../model/derived.ts";

const FACTORY: Hex = `0x${"fa".repeat(20)}`;
const SCALE = 10n ** 12n;
const NAMES = ["filled", "missed", "quiet", "open", "timed"] as const;
type Name = (typeof NAMES)[number];
const escrowOf = (name: Name): Hex => `0x${(0xe0 + NAMES.indexOf(name)).toString(16).repeat(20)}`;
const DAY = 86_400n;

let chain: LocalChain;
/** the block of the factory, and its time */
let from = 0n;
let start = 0n;
const told = new Map<Name, (Told & { block: bigint })[]>(NAMES.map((name) => [name, []]));
const terms = new Map<Name, Terms>();

/** An event; its value has six decimals. */
type Call = [name: Name, kind: "PaidIn" | "PaidBack" | "Serviced", value: bigint, who?: Hex];

/** All in one block, `later` seconds after the last. */
async function tell(later: bigint, ...calls: readonly Call[]): Promise<bigint> {
  const { timestamp } = await chain.publicClient.getBlock();
  const at = timestamp + later;
  await chain.testClient.setNextBlockTimestamp({ timestamp: at });
  for (const [name, kind, value, who = BACKER] of calls)
    await send(chain, escrowOf(name), logOfThree(kind, ...(kind === "Serviced" ? [] : [who]), value));
  await chain.testClient.mine({ blocks: 1 });
  const block = await chain.publicClient.getBlockNumber();
  for (const [name, kind, value, backer = BACKER] of calls) {
    const amount = value * SCALE;
    if (kind === "PaidIn") told.get(name)?.push({ kind: "subscribed", at, backer, amount, block });
    if (kind === "PaidBack") told.get(name)?.push({ kind: "refunded", at, backer, amount, block });
    if (kind === "Serviced") told.get(name)?.push({ kind: "repaid", at, amount, block });
  }
  return block;
}

const iso = (seconds: bigint | null) =>
  seconds === null ? null : new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");

function registry() {
  const listings = NAMES.map((name, index) => {
    const { targetAmount, minRaise, tenorDays, goLiveAt, closeAt } = terms.get(name) as Terms;
    return {
      ...{ publicId: `lst_${name}`, originator: "org_one", escrowAddress: escrowOf(name), onchainId: "1" },
      ...{ title: name, description: "", refnum: `QY0000${index}` },
      terms: {
        ...{ targetAmount: `${targetAmount}`, minRaise: `${minRaise}`, tenorDays },
        ...{ couponRateBps: 1200, insuranceBps: 0, pricingMode: "fixed" },
        ...{ goLiveAt: iso(goLiveAt), closeAt: iso(closeAt) },
      },
    };
  });
  const one = { publicId: "org_one", legalName: "One", jurisdiction: "SG", kybStatus: "approved" };
  return { originators: [{ ...one, addresses: [ORIGINATOR] }], listings };
}

/** The model's answers from all events up to a block. */
function modelAt(block: bigint, now: bigint) {
  return NAMES.map((name) => {
    const events = (told.get(name) ?? []).filter((one) => one.block <= block);
    return [name, derivedRaise(events, terms.get(name) as Terms, { now, closesAtTarget: true })] as const;
  });
}

async function expectModel(services: readonly Service[], block: bigint, query = "") {
  const { timestamp } = await chain.publicClient.getBlock({ blockNumber: block });
  const model = modelAt(block, timestamp);
  for (const service of services) {
    const { listings } = await service.json<{ listings: Record<string, unknown>[] }>(`/v1/listings${query}`);
    const shown = new Map(listings.map((listing) => [listing.publicId, listing]));
    expect(shown.size).toBe(NAMES.length);
    for (const [name, raise] of model) {
      expect(shown.get(`lst_${name}`)).toMatchObject({
        ...{ termsFrom: "registry", tokenAddress: null, originatorVerified: false, metadataVerified: false },
        status: raise.status,
        statusSince: iso(raise.statusSince),
        raisedAmount: `${raise.raised}`,
        subscriberCount: raise.subscribers,
        refundedAmount: `${raise.refunded}`,
        refundableAmount: `${raise.refundable}`,
        repaidAmount: `${raise.paidPrincipal + raise.paidInterest}`,
        outstandingPrincipal: `${raise.outstanding}`,
        drawnDownAt: iso(raise.drawnDownAt),
        maturityAt: iso(raise.maturityAt),
        repayment: raise.repayment,
        outcome: raise.outcome,
      });
      expect(await service.json(`/v1/listings/lst_${name}/schedule${query}`)).toMatchObject({
        ...{ estimated: raise.drawn === null, outstandingPrincipal: `${raise.outstanding}` },
        ...{ paidPrincipal: `${raise.paidPrincipal}`, paidInterest: `${raise.paidInterest}` },
      });
    }
    const { outstanding } = await service.json<{ outstanding: string }>(`/v1/stats${query}`);
    expect(outstanding).toBe(`${model.reduce((sum, [, raise]) => sum + raise.outstanding, 0n)}`);
  }
  return Object.fromEntries(model.map(([name, { status, repayment }]) => [name, `${status} ${repayment}`]));
}

describe("a market with three events and terms in the registry", () => {
  let bulk: Service;
  let ordinary: Service;
  const services = () => [bulk, ordinary];
  const same = async (block: bigint) => {
    await Promise.all(services().map((service) => service.indexed(block)));
    return expectModel(services(), block);
  };

  beforeAll(async () => {
    chain = await startChain();
    for (const address of [FACTORY, ...NAMES.map(escrowOf)])
      await chain.testClient.setCode({ address, bytecode: EMITTER });
    await chain.testClient.setAutomine(false);
    const block = await chain.publicClient.getBlock();
    [from, start] = [block.number, block.timestamp];
    const dollars = (amount: bigint) => amount * 10n ** 18n;
    const common = { targetAmount: dollars(1_000n), minRaise: dollars(500n), tenorDays: 30 };
    for (const name of NAMES)
      terms.set(name, {
        ...common,
        goLiveAt: start + 10n,
        closeAt: start + (name === "open" || name === "quiet" ? 90n * DAY : 5_000n),
      });
    for (const name of NAMES) await send(chain, FACTORY, logOfThree("Quarried", escrowOf(name), ORIGINATOR));
    await tell(20n);
    const usd = (amount: bigint) => amount * 1_000_000n;
    await tell(
      10n,
      ["filled", "PaidIn", usd(700n)],
      ["missed", "PaidIn", usd(400n)],
      ["timed", "PaidIn", usd(600n)],
    );
    await tell(10n, ["filled", "PaidBack", usd(100n)], ["timed", "PaidIn", usd(1n), OTHER_BACKER]);
    // The second reaches the target, and what follows in its block comes too late.
    await tell(
      10n,
      ["filled", "PaidIn", usd(400n), OTHER_BACKER],
      ["filled", "PaidIn", usd(50n)],
      ["open", "PaidIn", usd(1n)],
    );
    await tell(10n, ["filled", "Serviced", usd(300n)]);
    await tell(10_000n, ["missed", "PaidBack", usd(150n)], ["filled", "Serviced", usd(100n)]);
    await chain.testClient.mine({ blocks: 60 });
    const options = {
      ...{ rpcUrl: chain.rpcUrl, factory: `${FACTORY}@${from}`, registry: registry() },
      env: { CONTRACTS: THREE_EVENTS_MODULE },
    };
    bulk = await startService(options);
    ordinary = await startService({
      ...options,
      isEmbedded: true,
      env: { ...options.env, FAST_FORWARD: "false" },
    });
  });

  it("is what the rules make of its history, in bulk and event by event", async () => {
    expect(await same(await chain.publicClient.getBlockNumber())).toEqual({
      ...{ filled: "live current", missed: "refunding not_drawn", timed: "live current" },
      ...{ quiet: "listed not_drawn", open: "funding not_drawn" },
    });
    expect(bulk.log.join("\n")).toContain("Wrote the history");
    expect(ordinary.log.join("\n")).not.toContain("Wrote the history");
    for (const service of services()) {
      expect(await service.json("/v1/anomalies")).toMatchObject({ anomalies: [] });
      expect(await service.json("/v1/health")).toMatchObject({ unpublished: 0, unprojectable: 0 });
      const page = await service.get("/md/listings/lst_filled");
      expect([page.status, page.text.match(/undefined|NaN/g)]).toEqual([200, null]);
      expect(page.text).toContain("The operator's registry");
    }
  });

  it("is the same live, and by time alone", async () => {
    const usd = (amount: bigint) => amount * 1_000_000n;
    const block = await tell(
      10n,
      ["filled", "Serviced", usd(700n)],
      ["open", "PaidIn", usd(999n)],
      ["timed", "Serviced", usd(5n)],
    );
    expect(await same(block)).toMatchObject({ filled: "matured repaid", open: "live current" });
    expect(await same(await tell(31n * DAY))).toMatchObject({
      timed: "live grace",
      quiet: "listed not_drawn",
    });
  });

  it("is the same after a reorganisation", async () => {
    const usd = (amount: bigint) => amount * 1_000_000n;
    const before = await chain.publicClient.getBlockNumber();
    await tell(10n, ["open", "Serviced", usd(1_000n)], ["quiet", "PaidIn", usd(3n)]);
    expect(await same(await tell(10n, ["timed", "Serviced", usd(596n)]))).toMatchObject({
      ...{ open: "matured repaid", quiet: "funding not_drawn", timed: "matured repaid" },
    });
    await chain.testClient.request({ method: "anvil_reorg", params: [2, []] } as never);
    for (const name of NAMES)
      told.set(
        name,
        (told.get(name) ?? []).filter(({ block }) => block <= before),
      );
    await tell(10n, ["open", "Serviced", usd(1n)]);
    const after = await tell(10n);
    expect(await same(after)).toMatchObject({
      open: "live grace",
      quiet: "listed not_drawn",
      timed: "live grace",
    });
  });

  it("follows a changed entry, and answers for the past with the terms of that time", async () => {
    const past = await chain.publicClient.getBlockNumber();
    const before = modelAt(past, (await chain.publicClient.getBlock()).timestamp);
    const old = terms.get("timed") as Terms;
    // The terms are those of the block that a service has when it reads them.
    await same(await tell(10n));
    terms.set("timed", { ...old, minRaise: old.targetAmount });
    await Promise.all(services().map((service) => service.publish(registry())));
    for (const service of services())
      await expect.poll(async () => (await service.json("/v1/listings/lst_timed")).status).toBe("refunding");
    const block = await tell(10n, ["timed", "PaidBack", 7_000_000n]);
    expect(await same(block)).toMatchObject({ timed: "refunding not_drawn" });
    terms.set("timed", old);
    await expectModel(services(), past, `?asOf=${past}`);
    expect(Object.fromEntries(before).timed?.status).toBe("live");
  });
});
