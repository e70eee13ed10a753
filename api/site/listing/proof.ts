/** @module How a reader checks a raise without trusting the service. */
import type { PublicSettings } from "../../../config/public-settings.ts";
import type { Listing } from "../../market/schema.ts";
import { fact, facts, paragraph, section, snippet } from "../blocks.ts";
import type { Section } from "../page.ts";
import { raisePath } from "../paths.ts";
import { shortCode } from "../value.ts";
import { factOf } from "./fields.ts";

export const PROOF_FIELDS = ["escrowAddress", "tokenAddress"] as const;

export type ProofSettings = Pick<PublicSettings, "publicUrl" | "chainId" | "registrySigner" | "publicNode">;

export function proofSection(
  listing: Listing,
  { publicUrl, chainId, registrySigner, publicNode }: ProofSettings,
): Section {
  const { publicId, termsFrom } = listing;
  const ofRegistry = termsFrom === "chain" ? "Names and descriptions" : "Names, descriptions and terms";
  return section("proof", "Check it yourself", [
    paragraph(
      "Every amount that moved links to the events behind it, and each event names its transaction. Check them against your own node and you don't have to take anyone's word for it, ours included.",
    ),
    snippet({
      label: "Prove the totals",
      language: "sh",
      text: `npx raisebook verify ${publicUrl}${raisePath(listing)} --rpc https://a-node-of-yours.example`,
    }),
    { kind: "prover", publicId, chainId, publicNode },
    facts("list", [
      ...PROOF_FIELDS.flatMap((field) => {
        const address = listing[field];
        return address === null ? [] : [{ ...factOf(listing, field), value: shortCode(address, "address") }];
      }),
      ...(registrySigner === null
        ? []
        : [fact("registry.signer", "Operator's key", shortCode(registrySigner, "address"))]),
    ]),
    paragraph(
      `${ofRegistry} come from the operator, not the blockchain, and are ${registrySigner === null ? "not signed" : "signed with the operator's key"}.`,
    ),
  ]);
}
