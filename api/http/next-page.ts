/**
 * Where the next page is: the address of this one with the cursor put in, as a `Link` header (RFC 8288).
 * @module
 */
import type { Site } from "../market/listing.ts";

/** The headers of an answer after which there is more; none after the last page. */
export function nextPage(
  url: string,
  { publicUrl }: Pick<Site, "publicUrl">,
  nextCursor: string | null,
): Record<string, string> {
  if (nextCursor === null) return {};
  const { pathname, searchParams } = new URL(url);
  searchParams.set("cursor", nextCursor);
  return { Link: `<${publicUrl}${pathname}?${searchParams}>; rel="next"` };
}
