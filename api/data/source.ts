/** @module The open data of a service's contracts, for processes that write them. */
import { createHash } from "node:crypto";
import type { Settings } from "../../config/environment.ts";
import { firstBlock } from "../../config/sources.ts";
import { type History, MOST_RAISES } from "../history/as-of.ts";
import type { Market } from "../market/market.ts";
import type { MarketSource } from "../market/snapshot.ts";
import { rootOf } from "../proof/book-leaves.ts";
import type { BookRoots } from "../proof/book-root.ts";
import type { BookQueries } from "../proof/read-book.ts";
import { DATA_VERSION } from "./columns.ts";
import type { DataSource, NotYet } from "./write.ts";

export type DataSourceParameters = {
  settings: Settings;
  updater: MarketSource;
  history: History;
  roots: BookRoots;
  queries: Pick<BookQueries, "events">;
};

const NOTHING_YET: NotYet = { reason: "not_indexed_yet", detail: "Nothing is indexed yet." };

export function dataSourceOf({
  settings,
  updater,
  history,
  roots,
  queries,
}: DataSourceParameters): DataSource {
  const { chainId, dataBlocks, dataLicence } = settings;
  return {
    ...{ chainId, dataset: datasetOf(settings), firstBlock: firstBlock(settings) },
    ...{ blocksPerFile: BigInt(dataBlocks), licence: dataLicence },
    events: queries.events,
    async marketAt(block) {
      const snapshot = updater.current();
      if (snapshot === null) return NOTHING_YET;
      const market = await history.at(snapshot, { block });
      return "reason" in market ? market : { market, registry: snapshot.registry.hash };
    },
    async rootAt(block) {
      const snapshot = updater.current();
      const book = snapshot === null ? NOTHING_YET : await roots.at(snapshot, block);
      return "reason" in book ? book : rootOf(book);
    },
  };
}

/** Why a service writes no files for a market; null where it does. */
export function tooLarge({ listings }: Pick<Market, "listings">): string | null {
  if (listings.length <= MOST_RAISES) return null;
  return `The market has more than ${MOST_RAISES.toLocaleString("en")} raises: this service writes no files; the operator exports them with raisebook db export --parquet.`;
}

/** The same for services that follow the same contracts from the same blocks, with files of the same size. */
function datasetOf({ chainId, escrows, escrowFactory, desk, contracts, dataBlocks }: Settings): string {
  const followed = {
    escrows: escrows.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    ...{ escrowFactory, desk, contracts: contracts?.text ?? null },
  };
  const text = JSON.stringify({ version: DATA_VERSION, chainId, dataBlocks, ...followed });
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
