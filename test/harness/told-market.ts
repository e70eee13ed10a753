/**
 * Random markets told twice: the logs of an arbitrary raise, of three that the escrow permits, two of them drawn, and of a
 * desk, and the answers of the model and the service about them.
 * @module
 */
import fc from "fast-check";
import { toBidEvents } from "../../api/market/bids.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import { pairKey } from "../../api/registry/schema.ts";
import type { Block, ChainEvent } from "../../src/fold/events.ts";
import { createTables, runStep } from "../../src/fold/memory.ts";
import { recordEvent } from "../../src/fold/step.ts";
import { type PredictParameters, predict } from "../model/answers.ts";
import type { ChainLog } from "../model/chain-log.ts";
import type { DeskLog as ModelDeskLog } from "../model/desk-log.ts";
import type { RegistryDocument } from "../model/registry.ts";
import { arbitraryHistory, type LoggedEvent } from "./arbitrary-history.ts";
import {
  ALICE,
  BOB,
  type DeskLog,
  ESCROW,
  type EscrowLog,
  HASH,
  ORIGINATOR,
  OTHER_ESCROW,
  placeAt,
  ROUTER,
  toDeskEvent,
  toListingEvent,
} from "./book.ts";
import { type Dice, dice, diceSeeds } from "./dice.ts";
import { parseRegistry } from "./parsed-registry.ts";
import { permittedHistory } from "./permitted-history.ts";
import { DESK } from "./rows.ts";
import { SITE, snapshotOf, tablesOf } from "./snapshot.ts";

const DAY = 86_400n;
const LATEST = 2n ** 64n - 1n;
const PEOPLE = [ALICE, BOB, ROUTER] as const;
const PAIRS = [
  { escrowAddress: ESCROW, onchainId: 1n },
  { escrowAddress: ESCROW, onchainId: 2n },
  { escrowAddress: OTHER_ESCROW, onchainId: 1n },
  { escrowAddress: OTHER_ESCROW, onchainId: 2n },
] as const;

const REGISTRY: RegistryDocument = {
  originators: [
    {
      publicId: "org_northwind",
      legalName: "Northwind Bakery Pte. Ltd.",
      jurisdiction: "SG",
      kybStatus: "approved",
      addresses: [ORIGINATOR],
    },
  ],
  listings: PAIRS.map(({ escrowAddress, onchainId }, index) => ({
    publicId: `lst_${index + 1}`,
    originator: "org_northwind",
    escrowAddress,
    onchainId: `${onchainId}`,
    title: `Raise ${index + 1}`,
    description: "Working capital for a bakery.",
  })),
};

/** The logs of a market, in the order of the chain, and the head's time in unix seconds. */
export type ToldMarket = { logs: readonly ChainLog[]; deskLogs: readonly ModelDeskLog[]; now: bigint };

/** Histories whose seconds have become days, so that terms, yields and overdue payments are of days as on a market. */
export function toldMarket(): fc.Arbitrary<ToldMarket> {
  const permitted = permittedHistory().map((steps) => steps.flatMap(({ events }) => events));
  const loan = fc
    .tuple(
      permitted.filter((events) => events.some(({ kind }) => kind === "drawn_down")),
      fc.nat(6),
    )
    .map(([events, later]) =>
      events.slice(0, events.findIndex(({ kind }) => kind === "drawn_down") + 1 + later),
    );
  return fc
    .record({
      raises: fc.tuple(arbitraryHistory(PAIRS[0]).map(fromCreation), permitted, loan, loan),
      desk: diceSeeds(12),
      rest: fc.constantFrom(0n, 0n, 1n, 5n * DAY, 40n * DAY, 100n * DAY),
    })
    .map(({ raises, desk, rest }) => {
      const told = raises.flatMap((events, index) => {
        const { escrowAddress: escrow, onchainId } = PAIRS[index] ?? PAIRS[0];
        const token = `0x${`${index + 1}`.padStart(40, "70")}` as const;
        return events.map((event) => {
          const { args, ...log } = slowed(event);
          return { ...log, escrow, args: { ...args, onchainId, ...("token" in args ? { token } : {}) } };
        });
      });
      const ofDesk = deskOf(desk, told);
      const all: Said[] = [...told, ...ofDesk].toSorted((one, other) => Number(one.at - other.at));
      const placed = all.map((log, index) => ({ ...log, ...placeOf(index + 1, log.at) }));
      const isOfDesk = ({ name }: { name: string }) => name.startsWith("Offer");
      return {
        logs: placed.filter((log) => !isOfDesk(log)) as unknown as ChainLog[],
        deskLogs: placed.filter(isOfDesk) as unknown as ModelDeskLog[],
        now: (placed.at(-1)?.at ?? DAY) + rest,
      };
    });
}

/** Without the events before the creation. */
function fromCreation(events: readonly LoggedEvent[]): LoggedEvent[] {
  const start = events.findIndex(({ kind }) => kind === "listing_created");
  return start < 0 ? [] : events.slice(start);
}

function placeOf(position: number, at: bigint) {
  const { blockNumber, logIndex, txHash } = placeAt(position, at);
  return { blockNumber, logIndex, txHash, at };
}

function slowed({ log: { eventName: name, args }, at }: LoggedEvent) {
  const later = (seconds: bigint) => (seconds * DAY > LATEST ? LATEST : seconds * DAY);
  const terms = "terms" in args && {
    terms: {
      ...args.terms,
      goLiveAt: later(args.terms.goLiveAt),
      closeAt: later(args.terms.closeAt),
      // Unnamed modes and outcomes are not the model's business.
      pricingMode: args.terms.pricingMode % 2,
    },
  };
  const maturity = "maturityAt" in args && { maturityAt: later(args.maturityAt) };
  const outcome = "outcome" in args && { outcome: args.outcome % 3 };
  // Sums above a uint256, which the tables cannot hold, are not the model's business either.
  const amounts = Object.entries(args).filter(([, value]) => typeof value === "bigint" && value > 2n ** 240n);
  const smaller = Object.fromEntries(amounts.map(([key]) => [key, 100n]));
  return { name, args: { ...args, ...smaller, ...terms, ...maturity, ...outcome }, at: at.blockTime * DAY };
}

type Told = ReturnType<typeof slowed>;
type Said = { name: string; args: object; at: bigint };

/** Offers of tokens that exist, fills and cancellations, at any time from their tokens' creation on. */
function deskOf(seeds: readonly number[], told: readonly Told[]): Said[] {
  const created = told.flatMap(({ name, args, at }) =>
    name === "ListingCreated" && "token" in args ? [{ token: args.token, at }] : [],
  );
  const end = told.reduce((latest, { at }) => (at > latest ? at : latest), 0n);
  const offers: { offerId: bigint; token: `0x${string}`; remaining: bigint; priceBps: bigint; at: bigint }[] =
    [];
  return seeds.flatMap((seed): Said[] => {
    const roll = dice(seed);
    const known = offers.length === 0 || roll.below(3) === 0 ? undefined : roll.one(offers);
    if (known === undefined) {
      if (created.length === 0) return [];
      const { token, at: since } = roll.one(created);
      const at = momentOf(roll, since, end);
      const offer = {
        offerId: BigInt(offers.length + 1),
        token,
        remaining: roll.one([1n, 10n, 40n]),
        priceBps: roll.one([1n, 5_000n, 9_500n, 10_000n, 12_000n]),
        at,
      };
      offers.push(offer);
      const { offerId, remaining: amount, priceBps } = offer;
      const args = { offerId, token, seller: ALICE, amount, priceBps, expiresAt: at + 500n * DAY };
      return [{ name: "OfferCreated", args, at }];
    }
    const at = momentOf(roll, known.at, end);
    known.at = at;
    const { offerId, token, remaining, priceBps } = known;
    if (roll.below(6) === 0 || remaining === 0n) {
      known.remaining = 0n;
      return [{ name: "OfferCancelled", args: { offerId, remaining }, at }];
    }
    const amount = roll.one([1n, remaining]);
    known.remaining -= amount;
    const cost = (amount * priceBps + 9_999n) / 10_000n;
    const args = { offerId, token, buyer: roll.one(PEOPLE), amount, cost, remaining: known.remaining };
    return [{ name: "OfferFilled", args, at }];
  });
}

function momentOf(roll: Dice, since: bigint, end: bigint): bigint {
  return since + ((end > since ? end - since : 0n) * BigInt(roll.below(5))) / 4n;
}

function headOf({ logs, deskLogs, now }: ToldMarket): Block {
  return { number: BigInt(logs.length + deskLogs.length + 1), timestamp: now };
}

/** The parameters with which the model predicts the service's answers. */
export function predictionOf(market: ToldMarket): ReturnType<typeof predict> {
  const { logs, deskLogs, now } = market;
  const { publicUrl, appUrl } = SITE;
  const head = { ...headOf(market), timestamp: now };
  const parameters: PredictParameters = {
    logs,
    deskLogs,
    desk: DESK,
    registry: REGISTRY,
    head,
    publicUrl,
    appUrl,
  };
  return predict(parameters);
}

/** The service's answers about the same logs. */
export function snapshotOfTold(market: ToldMarket): Promise<Snapshot> {
  const tables = createTables({});
  const all = [...market.logs, ...market.deskLogs].toSorted((one, other) =>
    Number(one.blockNumber - other.blockNumber),
  );
  for (const log of all) runStep(tables, recordEvent(eventOf(log)));
  const head = headOf(market);
  const listings = [...tables.listing.values()];
  const draft = {
    ...{ head, finalized: head, irreversible: head },
    listings,
    bids: new Map(
      listings.map((row) => [
        pairKey(row),
        toBidEvents(tables.ledger.filter((event) => pairKey(event) === pairKey(row) && isBid(event))),
      ]),
    ),
    repayments: tables.repayment,
    offers: [...tables.offer.values()],
    trades: tables.trade,
  };
  const registry = parseRegistry(Buffer.from(JSON.stringify(REGISTRY)));
  return snapshotOf(tablesOf(draft), registry, { ...SITE, desk: DESK });
}

const isBid = ({ kind }: { kind: string }) =>
  kind === "subscribed" || kind === "refunded" || kind === "listing_closed";

function eventOf({ blockNumber, at, name, args, ...log }: ChainLog | ModelDeskLog): ChainEvent {
  const { escrowAddress, onchainId, ...place } = placeAt(Number(blockNumber), at);
  const decoded = { eventName: name, args };
  if (!("escrow" in log)) {
    const event = toDeskEvent(decoded as unknown as DeskLog, DESK);
    return { ...place, address: DESK, blockHash: HASH, source: "desk", event };
  }
  const { onchainId: id } = args as { onchainId: bigint };
  return {
    ...{ ...place, address: log.escrow as `0x${string}`, blockHash: HASH },
    ...{ source: "escrow", onchainId: id, event: toListingEvent(decoded as unknown as EscrowLog) },
  };
}
