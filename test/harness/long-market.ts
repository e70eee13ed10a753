/** @module A market that moves its raises into the archive as they end, for tests of what is read from there. */
import type { Hex } from "viem";
import type { Market } from "../../api/market/market.ts";
import { metadataHash } from "../../api/market/metadata.ts";
import { createProjection } from "../../api/market/project.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { business, STRANGER } from "./market.ts";
import {
  DAY,
  DOLLAR,
  DRAWN,
  entryDraft,
  HEAD,
  listingRow,
  NOW,
  type OriginatorDraft,
  registryOf,
} from "./rows.ts";
import { SITE } from "./snapshot.ts";

const NORTHWIND = business();
const SUN = business({ publicId: "org_sun", addresses: [STRANGER] });

const { goLiveAt: _, closeAt: __, ...SPENT } = DRAWN;

/** Opens in some order that is not the order of the ids, several at once. */
function opened(id: number): Pick<ListingRow, "goLiveAt" | "closeAt"> {
  const goLiveAt = NOW - 300n * DAY + BigInt((id * 7) % 40) * DAY;
  return { goLiveAt, closeAt: NOW + 10n * DAY };
}

/**
 * @param raises with ids from 1
 * @param owners businesses that have them in turn
 */
export function longMarket(
  raises: number,
  description = "Working capital.",
  owners: readonly OriginatorDraft[] = [NORTHWIND, NORTHWIND, NORTHWIND, SUN],
) {
  const ids = Array.from({ length: raises }, (_, index) => index + 1);
  const owner = (id: number) => owners[(id - 1) % owners.length] as OriginatorDraft;
  const draft = (id: number) => {
    const { publicId } = owner(id);
    return entryDraft({ onchainId: `${id}`, originator: publicId, title: `Raise ${id}, Çà 🥐`, description });
  };
  const registry = registryOf(ids.map(draft), [...new Set(owners)]);
  const archive = { atOnce: 8, block: 2 };
  const projection = createProjection({ registry, publicSettings: SITE, start: HEAD, archive });
  const rows = new Map<number, ListingRow>();
  const base = (id: number) =>
    listingRow({
      ...{ onchainId: BigInt(id), ...opened(id), metadataHash: metadataHash(draft(id)) },
      originator: (owner(id).addresses[0] ?? STRANGER) as Hex,
    });
  let number = HEAD.number;

  const advance = (changed: ReadonlyMap<number, Partial<ListingRow>>): Market => {
    number += 1n;
    const listings = [...changed].map(([id, change]): ListingRow => {
      const row = { ...(rows.get(id) ?? base(id)), ...change };
      rows.set(id, row);
      return row;
    });
    const nothing = { repayments: [], offers: [], trades: [], flows: [], holders: new Map() };
    const head = { number, timestamp: NOW + number - HEAD.number };
    return projection.advance({ ...nothing, listings }, head, number);
  };
  const all = (some: Iterable<number>, change: Partial<ListingRow> = {}) =>
    advance(new Map(Array.from(some, (id) => [id, change])));

  return {
    registry,
    /** Opens raises. */
    open: (some: Iterable<number>) => all(some),
    /** Ends raises, so that most of them are archived at once. */
    end: (some: Iterable<number>) =>
      all(some, { terminalKind: "voided", terminalAt: NOW, closeAt: NOW - DAY }),
    /** Changes raises that may have ended. */
    touch: (some: Iterable<number>) => all(some, { subscriberCount: 9 }),
    /** Raises that were repaid in part: two of them change the grade of their business. */
    lose: (some: Iterable<number>) =>
      all(some, {
        ...{ ...SPENT, terminalKind: "settled", terminalAt: NOW, outcome: "defaulted" },
        ...{ outstandingPrincipal: 0n, maturityAt: NOW - 100n * DAY, drawnDownAt: NOW - 280n * DAY },
        ...{ repaidPrincipal: 10_000n * DOLLAR, writtenOffPrincipal: 70_000n * DOLLAR },
      }),
    /** Lets a block pass. */
    pass: () => all([]),
  };
}

/** The ids from `from` to `to`. */
export function ids(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
