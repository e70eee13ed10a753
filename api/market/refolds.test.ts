/**
 * Raises whose contracts have no events for a part of their lifecycle: against a model of the rules over whole lists of events, and
 * followed event by event against all rows at once.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListingEvent } from "../../src/fold/events.ts";
import {
  contractsOf,
  createChain,
  ended,
  entryOf,
  eventOf,
  marketOf,
  modelOf,
  NO_CHANGE,
  OTHERS,
  registryWith,
  shown,
  stories,
  summed,
  summedBy,
  THREE,
  toldOf,
} from "../../test/harness/derived-raises.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { derivedRaise } from "../../test/model/derived.ts";
import { createProjection } from "./project.ts";
import { STATUSES } from "./schema.ts";

describe("a raise with three events and terms in the registry", () => {
  it("is what the rules make of its events", () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { told, terms, closesAtTarget } = story;
        const chain = createChain(THREE);
        for (const one of told) chain.add(eventOf(one), one.at);
        const now = ended(story);
        const market = marketOf(chain, registryWith(entryOf(terms)), { now, closesAtTarget });
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
        const same = (now: bigint, changed = NO_CHANGE) => {
          const market = projection.advance(changed, chain.head(now), 0n);
          expect(toldOf(market)).toEqual(toldOf(marketOf(chain, registry, { now, closesAtTarget })));
        };
        let before = 1n;
        for (const one of told) {
          same((before + one.at) / 2n);
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
          same(one.at, changed);
          expect(projection.toRestart()).toEqual([]);
        }
        same(ended(story));
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
        const ofRegistry = shown(marketOf(byRegistry, registryWith(entryOf(terms)), { now, closesAtTarget }));
        const ofChain = shown(marketOf(byChain, registryWith(entryOf(null)), { kinds, now, closesAtTarget }));
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
          const registry = registryWith(entryOf({ ...terms, closeAt }));
          const market = marketOf(chain, registry, { kinds, now, closesAtTarget });
          expect(shown(market)).toMatchObject(modelOf(told, terms, now, closesAtTarget));
          expect(summed(chain, market)).toEqual(summedBy(told, terms, { now, closesAtTarget }));
        },
      ),
      { numRuns: 200 },
    );
  });
});
