/** @module The description of a page for search engines: JSON-LD, as the text of a script element. */
import type { Page } from "../page.ts";

/** @param publicUrl without a slash at its end */
export function structuredData(page: Page, publicUrl: string): string[] {
  return [...(page.jsonLd ?? []), ...breadcrumbs(page, publicUrl)].map(asScriptData);
}

function breadcrumbs({ crumbs, title, path }: Page, publicUrl: string): object[] {
  if (crumbs.length === 0) return [];
  const itemListElement = [...crumbs, { title, path }].map((crumb, at) => ({
    "@type": "ListItem",
    position: at + 1,
    name: crumb.title,
    item: publicUrl + crumb.path,
  }));
  return [{ "@context": "https://schema.org", "@type": "BreadcrumbList", itemListElement }];
}

/** JSON that cannot end its script element. */
function asScriptData(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
