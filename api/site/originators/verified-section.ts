/**
 * The verifications: of the business by the operator, of each raise by the chain.
 * @module
 */
import type { Originator } from "../../market/schema.ts";
import { fact, facts, notice, paragraph, section, table } from "../blocks.ts";
import { kybFact } from "../grade.ts";
import type { Section } from "../page.ts";
import { raiseLink } from "../paths.ts";
import { code, text, yesOrNo } from "../value.ts";

const KYB_NOTES: Record<Originator["kybStatus"], string> = {
  not_started: "The operator has not started to check who this business is.",
  submitted: "The business has sent in its documents; nobody has reviewed them yet.",
  in_review: "The operator is reviewing the documents of this business.",
  approved: "The operator has checked who this business is. That says nothing about its raises.",
  rejected: "The operator could not confirm who this business is.",
  expired: "The check of this business is out of date.",
};

/** Raises that the chain confirms in full are not listed one by one. */
export function verifiedSection({ publicId, legalName, kybStatus, listings }: Originator): Section {
  const doubtful = listings.filter((raise) => !raise.originatorVerified || !raise.metadataVerified);
  return section("verified", "Verification", [
    facts("list", [
      { ...kybFact({ kybStatus }), note: KYB_NOTES[kybStatus] },
      fact("legalName", "Legal name", text(legalName)),
      fact("publicId", "Business ID", code(publicId)),
    ]),
    listings.every(({ originatorVerified }) => originatorVerified)
      ? null
      : notice(
          "warning",
          "At least one raise was created from an address that this business has not published: it may belong to someone else.",
        ),
    listings.every(({ metadataVerified }) => metadataVerified)
      ? null
      : notice("warning", "The text of at least one raise does not match its fingerprint on the blockchain."),
    doubtful.length === 0
      ? paragraph(
          "The blockchain confirms for every raise here that this business created it, and that its text is unchanged.",
        )
      : table({
          caption: "Raises that the blockchain does not fully confirm",
          items: doubtful,
          keyOf: ({ publicId }) => publicId,
          columns: [
            ["title", "Raise", raiseLink],
            ["originatorVerified", "Created by this business", (raise) => yesOrNo(raise.originatorVerified)],
            ["metadataVerified", "Text unchanged", (raise) => yesOrNo(raise.metadataVerified)],
          ],
          empty: "",
        }),
  ]);
}
