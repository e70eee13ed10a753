/**
 * Raises whose contracts have no events for a part of their lifecycle: against a model of the rules over whole lists of events, and
 * followed event by event against all rows at once.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../config/format/time.ts";
import { type ListingEvent, UNKNOWN_ID } from "../../src/fold/events.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { ALICE } from "../../test/harness/book.ts";
import {
  type Chain,
  contractsOf,
  createChain,
  ended,
  entryOf,
  eventOf,
  modelOf,
  NO_CHANGE,
  OTHERS,
  registryWith,
  shown,
  stories,
  summed,
  summedBy,
  TERMS,
  THREE,
  TOKEN,
  toldOf,
} from "../../test/harness/derived-raises.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { derivedRaise, type Terms } from "../../test/model/derived.ts";
import type { Registry } from "../registry/schema.ts";
import type { ChainRows } from "./chain-rows.ts";
import { matcherOf } from "./listings-query.ts";
import type { Market } from "./market.ts";
import { createProjection, project } from "./project.ts";
import { STATUSES } from "./schema.ts";

describe("a raise with three events and terms in the registry", () => {
  it("is what the rules make of its events", () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { told, terms, closesAtTarget } = story;
        const chain = createChain(THREE);
        for (const one of told) chain.add(eventOf(one), one.at);
        const now = ended(story);
        const market = marketOf(chain, terms, closesAtTarget, now);
        expect(shown(market)).toMatchObject({
          ...modelOf(told, terms, now, closesAtTarget),
          termsFrom: "registry",
        });
        expect(summed(chain, market)).toEqual(summedBy(told, terms, { now, closesAtTarget }));
        expect(chain.anomalies()).not.toContain("unknown_listing");
        expect(chain.anomalies()).not.toContain("repaid_before_drawdown");
      }),
      { numRuns: 600 },
    );
  });

  it("is in every state in such stories", () => {
    const statuses = fc.sample(stories, { numRuns: 400, seed: 1 }).map((story) => {
      const { told, terms, closesAtTarget } = story;
      return derivedRaise(told, terms, { now: ended(story), closesAtTarget }).status;
    });
    expect(new Set(statuses)).toEqual(new Set(STATUSES));
  });

  it("is the same event by event, by time alone, and with every change of its terms", () => {
    fc.assert(
      fc.property(stories, fc.infiniteStream(fc.nat(5)), (story, turns) => {
        const { told, terms, closesAtTarget } = story;
        const chain = createChain(THREE);
        const contracts = contractsOf(THREE, closesAtTarget);
        let registry = registryWith(entryOf(terms));
        const start = chain.head(1n);
        const projection = createProjection({ registry, publicSettings: SITE, contracts, start });
        const same = (market: Market, rows: ChainRows) => {
          const whole = project({
            rows,
            registry,
            head: market.head,
            finalized: 0n,
            publicSettings: SITE,
            contracts,
          });
          expect(toldOf(market)).toEqual(toldOf(whole));
        };
        let before = 1n;
        for (const one of told) {
          const middle = (before + one.at) / 2n;
          same(projection.advance(NO_CHANGE, chain.head(middle), 0n), chain.rows());
          before = one.at;
          let changed = chain.add(eventOf(one), one.at);
          if (turns.next().value === 0) {
            registry = registryWith(
              entryOf({ ...terms, closeAt: one.at + BigInt(turns.next().value ?? 0) * 10n }),
            );
            expect(projection.useEntries(registry)).toBe(true);
            const restarted = new Set(
              projection.toRestart().map((pair) => `${pair.escrowAddress}:${pair.onchainId}`),
            );
            if (restarted.size > 0) changed = { ...changed, events: chain.rows().events ?? [], restarted };
          }
          same(projection.advance(changed, chain.head(one.at), 0n), chain.rows());
          expect(projection.toRestart()).toEqual([]);
        }
        same(projection.advance(NO_CHANGE, chain.head(ended(story)), 0n), chain.rows());
      }),
      { numRuns: 150 },
    );
  });

  it("is the same as with the terms on the chain", () => {
    const kinds = new Set([...THREE, "listing_created" as const]);
    fc.assert(
      fc.property(stories, (story) => {
        const { told, terms, closesAtTarget } = story;
        const [byRegistry, byChain] = [createChain(THREE), createChain(kinds)];
        const created = { originator: null, token: null, refnum: "FX00001", metadataHash: null };
        byChain.add({ kind: "listing_created", args: { ...created, terms: { ...terms, ...OTHERS } } }, 0n);
        for (const chain of [byRegistry, byChain]) for (const one of told) chain.add(eventOf(one), one.at);
        const now = ended(story);
        const ofRegistry = shown(marketOf(byRegistry, terms, closesAtTarget, now));
        const contracts = contractsOf(kinds, closesAtTarget);
        const registry = registryWith(entryOf(null));
        const head = byChain.head(now);
        const ofChain = shown(
          project({ rows: byChain.rows(), registry, head, finalized: 0n, publicSettings: SITE, contracts }),
        );
        const schedule = { ...ofRegistry?.schedule, payments: ofChain?.schedule.payments };
        // Its creation is a block of its own.
        const { updatedAt, updatedBlock } = ofChain ?? {};
        const own = { termsFrom: "chain", finality: "pending", updatedAt, updatedBlock };
        expect(ofChain).toEqual(ofRegistry && { ...ofRegistry, schedule, ...own });
      }),
      { numRuns: 100 },
    );
  });
});

describe("a raise whose creation on the chain has its own closing time, or all other terms", () => {
  it("closes then, whatever the registry says and whenever that was", () => {
    const kinds = new Set([...THREE, "listing_created" as const]);
    fc.assert(
      fc.property(
        stories,
        fc.constantFrom(null, 1n, 3n, 12n, 60n),
        fc.boolean(),
        (story, closeAt, isWhole) => {
          const { told, terms, closesAtTarget } = story;
          const chain = createChain(kinds);
          const { closeAt: own, ...others } = terms;
          const given =
            isWhole && own === null ? { ...others, ...OTHERS } : { ...(isWhole && others), closeAt: own };
          const created = { originator: null, token: null, refnum: null, metadataHash: null, terms: given };
          chain.add({ kind: "listing_created", args: created } as ListingEvent, 4n);
          for (const one of told) chain.add(eventOf(one), one.at);
          const now = ended(story);
          const market = project({
            rows: chain.rows(),
            registry: registryWith(entryOf({ ...terms, closeAt })),
            ...{ head: chain.head(now), finalized: 0n, publicSettings: SITE },
            contracts: contractsOf(kinds, closesAtTarget),
          });
          expect(shown(market)).toMatchObject(modelOf(told, terms, now, closesAtTarget));
          expect(summed(chain, market)).toEqual(summedBy(told, terms, { now, closesAtTarget }));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("what the registry says of a raise", () => {
  const at = (chain: Chain, kinds: ReadonlySet<EventKind>, registry: Registry, now = 40n) =>
    project({
      rows: chain.rows(),
      registry,
      head: chain.head(now),
      finalized: 0n,
      publicSettings: SITE,
      contracts: contractsOf(kinds, false),
    });
  const created = (terms: object, more: object = {}) =>
    ({
      kind: "listing_created",
      args: { originator: null, token: null, refnum: null, metadataHash: null, terms, ...more },
    }) as ListingEvent;

  it("makes a raise without an event at a followed escrow, and none elsewhere", () => {
    const none = createChain(THREE);
    const elsewhere = { publicId: "lst_2", escrowAddress: `0x${"99".repeat(20)}` };
    const market = at(none, THREE, registryWith(entryOf(TERMS), entryOf(TERMS, elsewhere)));
    const listed = market.listings.all();
    expect(listed).toMatchObject([
      {
        ...{
          publicId: "lst_1",
          status: "listed",
          refnum: "FX00001",
          tokenAddress: TOKEN,
          termsFrom: "registry",
        },
        ...{ updatedAt: null, updatedBlock: null, finality: "final" },
      },
    ]);
    // It opened at 10; nothing has changed it since.
    const times = listed.map((one) => [market.createdAt(one), market.openedAt(one), market.changedAt(one)]);
    expect(times).toEqual([[isoTime(10n), isoTime(10n), isoTime(10n)]]);
    for (const changedSince of [{ block: 0n }, { time: 0n }])
      expect(listed.filter(matcherOf({ changedSince }, market.originatorByPublicId))).toEqual([]);
    expect(at(none, THREE, registryWith(entryOf(TERMS)), 9n).listings.all()).toEqual([]);
  });

  it("is needed: without terms the raise is left out and counted", () => {
    const chain = createChain(THREE);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 5n }), 20n);
    const market = at(chain, THREE, registryWith(entryOf(null)));
    expect(market.listings.all()).toEqual([]);
    expect(market.unprojectable).toMatchObject([{ onchainId: "1", problem: "listing without targetAmount" }]);
    expect(at(chain, THREE, registryWith()).unpublished).toBe(1);
  });

  it("can be of raise 0, and logs of no known raise are of none", () => {
    const chain = createChain(THREE);
    chain.add({ kind: "unmapped", args: { logName: "Deposited" } }, 20n, UNKNOWN_ID);
    chain.add(eventOf({ kind: "subscribed", at: 21n, backer: ALICE, amount: 5n }), 21n, 0n);
    const market = at(chain, THREE, registryWith(entryOf(TERMS, { onchainId: "0" })));
    expect(market.listings.all()).toMatchObject([{ onchainId: "0", raisedAmount: "5", status: "funding" }]);
    expect(market.unpublished).toBe(0);
  });

  it("never owes less than nothing, also where the close lowers what was raised below what was repaid", () => {
    const kinds = new Set([...THREE, "listing_closed", "listing_settled"] as const);
    const chain = createChain(kinds);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 100n }), 20n);
    chain.add(eventOf({ kind: "repaid", at: 60n, amount: 60n }), 60n);
    const closed = { raisedAmount: 50n, reason: "deadline", couponRateBps: null } as const;
    chain.add({ kind: "listing_closed", args: closed } as ListingEvent, 70n);
    const market = at(chain, kinds, registryWith(entryOf({ ...TERMS, minRaise: 10n })), 80n);
    expect(market.listings.all()).toMatchObject([
      { raisedAmount: "50", drawnAmount: "50", repaidAmount: "60", outstandingPrincipal: "0" },
    ]);
  });

  it("makes no raise of contracts that announce theirs, before they do", () => {
    const kinds = new Set([...THREE, "listing_created" as const]);
    const chain = createChain(kinds);
    expect(at(chain, kinds, registryWith(entryOf(TERMS))).listings.all()).toEqual([]);
    chain.add(created({}), 20n);
    expect(at(chain, kinds, registryWith(entryOf(TERMS))).listings.all()).toMatchObject([
      {
        ...{ status: "listed", statusSince: isoTime(20n), termsFrom: "registry" },
        ...{ originatorOnChain: false, originatorVerified: false, metadataOnChain: false },
      },
    ]);
  });

  it("gives way to the chain, and a difference is named", () => {
    const kinds = new Set([...THREE, "listing_created" as const]);
    const chain = createChain(kinds);
    chain.add(
      created(
        { targetAmount: 300n, minRaise: 60n },
        { refnum: "RB00009", token: `0x${"71".repeat(20)}`, originator: `0x${"9a".repeat(20)}` },
      ),
      15n,
    );
    const market = at(chain, kinds, registryWith(entryOf(TERMS)));
    expect(market.listings.all()).toMatchObject([
      {
        ...{ targetAmount: "300", minRaise: "60", tenorDays: 1, refnum: "RB00009", termsFrom: "registry" },
        ...{ originatorOnChain: true, originatorVerified: false, metadataOnChain: false },
      },
    ]);
    const fields = ["terms.targetAmount", "refnum", "tokenAddress"];
    expect(market.contradictions).toEqual([{ publicId: "lst_1", fields }]);
    const agreed = { refnum: "RB00009", tokenAddress: `0x${"71".repeat(20)}` };
    expect(
      at(chain, kinds, registryWith(entryOf({ ...TERMS, targetAmount: 300n }, agreed))).contradictions,
    ).toEqual([]);
  });

  it("is ignored where the chain gives all terms, its closing time as well", () => {
    const kinds = new Set([
      ...THREE,
      "listing_created",
      "listing_closed",
      "drawn_down",
      "listing_settled",
    ] as const);
    const chain = createChain(kinds);
    const { closeAt: _, ...terms } = TERMS;
    chain.add(created({ ...terms, ...OTHERS }), 15n);
    const market = at(chain, kinds, registryWith(entryOf(TERMS)), 60n);
    expect(market.listings.all()).toMatchObject([{ status: "listed", closeAt: null, termsFrom: "chain" }]);
    expect(market.contradictions).toEqual([{ publicId: "lst_1", fields: ["terms.closeAt"] }]);
  });

  it("contradicts no closing time of the chain where the entry gives none", () => {
    const kinds = new Set([...THREE, "listing_created"] as const);
    const withoutClose = { ...TERMS, closeAt: null };
    const { insuranceBps, ...some } = { ...TERMS, ...OTHERS };
    for (const given of [some, { ...some, insuranceBps }]) {
      const chain = createChain(kinds);
      chain.add(created({ ...given, closeAt: 90n }), 15n);
      const contradictionsOf = (terms: Terms) =>
        at(chain, kinds, registryWith(entryOf(terms)), 20n).contradictions;
      expect(contradictionsOf(withoutClose)).toEqual([]);
      expect(contradictionsOf({ ...TERMS, closeAt: 91n })).toEqual([
        { publicId: "lst_1", fields: ["terms.closeAt"] },
      ]);
    }
  });

  it("does not freeze a raise before its creation, which gives a later closing time", () => {
    const kinds = new Set([
      ...THREE,
      "listing_created",
      "listing_closed",
      "drawn_down",
      "listing_settled",
    ] as const);
    const chain = createChain(kinds);
    chain.add(created({ targetAmount: 200n, closeAt: 90n }), 60n);
    chain.add(eventOf({ kind: "subscribed", at: 70n, backer: ALICE, amount: 80n }), 70n);
    const market = at(chain, kinds, registryWith(entryOf({ ...TERMS, closeAt: 50n })), 80n);
    expect(market.listings.all()).toMatchObject([
      { status: "funding", closeAt: isoTime(90n), raisedAmount: "80", subscriberCount: 1 },
    ]);
  });

  it("has a drawdown follow the figure that a close on the chain fixes", () => {
    const kinds = new Set([...THREE, "listing_closed" as const]);
    const chain = createChain(kinds);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 90n }), 20n);
    const owed = () => at(chain, kinds, registryWith(entryOf(TERMS)), 60n).listings.at(0);
    expect(owed()).toMatchObject({ status: "live", outstandingPrincipal: "90", drawnDownAt: isoTime(50n) });
    const closed = (raisedAmount: bigint) =>
      ({
        kind: "listing_closed",
        args: { reason: "manual", raisedAmount, minRaiseMet: null, couponRateBps: null },
      }) as const;
    chain.add(closed(70n), 55n);
    expect(owed()).toMatchObject({ status: "live", outstandingPrincipal: "70", drawnDownAt: isoTime(50n) });
    const missed = createChain(kinds);
    missed.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 90n }), 20n);
    missed.add(closed(10n), 55n);
    expect(at(missed, kinds, registryWith(entryOf(TERMS)), 60n).listings.all()).toMatchObject([
      { status: "refunding", outstandingPrincipal: "0", drawnDownAt: null, repayment: "not_drawn" },
    ]);
  });

  it("counts for grades like what contracts tell themselves", () => {
    const chain = createChain(THREE);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 90n }), 20n);
    const late = 50n + 86_400n * 100n;
    const [owner] = at(chain, THREE, registryWith(entryOf(TERMS)), late).originators;
    expect(owner?.rating).toMatchObject({ volume: "90", cap: "E" });
  });
});

function marketOf(
  chain: Chain,
  terms: Terms,
  closesAtTarget: boolean,
  now: bigint,
  registry?: Registry,
): Market {
  return project({
    rows: chain.rows(),
    registry: registry ?? registryWith(entryOf(terms)),
    head: chain.head(now),
    finalized: 0n,
    publicSettings: SITE,
    contracts: contractsOf(THREE, closesAtTarget),
  });
}
