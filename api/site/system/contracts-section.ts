/**
 * Which contracts the shown market comes from.
 * @module
 */
import type { Site } from "../../market/listing.ts";
import type { Market } from "../../market/project.ts";
import type { Block, Row, Section } from "../page.ts";
import { code, count, counted, NONE, text, yesOrNo } from "../value.ts";

/** A factory can make an escrow for each raise. */
const MOST_ESCROWS = 50;

/** The escrows of the visible raises, those with most raises first, and the desk. */
export function contractsSection(market: Market | null, { desk, followsHolders }: Site): Section {
  const raises = Map.groupBy(market?.listings ?? [], ({ escrowAddress }) => escrowAddress);
  const escrows = [...raises].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
  const shown = escrows.slice(0, MOST_ESCROWS).map(
    ([address, { length }]): Row => ({
      key: address,
      cells: [code(address), text("Escrow"), count(length), yesOrNo(followsHolders(address))],
    }),
  );
  const ofDesk: Row[] =
    desk === null ? [] : [{ key: `desk ${desk}`, cells: [code(desk), text("Secondary desk"), NONE, NONE] }];
  const blocks: Block[] = [
    {
      kind: "table",
      table: {
        caption: "Contracts that are followed and have something to show",
        columns: [
          { key: "address", label: "Address" },
          { key: "role", label: "Contract" },
          { key: "listings", label: "Visible raises", align: "end" },
          { key: "followsHolders", label: "Holders counted" },
        ],
        rows: [...shown, ...ofDesk],
        empty: "No contract has anything to show yet.",
      },
    },
  ];
  if (escrows.length > shown.length) {
    blocks.push({
      kind: "paragraph",
      text: `Left out of this table: ${counted(escrows.length - shown.length, "escrows")} with visible raises.`,
    });
  }
  return { id: "contracts", title: "Contracts", blocks };
}
