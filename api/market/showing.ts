/** @module How a raise is shown at a block, and what keeps it from being shown as the registry has it. */
import type { Hex } from "viem";
import type { PublicSettings } from "../../config/public-settings.ts";
import { lacksTerms } from "../../src/fold/derived.ts";
import { UNKNOWN_ID } from "../../src/fold/events.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import type { Registry, RegistryListing } from "../registry/schema.ts";
import type { ChainRows } from "./chain-rows.ts";
import { contradictions, named } from "./entries.ts";
import { type Moment, toListing } from "./listing.ts";
import type { Contradiction, Unprojectable } from "./market.ts";
import type { Raise } from "./raise.ts";
import type { MarketContracts } from "./refolds.ts";
import type { Grade } from "./schema.ts";
import { deskEntryOf } from "./trading.ts";
import type { Visible } from "./visible.ts";

type Lifecycle = MarketContracts["lifecycle"];

export type ShowingParameters = {
  registry(): Registry;
  gradeOf(publicId: string): Grade;
  publicSettings: PublicSettings;
  lifecycle: Lifecycle;
};

export function isCreated(stored: ListingRow | null, lifecycle: Lifecycle): boolean {
  return lifecycle.derivesCreation ? stored?.onchainId !== UNKNOWN_ID : stored?.createdEventId != null;
}

export function createShowing({ registry, gradeOf, publicSettings, lifecycle }: ShowingParameters) {
  const contradicted = new Map<string, Contradiction>();
  const unprojectable = new Map<string, Unprojectable>();
  /** Numbers of holders are shown by the desk alone. */
  const hasDesk = publicSettings.desk !== null;
  const holders = new Map<Hex, number>();
  const pairsOfToken = new Map<Hex, Set<string>>();

  const holderCountOf = ({ escrowAddress, token }: ListingRow): number | null =>
    token !== null && publicSettings.followsHolders(escrowAddress) ? (holders.get(token) ?? null) : null;

  return {
    holders,
    isContradicted: (pair: string) => contradicted.has(pair),
    leftOut: () => ({
      unprojectable: [...unprojectable.values()],
      contradictions: [...contradicted.values()],
    }),

    /** Gives the pairs whose numbers of holders change. */
    *takeHolders(changed: ChainRows["holders"]): Iterable<string> {
      for (const [token, count] of hasDesk ? changed : []) {
        if (holders.get(token) === count) continue;
        holders.set(token, count);
        yield* pairsOfToken.get(token) ?? [];
      }
    },

    /** Null for a raise that is not visible, or that cannot be projected. */
    show(pair: string, raise: Raise, entry: RegistryListing, place: Moment): Visible | null {
      const { stored, repayments, offers, trades, flows, bids, corrections } = raise;
      const originator = registry().originatorByPublicId.get(entry.originator);
      unprojectable.delete(pair);
      contradicted.delete(pair);
      if (raise.row === null || originator === undefined || !isCreated(stored, lifecycle)) return null;
      const [row, fields] = [named(raise.row, entry), contradictions(stored, entry)];
      if (fields.length > 0) contradicted.set(pair, { publicId: entry.publicId, fields });
      if (row.goLiveAt !== null && place.now < row.goLiveAt) return null;
      try {
        const termsFrom = stored === null || lacksTerms(stored) ? "registry" : "chain";
        const grade = gradeOf(entry.originator);
        const offering = { row, bids, termsFrom, entry, originator, grade } as const;
        const published = { row, listing: toListing(offering, place, publicSettings) };
        const { token } = row;
        if (hasDesk && token !== null)
          pairsOfToken.set(token, (pairsOfToken.get(token) ?? new Set()).add(pair));
        const ofDesk = hasDesk
          ? deskEntryOf({ ...published, offers, trades }, holderCountOf(row), place.now)
          : null;
        const made = { flows, country: originator.jurisdiction, madeAt: place.now };
        return { ...published, repayments, offers, trades, corrections, ...made, entry: ofDesk };
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        unprojectable.set(pair, { escrowAddress: row.escrowAddress, onchainId: `${row.onchainId}`, problem });
        return null;
      }
    },

    forget(pair: string): void {
      unprojectable.delete(pair);
      contradicted.delete(pair);
    },

    /** Lets go of a raise that the archive has. */
    leave(pair: string, token: Hex | null): void {
      if (token === null) return;
      const pairs = pairsOfToken.get(token);
      pairs?.delete(pair);
      if (pairs?.size === 0) pairsOfToken.delete(token);
    },
  };
}
