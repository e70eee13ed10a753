/** @module Ways on when no raise matches: clear the filters, leave one out, or look among all raises. */

import { counted } from "../../../config/format/counted.ts";
import type { Market } from "../../market/market.ts";
import { countMarket, queryMarket } from "../../market/market-query.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { linkTo } from "../blocks.ts";
import type { Block, PageLink } from "../page.ts";
import { clearPath, filterChips } from "./form.ts";
import { type BoardQuery, boardPath, isFiltered, readBoardQuery } from "./query.ts";
import { raisesTable } from "./table.ts";

const MOST_NEAREST = 3;

type Looser = { link: PageLink; board: BoardQuery; total: number };

/** Nothing without a filter: then there is nothing to leave out. */
export function nearest({ market, registry }: Snapshot, board: BoardQuery): Block[] {
  const { values } = board;
  if (!isFiltered(values)) return [];
  const all = looser("Among all raises", boardPath(values, { show: "all" }), market);
  const without = filterChips(values).map(({ text, href }) => looser(`Without “${text}”`, href, market));
  const found = [...without, all].filter(({ total }) => total > 0);
  const clear: Block = { kind: "action", link: linkTo("Clear all filters", clearPath(values)) };
  const [closest] = found.toSorted((a, b) => a.total - b.total);
  if (closest === undefined) return [clear];
  const { listings } = queryMarket(market, { ...closest.board.query, limit: MOST_NEAREST });
  const caption = listings.length === 1 ? "The nearest match" : `The ${listings.length} nearest matches`;
  const cards = raisesTable({ market, registry }, listings, { ...closest.board, isTable: false }, caption);
  return [
    clear,
    { kind: "links", look: "row", label: "Try", links: found.map(({ link }) => link) },
    { kind: "table", table: cards },
    { kind: "compare" },
  ];
}

/** The board at another address, with the number of raises that match there. */
function looser(text: string, path: string, market: Market): Looser {
  const [, query = ""] = path.split("?");
  const board = readBoardQuery(new URLSearchParams(query), market);
  const total = countMarket(market, board.query);
  return { link: linkTo(`${text}: ${counted(total, "raises")}`, path), board, total };
}
