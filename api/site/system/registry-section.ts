/**
 * The registry on the system page: the data that is not on the chain.
 * @module
 */
import type { Health } from "../../health/schema.ts";
import { fact, facts, paragraph, section } from "../blocks.ts";
import type { Section } from "../page.ts";
import { blockCode, code, count, NONE, shortCode, text, time, word } from "../value.ts";

const UPDATE_WORDS: Record<Health["registry"]["status"], readonly [text: string, note: string]> = {
  ok: ["Accepted", "The copy in use is the operator's latest."],
  refused: ["Refused", "It was invalid; the previous copy is in use."],
};

export function registrySection({ registry, unpublished, unprojectable }: Health): Section {
  const { status, version, hash, revision, signer, sinceBlock, since } = registry;
  const { originators, listings, problem, images, imageProblem } = registry;
  const [update, note] = UPDATE_WORDS[status];
  return section("registry", "Registry", [
    paragraph(
      "Names, titles and descriptions are not on the blockchain: the operator publishes them in a registry.",
    ),
    facts("grid", [
      fact("registry.status", "Last update", word(update, status), note),
      fact("registry.version", "Version", code(version), "The beginning of its fingerprint."),
      signer === null
        ? fact("registry.signer", "Signed by", NONE, "Nobody: only this server vouches for names and texts.")
        : fact(
            "registry.signer",
            "Signed by",
            shortCode(signer, "address"),
            "The operator's key. What it has not signed is refused.",
          ),
      fact("registry.revision", "Revision", count(revision), "The operator's own number for it."),
      fact("registry.hash", "Hash", shortCode(hash), "Of its content; what the operator signs."),
      fact("registry.sinceBlock", "In use since block", blockCode(sinceBlock), "Since then or a restart."),
      fact("registry.since", "Time of that block", time(since)),
      fact("registry.originators", "Businesses listed", count(originators)),
      fact("registry.listings", "Raises listed", count(listings)),
      fact("registry.images", "Pictures", count(images), "Covers and logos of the operator's own."),
      ...(problem === null ? [] : [fact("registry.problem", "Problem", text(problem))]),
      ...(imageProblem === null
        ? []
        : [
            fact(
              "registry.imageProblem",
              "Picture not used",
              text(imageProblem),
              "A pattern stands in for the picture.",
            ),
          ]),
      fact(
        "unpublished",
        "Not published",
        count(unpublished),
        "Raises on the blockchain that the registry does not name, so they are not shown.",
      ),
      fact("unprojectable", "Left out", count(unprojectable), "Raises in the registry that cannot be shown."),
    ]),
  ]);
}
