/** @module A business's own words, from the operator's registry. */
import { stripControl } from "../../../config/format/untrusted-text.ts";
import type { Originator } from "../../market/originator.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { fact, facts, section } from "../blocks.ts";
import { logoOf } from "../covers/pictures.ts";
import type { Block, Section } from "../page.ts";
import type { Value } from "../value.ts";

/** Pixels. */
const LOGO = { height: 56, mostWidth: 168 };

/** Null when the registry has neither logo, nor description, nor website. */
export function aboutSection(business: Originator, { registry }: Pick<Snapshot, "registry">): Section | null {
  const entry = registry.originatorByPublicId.get(business.publicId);
  const description = stripControl(entry?.description ?? "", { keepLineFeeds: true }).trim();
  const logo = logoOf(registry, business);
  const blocks: (Block | null)[] = [
    logo === null
      ? null
      : { kind: "picture", picture: { src: logo.src, alt: logo.alt, ...sizeOf(logo.image) } },
    description === "" ? null : { kind: "quote", text: description },
    entry?.website === undefined
      ? null
      : facts("list", [
          fact(
            "website",
            "Website",
            websiteLink(entry.website),
            "The text and the website are the business's own: the operator does not vouch for them.",
          ),
        ]),
  ];
  if (blocks.every((block) => block === null)) return null;
  return section("about", description === "" ? null : "In the business's own words", blocks);
}

function sizeOf({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const wanted = Math.round((LOGO.height * width) / height);
  if (wanted <= LOGO.mostWidth) return { height: LOGO.height, width: Math.max(1, wanted) };
  return { width: LOGO.mostWidth, height: Math.max(1, Math.round((LOGO.mostWidth * height) / width)) };
}

/** Shown is where it leads, and nothing else that its address says. */
function websiteLink(website: string): Value {
  return { kind: "link", text: new URL(website).host, href: website, isForeign: true };
}
