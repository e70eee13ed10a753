/**
 * The pictures of the market, of raises and of businesses: drawn once for what they show, one after the other, in a thread
 * of their own. What a client has already is never drawn to find that out: the tag is over the drawing.
 * @module
 */
import type { RouteConfig } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { type Body, createBody, tagOf } from "../../http/body.ts";
import { ProblemError } from "../../http/problem.ts";
import { indexedHeaders, isCurrent, notModifiedHeaders, send } from "../../http/respond.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { FILE_TYPES } from "../subject.ts";
import { addFile, fileRoutes } from "../subject-routes.ts";
import { drawingOf } from "./drawing.tsx";
import { createRenderer, type Renderer, RendererBusyError } from "./renderer.ts";

/** Bytes: some 800 pictures. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Those who show pictures ask for them often, and nobody needs them by the second. */
const FOR_A_MINUTE = { "Cache-Control": "public, max-age=60" };
const TYPE = FILE_TYPES.picture;

export const PICTURE_ROUTES: readonly RouteConfig[] = fileRoutes({
  file: "picture",
  name: "Picture",
  summary: "A picture",
  description:
    "What other sites show beside a link: state, terms, progress and amounts, 1200 × 630 pixels. It is another one only when what it shows changes.",
  cache: "CacheMinute",
  unavailable: "Nothing is indexed yet, or too many pictures are waiting to be drawn; see `Retry-After`.",
});

/** Adds the pictures to the site's routes. */
export function addPictures(
  routes: Hono,
  deps: Pick<SiteDependencies, "feed" | "ledger" | "publicSettings" | "brand">,
  renderer: Renderer = createRenderer(),
): void {
  const { feed, publicSettings, brand } = deps;
  const kept = new LRUCache<string, Body>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ length }) => Math.min(1 + length, MOST_BYTES),
  });
  const drawing = new Map<string, Promise<Body>>();
  /** Callers who come while a picture is being drawn share it. */
  const draw = (etag: string, svg: string): Promise<Body> => {
    const underWay = drawing.get(etag);
    if (underWay !== undefined) return underWay;
    const drawn = renderer
      .draw(svg)
      .then((png) => {
        const body = createBody(TYPE, png, etag);
        kept.set(etag, body);
        return body;
      })
      .finally(() => drawing.delete(etag));
    drawing.set(etag, drawn);
    return drawn;
  };

  addFile(routes, deps, "picture", async (c, subject, snapshot) => {
    const { head } = snapshot.market;
    const svg = drawingOf(subject, snapshot.market, { brand, publicUrl: publicSettings.publicUrl });
    const etag = tagOf(svg);
    const known = kept.get(etag);
    if (known === undefined && isCurrent(c.req.header("If-None-Match"), etag)) {
      const headers = { ...FOR_A_MINUTE, ...indexedHeaders(head) };
      return c.body(null, 304, notModifiedHeaders({ type: TYPE, etag }, headers));
    }
    const body = known ?? (await draw(etag, svg).catch(throwBusy));
    const lasting = { isCurrent: () => feed.current() === snapshot, head: () => head };
    return send(c, body, FOR_A_MINUTE, { head, lasting });
  });
}

/** @throws ProblemError when too many pictures are waiting */
function throwBusy(error: unknown): never {
  if (!(error instanceof RendererBusyError)) throw error;
  const detail = "Too many pictures are waiting to be drawn; ask again in some seconds.";
  throw new ProblemError({ code: "busy", detail, headers: { "Retry-After": "5" } });
}
