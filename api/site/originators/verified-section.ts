/**
 * What was verified, and by whom: the business by the operator, each raise by the chain.
 * @module
 */
import type { Listing, Originator } from "../../market/schema.ts";
import { facts, notice, paragraph, section, table } from "../blocks.ts";
import { kybFact } from "../grade.ts";
import type { Section } from "../page.ts";
import { raiseLink } from "../paths.ts";
import { yesOrNo } from "../value.ts";
import type { Paged } from "./paging.ts";

const KYB_NOTES: Record<Originator["kybStatus"], string> = {
  not_started: "The operator has not started to verify this business.",
  submitted: "The business has submitted its documents; they have not been reviewed yet.",
  in_review: "The operator is reviewing the documents of this business.",
  approved: "The operator has verified the identity of this business. That says nothing about its raises.",
  rejected: "The operator could not verify this business.",
  expired: "The verification of this business has expired.",
};

/** @param paged the raises on the page */
export function verifiedSection({ kybStatus, listings }: Originator, paged: Paged<Listing>): Section {
  return section("verified", "What is verified", [
    facts("list", [{ ...kybFact({ kybStatus }), note: KYB_NOTES[kybStatus] }]),
    listings.every(({ originatorVerified }) => originatorVerified)
      ? null
      : notice(
          "warning",
          "At least one raise was created from an address that this business has not published: it may be somebody else's.",
        ),
    listings.every(({ metadataVerified }) => metadataVerified)
      ? null
      : notice("warning", "The text of at least one raise does not match the hash on the chain."),
    paragraph(
      "A raise counts as created by this business if the address that created it on the chain is one that the business has published. Its text is unchanged if title and description match the hash on the chain.",
    ),
    table({
      caption: "What the chain confirms about each raise",
      items: paged.items,
      keyOf: ({ publicId }) => publicId,
      columns: [
        ["title", "Raise", raiseLink],
        ["originatorVerified", "Created by this business", (raise) => yesOrNo(raise.originatorVerified)],
        ["metadataVerified", "Text unchanged", (raise) => yesOrNo(raise.metadataVerified)],
      ],
      empty: "This business has no visible raise.",
    }),
  ]);
}
