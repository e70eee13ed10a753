/**
 * Counts what the bulk backfill has proven, for `/v1/health`.
 * @module
 */

import type { ChainClient } from "../../chain/client.ts";
import type { FollowedContracts } from "../../chain/contracts.ts";
import type { Page, PagesParameters, RawBlock } from "../../chain/pages.ts";
import { createProver, type Prover } from "../../chain/prover.ts";
import { type Completeness, NOTHING_PROVEN } from "../../config/completeness.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { TRANSFER } from "../../src/contracts/contracts.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import type { PriorLedger } from "./earlier.ts";
import { endOf } from "./ponder.ts";

export const LEFT_OUT = "Logs that an endpoint left out were found by the receipts of their block";

/** Undefined where nothing is proven. */
export function proverOf(
  { logsProven, holders }: Pick<Settings, "logsProven" | "holders">,
  client: ChainClient,
  { topics }: Pick<FollowedContracts, "topics">,
): Prover | undefined {
  if (logsProven === "none") return undefined;
  return createProver({ client, topics: holders ? [...topics, TRANSFER] : topics });
}

export type BackfillProofs = {
  /** the options with which pages are requested */
  readonly asked: Pick<PagesParameters, "prover" | "provesPossible" | "ahead">;
  /** Takes over what an earlier ledger has proven of its blocks. @param blocks with rows that are taken, up to the last one */
  goOnFrom(earlier: Pick<PriorLedger, "last" | "completeness"> & { blocks: number }): void;
  count(page: Page): void;
  /** @param block the last one of the pages */
  upTo(block: RawBlock): Promise<Completeness>;
};

export function createBackfillProofs(
  { settings, client, log }: { settings: Settings; client: ChainClient; log: Pick<Logger, "warn"> },
  followed: FollowedContracts,
): BackfillProofs {
  const { logsProven: mode, rpcUrls, rpcConcurrency } = settings;
  const prover = proverOf(settings, client, followed);
  const hosts = rpcUrls.map((url) => new URL(url).host);
  let [proven, unproven] = [0, 0];
  let omitting: readonly string[] = [];
  /** The proof of the earlier ledger where it ends before the last block: proving continues from there. */
  let elsewhere: Completeness | null = null;
  return {
    asked: { prover, provesPossible: mode === "possible", ahead: rpcConcurrency },
    goOnFrom({ last, blocks, completeness }) {
      const before = provenIn(completeness, mode);
      const end = before.upTo === null ? -1 : Number(blockOf(before.upTo).number);
      if (end < last) elsewhere = before;
      unproven = Math.min(Number(before.unproven), end > last ? blocks : Number.POSITIVE_INFINITY);
      // Blocks after the last one are proven again.
      proven = end > last ? blocks - unproven : Number(before.proven);
    },
    count({ logs, proven: provenBlocks, mended }) {
      for (const block of new Set(logs.map((one) => one.block))) {
        if (provenBlocks.has(block)) proven += 1;
        else unproven += 1;
      }
      // With several endpoints it is not known which one gave them.
      if (mended.size > 0 && hosts.length === 1) omitting = hosts;
      for (const block of mended) log.warn({ msg: LEFT_OUT, block, endpoint: hosts.join(", ") });
    },
    async upTo(block) {
      if (prover === undefined) return { mode, ...NOTHING_PROVEN };
      const upTo = await endOf(block, settings.chainId);
      return elsewhere ?? { mode, upTo, proven: `${proven}`, unproven: `${unproven}`, omitting };
    },
  };
}

/** The part of a completeness that counts in this mode of proving. */
export function provenIn(completeness: Completeness | null, mode: Completeness["mode"]): Completeness {
  const isEnough = completeness?.mode === mode || completeness?.mode === "possible";
  return { ...(isEnough ? completeness : NOTHING_PROVEN), mode, omitting: [] } as Completeness;
}
