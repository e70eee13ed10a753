/** @jsxImportSource hono/jsx */
/** @module The card of a raise for the frames of other sites, and what it says when there is none: no script, no cookie, no form. */
import type { Child } from "hono/jsx";
import { isoTime } from "../../../config/format/time.ts";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing } from "../../market/schema.ts";
import { CoverPicture } from "../covers/drawing.tsx";
import type { Cover } from "../covers/pictures.ts";
import { ProgressBarView } from "../html/progress.tsx";
import { ValueText } from "../html/value.tsx";
import { businessName, raisePath, raiseTitle } from "../paths.ts";
import { doneBar, doneOf, doneShare, markedState, termsLine } from "../standing.ts";
import type { Sync } from "../system/sync.ts";
import { formatTime } from "../times.ts";
import { grade } from "../value.ts";

export const EMBED_THEMES = ["auto", "light", "dark"] as const;
/** `auto` follows the frame's `color-scheme`, and without one the browser's. */
export type EmbedTheme = (typeof EMBED_THEMES)[number];

/** Seconds: a card is the same for that long while nothing happens. */
const MINUTE = 60n;

export type CardFrame = {
  publicUrl: string;
  siteName: string;
  /** path of the stylesheet */
  css: string;
  theme: EmbedTheme;
};

export type RaiseCard = CardFrame & {
  listing: Listing;
  business: Originator;
  cover: Cover;
  /** time of the last indexed block, unix seconds */
  now: bigint;
  sync: Pick<Sync, "state" | "text">;
};

export function raiseCard({ listing, business, cover, now, sync, ...frame }: RaiseCard): string {
  const { publicUrl, siteName } = frame;
  const url = publicUrl + raisePath(listing);
  const title = raiseTitle(listing);
  const { label, tone } = markedState(listing, business, now);
  const done = doneOf(listing);
  const asOf = isoTime(now - (now % MINUTE));
  const { ratingGrade } = business;
  return cardHtml({
    ...frame,
    title,
    canonical: url,
    children: (
      <>
        <div class="embed-cover" aria-hidden="true">
          <CoverPicture cover={cover} />
        </div>
        <p class="embed-state">
          <span class={`embed-chip embed-chip--${tone}`}>{label}</span>
          <span class="embed-grade">
            {ratingGrade === "NR" ? (
              "Not rated"
            ) : (
              <>
                Grade <ValueText value={grade(ratingGrade)} />
              </>
            )}
          </span>
        </p>
        <h1 dir="auto">
          <a href={url} target="_blank" rel="noopener">
            {title}
          </a>
        </h1>
        <p class="embed-by" dir="auto">
          {businessName(business)}
        </p>
        <p class="embed-terms">{termsLine(listing, now)}</p>
        <ProgressBarView progress={doneBar(done, listing)} />
        <p class="embed-amounts">
          <data value={done.part} title={formatAmount(done.part, { digits: "all" })}>
            {`${formatAmount(done.part, { unit: null })} of ${formatAmount(done.whole)} ${done.word}`}
          </data>
          <ValueText value={doneShare(done)} />
        </p>
        {sync.state !== "ok" && <p class="embed-lag">{sync.text}</p>}
        <p class="embed-foot">
          <a href={url} target="_blank" rel="noopener">
            View on {siteName}
          </a>
          <span>
            As of <time datetime={asOf}>{formatTime(asOf)}</time>
          </span>
        </p>
        <p class="embed-note">Test network: no value here is real.</p>
      </>
    ),
  });
}

/** A card without a raise, such as that of an unknown address. */
export function noticeCard({ title, text, ...frame }: CardFrame & { title: string; text: string }): string {
  return cardHtml({
    ...frame,
    title,
    children: (
      <>
        <h1>{title}</h1>
        <p class="embed-by">{text}</p>
        <p class="embed-foot">
          <a href={frame.publicUrl} target="_blank" rel="noopener">
            All raises on {frame.siteName}
          </a>
        </p>
      </>
    ),
  });
}

type CardDocument = CardFrame & { title: string; canonical?: string; children: Child };

function cardHtml({ siteName, css, theme, title, canonical, children }: CardDocument): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – ${siteName}`}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={theme === "auto" ? "light dark" : theme} />
        {canonical !== undefined && <link rel="canonical" href={canonical} />}
        <link rel="stylesheet" href={css} />
      </head>
      <body>
        <main class={canonical === undefined ? "embed embed-notice" : "embed"}>{children}</main>
      </body>
    </html>
  );
  // Keeps any text from reordering or hiding others.
  return stripControl(`<!doctype html>\n${html.toString()}`, { keepLineFeeds: true });
}
