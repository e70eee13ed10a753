/** @module The card of a raise at `/embed/listings/{id}`, which other sites show in a frame. docs/decisions/0056-sharing.md. */
import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { quote } from "../../../config/format/untrusted-text.ts";
import type { EmbedOrigins } from "../../../config/url-values.ts";
import { keptAnswers } from "../../http/described-answers.ts";
import { type HeaderComponent, headersOf } from "../../http/described-headers.ts";
import { type Body, createBody, createBoundedBodyCache } from "../../http/etagged-body.ts";
import { linkHeader, linksOfPage } from "../../http/links.ts";
import { methodNotAllowed } from "../../http/problem.ts";
import { answerMoved, type Headers, send } from "../../http/respond.ts";
import { findListing } from "../../market/market.ts";
import type { SiteAssets } from "../assets.ts";
import { coverOf } from "../covers/pictures.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { raisePath, SITE_PATHS } from "../paths.ts";
import { movedAnswer, whileSnapshot } from "../subject.ts";
import { syncOf } from "../system/sync.ts";
import { type CardFrame, EMBED_THEMES, type EmbedTheme, noticeCard, raiseCard } from "./card.tsx";

const EMBED_PATH = `/embed${SITE_PATHS.listings}`;
const TYPE = "text/html; charset=utf-8";
/** Other sites need no update by the second. */
const FOR_A_MINUTE = "public, max-age=60";
/** Bytes of cards in memory, with room for compressed forms. */
const MOST_BYTES = 4 * 1024 * 1024;

export function embedPath(publicId: string): string {
  return `${EMBED_PATH}/${publicId}`;
}

type EmbedDependencies = Pick<
  SiteDependencies,
  "updater" | "health" | "firstBlock" | "publicSettings" | "brand"
>;

export function addEmbed(routes: Hono, deps: EmbedDependencies, { embedCss }: SiteAssets): void {
  const { updater, brand, publicSettings } = deps;
  const bodies = createBoundedBodyCache(MOST_BYTES);
  const always: Headers = {
    "Content-Security-Policy": policyOf(publicSettings.embedOrigins),
    "X-Robots-Tag": "noindex",
  };
  const linksTo = (path: string | null) => linkHeader(linksOfPage(publicSettings.publicUrl, path));
  const frameOf = (theme: EmbedTheme): CardFrame => ({
    publicUrl: publicSettings.publicUrl,
    siteName: brand.name,
    css: embedCss[theme],
    theme,
  });
  const banner = () => [syncOf(deps).text];
  const refuse = (
    c: Context,
    status: ContentfulStatusCode,
    theme: EmbedTheme,
    words: { title: string; text: string },
    headers: Headers = {},
  ) =>
    send(
      c,
      bodyOf(noticeCard({ ...frameOf(theme), ...words })),
      { ...always, ...headers, Link: linksTo(null), "Cache-Control": "no-store" },
      { status },
    );

  routes.get(`${EMBED_PATH}/:id`, (c) => {
    const asked = c.req.query("theme") ?? "auto";
    const theme = EMBED_THEMES.find((one) => one === asked);
    if (theme === undefined) {
      const text = `The parameter theme cannot be ${quote(asked)}. Allowed: ${EMBED_THEMES.join(", ")}.`;
      return refuse(c, 400, "auto", { title: "This card's address is not valid", text });
    }
    const snapshot = updater.current();
    if (snapshot === null) {
      const text = "The service has just started. Reload in a moment.";
      return refuse(c, 503, theme, { title: "Getting ready", text }, { "Retry-After": "2" });
    }
    const { market, registry } = snapshot;
    const id = c.req.param("id");
    const listing = findListing(market, id);
    const business = listing && market.originatorByPublicId.get(listing.originator);
    if (listing === undefined || business === undefined) {
      const text = "It may have been withdrawn, or the address has a mistake.";
      return refuse(c, 404, theme, { title: "This raise is not published", text });
    }
    if (listing.publicId !== id)
      return answerMoved(c, embedPath(listing.publicId) + new URL(c.req.url).search);
    const sync = syncOf(deps);
    const { head } = market;
    const body = bodies(snapshot, `${id} ${theme} ${sync.text}`, () =>
      bodyOf(
        raiseCard({
          ...frameOf(theme),
          ...{ listing, business, sync },
          cover: coverOf(registry, listing),
          now: head.timestamp,
        }),
      ),
    );
    const headers = { ...always, Link: linksTo(raisePath(listing)), "Cache-Control": FOR_A_MINUTE };
    return send(c, body, headers, { head, lasting: whileSnapshot(updater, snapshot, banner) });
  });
  routes.all(`${EMBED_PATH}/:id`, methodNotAllowed);
}

function bodyOf(html: string): Body {
  return createBody(TYPE, Buffer.from(html));
}

/** Browsers ignore `X-Frame-Options` next to `frame-ancestors`. */
function policyOf(origins: EmbedOrigins): string {
  const ancestors = origins === "*" ? "*" : ["'self'", ...origins].join(" ");
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : ancestors}`,
  ].join("; ");
}

const HTML = { "text/html": { schema: { type: "string" as const } } };

const refused = (description: string, ...more: readonly HeaderComponent[]) => ({
  description,
  headers: headersOf("RequestId", "ETag", "Vary", "PageLinks", "CacheNever", "Robots", ...more),
  content: HTML,
});

export const EMBED_ROUTE: RouteConfig = {
  method: "get",
  path: `${EMBED_PATH}/{id}`,
  operationId: "getRaiseCard",
  summary: "A raise as a card for other sites",
  description:
    "For a frame (`<iframe>`): state, terms and progress, with links that open the raise in a new tab. It sets no cookie and runs no script. `EMBED_ORIGINS` says which sites may show it. Errors are cards too.",
  tags: ["Pages"],
  request: {
    params: z.object({
      id: z.string().openapi({
        param: { name: "id", in: "path" },
        description: "Public id or reference number of a visible raise.",
        example: "lst_bakery",
      }),
    }),
    query: z.object({
      theme: z.enum(EMBED_THEMES).optional().openapi({
        description: "Colours; `auto` (the default) follows the frame's `color-scheme`, or the browser.",
      }),
    }),
  },
  responses: {
    ...keptAnswers(
      "The card.",
      [
        "RequestId",
        "ETag",
        "Vary",
        "PageLinks",
        "CacheMinute",
        "Robots",
        "IndexedBlock",
        "IndexedAt",
        "IndexedEvent",
      ],
      HTML,
    ),
    302: movedAnswer,
    400: refused("There is no such theme."),
    404: refused("There is no such visible raise."),
    503: refused("Nothing is indexed yet; see `Retry-After`.", "RetryAfter"),
  },
};
