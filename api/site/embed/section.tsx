/** @jsxImportSource hono/jsx */
/** @module The part of a raise's page that offers its card to other sites. */
import type { PublicSettings } from "../../../config/public-settings.ts";
import type { Listing } from "../../market/schema.ts";
import { links, linkTo, paragraph, section, snippet } from "../blocks.ts";
import type { Section } from "../page.ts";
import { embedPath } from "./routes.ts";

/** Pixels: a title of two lines and a notice fit. */
const SIZE = { width: 400, height: 360 } as const;

/** Null where the operator allows no site. */
export function embedSection(
  listing: Listing,
  { publicUrl, embedOrigins }: Pick<PublicSettings, "publicUrl" | "embedOrigins">,
): Section | null {
  if (embedOrigins.length === 0) return null;
  const path = embedPath(listing.publicId);
  return {
    ...section("embed", "Embed this raise", [
      paragraph(
        `A card for another site, with the state, terms and progress of the raise as of each visit. It sets no cookies and runs no script. ${embedWhere({ embedOrigins })}`,
      ),
      snippet({ label: "HTML", language: "html", text: frameHtml(publicUrl + path) }),
      links([linkTo("See the card", path, "add ?theme=light or ?theme=dark to choose its colours")]),
    ]),
    isFolded: true,
  };
}

/** The sites that may, as a sentence. */
export function embedWhere({ embedOrigins }: Pick<PublicSettings, "embedOrigins">): string {
  return embedOrigins === "*"
    ? "Any site may show it."
    : `These sites may show it: ${embedOrigins.join(", ")}.`;
}

/** Code to paste, so without a third party's words: the title of the raise is in the card. */
export function frameHtml(url: string): string {
  const { width, height } = SIZE;
  return (
    <iframe
      src={url}
      title={`A raise on ${new URL(url).host}`}
      width={`${width}`}
      height={`${height}`}
      style="max-width: 100%"
      loading="lazy"
      frameborder="0"
    ></iframe>
  ).toString();
}
