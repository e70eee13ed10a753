/**
 * The pictures of subjects, drawn once per content, one after the other, in a separate thread. Nothing is drawn just to
 * find that a client is up to date: the tag is over the SVG.
 * @module
 */
import { Worker } from "node:worker_threads";
import type { RouteConfig } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { type Body, createBody, tagOf } from "../../http/etagged-body.ts";
import { ProblemError } from "../../http/problem.ts";
import { indexedHeaders, isCurrent, notModifiedHeaders, send } from "../../http/respond.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { addFile, FILE_TYPES, fileRoutes, whileSnapshot } from "../subject.ts";
import { drawingOf } from "./drawing.tsx";
import { FONT_FAMILY, FONT_FILES } from "./letters.ts";

/** Bytes: some 800 pictures. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Sites that embed pictures request them often, and need no update by the second. */
const FOR_A_MINUTE = { "Cache-Control": "public, max-age=60" };
const TYPE = FILE_TYPES.picture;

export const PICTURE_ROUTES: readonly RouteConfig[] = fileRoutes({
  file: "picture",
  name: "Picture",
  summary: "A picture",
  description:
    "The preview that other sites show with a link: state, terms, progress and amounts, 1200 × 630 pixels. It changes only when its content does.",
  cache: "CacheMinute",
  unavailable: "Nothing is indexed yet, or too many pictures are waiting to be drawn; see `Retry-After`.",
});

export function addPictures(
  routes: Hono,
  deps: Pick<SiteDependencies, "updater" | "ledger" | "publicSettings" | "brand">,
  renderer: Renderer = createRenderer(),
): void {
  const { updater, publicSettings, brand } = deps;
  const kept = new LRUCache<string, Body>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ length }) => Math.min(1 + length, MOST_BYTES),
  });
  const drawing = new Map<string, Promise<Body>>();
  /** Concurrent callers share a picture that is being drawn. */
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
    const { publicUrl } = publicSettings;
    const svg = drawingOf(subject, snapshot.market, { brand, publicUrl, registry: snapshot.registry });
    const etag = tagOf(svg);
    const known = kept.get(etag);
    if (known === undefined && isCurrent(c.req.header("If-None-Match"), etag)) {
      const headers = { ...FOR_A_MINUTE, ...indexedHeaders(head) };
      return c.body(null, 304, notModifiedHeaders({ type: TYPE, etag }, headers));
    }
    const body = known ?? (await draw(etag, svg).catch(throwBusy));
    return send(c, body, FOR_A_MINUTE, { head, lasting: whileSnapshot(updater, snapshot) });
  });
}

/** @throws ProblemError when too many pictures are waiting */
function throwBusy(error: unknown): never {
  if (!(error instanceof RendererBusyError)) throw error;
  const detail = "Too many pictures are waiting to be drawn; ask again in a few seconds.";
  throw new ProblemError({ code: "busy", detail, headers: { "Retry-After": "5" } });
}

export class RendererBusyError extends Error {
  override readonly name = "RendererBusyError";
}

export type Renderer = {
  /** The PNG of a drawing. @throws {RendererBusyError} at once when too many are waiting */
  draw(svg: string): Promise<Buffer<ArrayBuffer>>;
};

/** Waiting pictures; a picture takes about 40 ms. */
const MOST_WAITING = 64;

type Answer = { id: number } & ({ png: Uint8Array } | { problem: string });
type Waiting = { resolve(png: Buffer<ArrayBuffer>): void; reject(error: Error): void };

/** A renderer whose thread starts with the first picture and does not keep the process alive. */
export function createRenderer({ mostWaiting = MOST_WAITING } = {}): Renderer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;

  const start = (): Worker => {
    const started = new Worker(new URL("./draw-worker.mjs", import.meta.url), {
      workerData: { fontFiles: FONT_FILES, fontFamily: FONT_FAMILY },
      // Not this process's arguments, which would translate and bundle everything again.
      execArgv: [],
    });
    const fail = (error: Error) => {
      if (worker === started) worker = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("message", (answer: Answer) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("png" in answer) one?.resolve(Buffer.from(answer.png));
      else one?.reject(new Error(`The picture cannot be drawn: ${answer.problem}`));
    });
    started.on("error", fail);
    started.on("exit", (code) => fail(new Error(`The thread that draws ended with ${code}`)));
    started.unref();
    return started;
  };

  return {
    async draw(svg) {
      if (waiting.size >= mostWaiting) throw new RendererBusyError("Too many pictures are waiting.");
      worker ??= start();
      const drawing = worker;
      const id = ++last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        drawing.postMessage({ id, svg });
      });
    },
  };
}
