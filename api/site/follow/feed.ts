/**
 * The events of a subject as an Atom feed (RFC 4287), newest first. A reader keeps an entry for ever, so an event comes
 * with the block after which no reorganisation can revert it.
 * @module
 */
import { html } from "hono/html";
import { isolated, stripButIsolations } from "../../../config/format/untrusted-text.ts";
import { placeInBlock } from "../../../src/fold/event-id.ts";
import type { LedgerEvent } from "../../ledger/schema.ts";
import type { Listing } from "../../market/schema.ts";
import { eventSentences } from "../listing/event-sentences.ts";
import { raisePath, raiseTitle, SITE_PATHS } from "../paths.ts";
import { FILE_TYPES, fileOf, type Subject } from "../subject.ts";
import { latest } from "../times.ts";

export const MOST_ENTRIES = 50;

export type FeedParameters = {
  subject: Subject;
  /** final ones, newest first */
  events: readonly LedgerEvent[];
  listingOf(event: LedgerEvent): Listing | undefined;
  /** Date of a feed without events: when the last of the raises opened; ISO 8601. */
  openedAt(): string;
  siteName: string;
  publicUrl: string;
  chainId: number;
};

/** The document. It depends on the events and the names alone, not on the time of the request. */
export function feedXml({ subject, events, listingOf, openedAt, ...site }: FeedParameters): string {
  const { publicUrl } = site;
  const siteName = isolated(textForXml(site.siteName));
  const filter = subject.query === undefined ? "" : `?${subject.query}`;
  const self = publicUrl + fileOf(subject.path, "feed") + filter;
  const page = publicUrl + (subject.path === SITE_PATHS.board ? "/" : subject.path);
  const title = subject.name === null ? siteName : `${textForXml(subject.name)} – ${siteName}`;
  const entries = events.flatMap((event) => {
    const listing = listingOf(event);
    return listing === undefined ? [] : [entryXml(event, listing, site)];
  });
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${self}</id>
<title>${title}</title>
<subtitle>${subject.query === undefined ? SUBTITLES[subject.kind] : FILTERED}</subtitle>
<updated>${latest([events[0]?.blockTime ?? openedAt()])}</updated>
<author><name>${siteName}</name><uri>${publicUrl}/</uri></author>
<link rel="self" type="${FILE_TYPES.feed}" href="${self}"/>
<link rel="alternate" type="text/html" href="${page}"/>
${entries}</feed>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${feed}`;
}

const SUBTITLES: Record<Subject["kind"], string> = {
  market: "What happened on the chain in every raise, newest first. Test network: no value here is real.",
  raise: "What happened on the chain in this raise, newest first. Test network: no value here is real.",
  business:
    "What happened on the chain in the raises of this business, newest first. Test network: no value here is real.",
};

const FILTERED =
  "What happened on the chain in the raises that match this filter now, newest first. Test network: no value here is real.";

type Site = Pick<FeedParameters, "publicUrl" | "chainId">;

/** The same in every feed that has the event. */
function entryXml(event: LedgerEvent, listing: Listing, { publicUrl, chainId }: Site) {
  const words = eventSentences(event);
  return html`<entry>
<id>${entryId(event, { publicUrl, chainId })}</id>
<title>${textForXml(raiseTitle(listing))}: ${firstSentence(words)}</title>
<updated>${event.blockTime}</updated>
<published>${event.blockTime}</published>
<link rel="alternate" type="text/html" href="${publicUrl}${raisePath(listing)}"/>
<category term="${event.kind}"/>
<summary>${textForXml(words)}</summary>
</entry>
`;
}

/** A tag URI (RFC 4151): the place of a final event on the chain never changes. */
function entryId(event: LedgerEvent, { publicUrl, chainId }: Site): string {
  const host = new URL(publicUrl).hostname.replaceAll(/[^a-z0-9.-]/gi, "-");
  return `tag:${host},2026:${chainId}/${event.blockNumber}-${placeInBlock(event)}`;
}

function firstSentence(words: string): string {
  return textForXml(/^.*?(?=\.(?:\s|$))/s.exec(words)?.[0] ?? words);
}

/** `text` without control characters and characters that XML forbids, but with isolations; not escaped. */
export function textForXml(text: string): string {
  return stripButIsolations(text.replace(/[\r\n\u2028\u2029]+/g, " "))
    .toWellFormed()
    .replaceAll(/[\uFFFE\uFFFF]/g, "");
}
