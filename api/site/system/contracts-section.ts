/**
 * The contracts behind the market.
 * @module
 */
import type { PublicSettings } from "../../../config/public-settings.ts";
import type { Market } from "../../market/market.ts";
import { paragraph, section, table } from "../blocks.ts";
import type { Section } from "../page.ts";
import { addressCode, count, counted, NONE, text, yesOrNo } from "../value.ts";

/** A factory can deploy an escrow for each raise. */
const MOST_ESCROWS = 50;

/** The escrows of the visible raises, those with most raises first, and the desk. */
export function contractsSection(market: Market | null, { desk, followsHolders }: PublicSettings): Section {
  const raises = Map.groupBy(market?.listings ?? [], ({ escrowAddress }) => escrowAddress);
  const escrows = [...raises]
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .map(([address, { length }]) => ({ key: address, address, raises: length }));
  const shown = escrows.slice(0, MOST_ESCROWS);
  const ofDesk = desk === null ? [] : [{ key: `desk ${desk}`, address: desk, raises: null }];
  const more = escrows.length - shown.length;
  return section("contracts", "Contracts", [
    table({
      caption: "Contracts whose raises or offers are shown here",
      items: [...shown, ...ofDesk],
      keyOf: ({ key }) => key,
      columns: [
        ["address", "Address", ({ address }) => addressCode(address)],
        ["role", "Contract", ({ raises }) => text(raises === null ? "Secondary desk" : "Escrow")],
        ["listings", "Visible raises", ({ raises }) => count(raises), "end"],
        [
          "followsHolders",
          "Holders counted",
          ({ address, raises }) => (raises === null ? NONE : yesOrNo(followsHolders(address))),
        ],
      ],
      empty: "No contract has anything to show yet.",
    }),
    more > 0 ? paragraph(`Not shown in this table: ${counted(more, "escrows")} with visible raises.`) : null,
  ]);
}
