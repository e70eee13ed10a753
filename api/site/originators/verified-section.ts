/**
 * What of a business was verified, and by whom: the operator's check of the business itself, and for each raise what
 * follows from the chain.
 * @module
 */

import type { Listing, Originator } from "../../market/schema.ts";
import type { Block, Section } from "../page.ts";
import { raiseLink } from "../paths.ts";
import { kybFact } from "../rating.ts";
import { yesOrNo } from "../value.ts";
import type { Paged } from "./paging.ts";

const KYB_NOTES: Record<Originator["kybStatus"], string> = {
  not_started: "The operator has not begun to verify this business.",
  submitted: "The business has handed in its papers; nobody has looked at them yet.",
  in_review: "The operator is looking at the papers of this business.",
  approved: "The operator has verified who this business is. That says nothing about its raises.",
  rejected: "The operator could not verify this business.",
  expired: "The verification of this business is too old to count.",
};

/** @param paged the raises that the page shows */
export function verifiedSection({ kybStatus, listings }: Originator, paged: Paged<Listing>): Section {
  return {
    id: "verified",
    title: "What is verified",
    blocks: [
      {
        kind: "facts",
        look: "list",
        facts: [{ ...kybFact({ kybStatus }), note: KYB_NOTES[kybStatus] }],
      },
      ...warnings(listings),
      {
        kind: "paragraph",
        text: "A raise was created by this business when the address that created it on the chain is one of those that the business has published. Its text is unchanged when title and description are those that the chain commits to.",
      },
      {
        kind: "table",
        table: {
          caption: "What the chain confirms of each raise",
          columns: [
            { key: "title", label: "Raise" },
            { key: "originatorVerified", label: "Created by this business" },
            { key: "metadataVerified", label: "Text unchanged" },
          ],
          rows: paged.items.map((listing) => ({
            key: listing.publicId,
            cells: [
              raiseLink(listing),
              yesOrNo(listing.originatorVerified),
              yesOrNo(listing.metadataVerified),
            ],
          })),
          empty: "This business has no visible raise.",
        },
      },
    ],
  };
}

function warnings(listings: readonly Listing[]): Block[] {
  const notices: string[] = [];
  if (listings.some(({ originatorVerified }) => !originatorVerified)) {
    notices.push(
      "At least one raise was created from an address that this business has not published: it may be somebody else's.",
    );
  }
  if (listings.some(({ metadataVerified }) => !metadataVerified)) {
    notices.push("The text of at least one raise is not the text that the chain commits to.");
  }
  return notices.map((text): Block => ({ kind: "notice", tone: "warning", text }));
}
