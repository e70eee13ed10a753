/** @module The files of the open data, by range and for good, and their manifest. Paths: `/data/manifest.json`, `/data/{table}/{file}`. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import { TABLES } from "../../data/columns.ts";
import { fileSchema, MANIFEST, manifestSchema } from "../../data/manifest.ts";
import { tooLarge } from "../../data/source.ts";
import { anyPathAnswers, keptAnswers, problemAnswer } from "../../http/described-answers.ts";
import { headersOf } from "../../http/described-headers.ts";
import { jsonBody } from "../../http/etagged-body.ts";
import { methodNotAllowed, PROBLEM_TYPE, ProblemError, problemSchema } from "../../http/problem.ts";
import { FOR_EVER, isCurrent, send } from "../../http/respond.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { SITE_PATHS } from "../paths.ts";

export const MANIFEST_PATH = `${SITE_PATHS.data}/${MANIFEST}`;
const PARQUET_TYPE = "application/vnd.apache.parquet";
/** A path for each table: with a parameter for the table the path of the manifest would be ambiguous to the fast router. */
const FILE_PATHS = Object.keys(TABLES).map((table) => `${SITE_PATHS.data}/${table}/:file` as const);

const NO_FILES = "This service publishes no files.";
const NO_FILE_YET = "No file is complete yet; try again later.";

export function addDataFiles(
  routes: Hono,
  { data = null, updater }: Pick<SiteDependencies, "data" | "updater">,
): void {
  routes.get(MANIFEST_PATH, async (c) => {
    const manifest = await data?.manifest();
    if (manifest == null) {
      const snapshot = updater.current();
      const detail = data === null ? NO_FILES : ((snapshot && tooLarge(snapshot.market)) ?? NO_FILE_YET);
      throw new ProblemError({ code: "not_found", detail });
    }
    return send(c, jsonBody(manifest), { "Cache-Control": "public, max-age=60" });
  });
  const answerFile = async (c: Context) => {
    const path = c.req.path.slice(`${SITE_PATHS.data}/`.length);
    // The name is checked before it is a path of the disk.
    const file =
      data !== null && fileSchema.shape.path.safeParse(path).success ? join(data.path, path) : null;
    const found = file === null ? null : await stat(file).catch(() => null);
    if (file === null || found === null) {
      const detail = "There is no such file; the manifest lists all files.";
      throw new ProblemError({ code: "not_found", detail });
    }
    return sendFile(c, {
      file,
      size: found.size,
      etag: `"${path.slice(path.lastIndexOf("-") + 1, -".parquet".length)}"`,
    });
  };
  for (const path of FILE_PATHS) routes.get(path, answerFile);
  for (const path of [MANIFEST_PATH, ...FILE_PATHS]) routes.all(path, methodNotAllowed);
}

type StoredFile = { file: string; size: number; etag: string };

function sendFile(c: Context, { file, size, etag }: StoredFile): Response {
  // A 304 has the type as well: the server's adapter would add another one, and a cache would store the file under it.
  const headers = { ...FOR_EVER, ETag: etag, "Accept-Ranges": "bytes", "Content-Type": PARQUET_TYPE };
  if (isCurrent(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  // RFC 9110 has ranges for GET alone.
  const asked = c.req.method === "GET" ? c.req.header("Range") : undefined;
  const range = rangeOf(asked, c.req.header("If-Range"), { size, etag });
  if (range === "outside") {
    const detail = `The file has ${size} bytes.`;
    throw new ProblemError({
      ...{ code: "range_not_satisfiable", detail },
      headers: { "Content-Range": `bytes */${size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const status = range === null ? 200 : 206;
  const all = {
    ...headers,
    "Content-Length": `${end - start + 1}`,
    ...(range === null ? {} : { "Content-Range": `bytes ${start}-${end}/${size}` }),
  };
  // For HEAD a stream would stay open, as nothing reads it.
  if (c.req.method === "HEAD") return c.body(null, status, all);
  const bytes = Readable.toWeb(createReadStream(file, { start, end }));
  return c.body(bytes as ReadableStream<Uint8Array<ArrayBuffer>>, status, all);
}

/**
 * The bytes that a request asks for, first and last included; null for all: without a range, for one of another unit or several, and
 * when the client's copy (`If-Range`) is another. RFC 9110, section 14.
 */
function rangeOf(
  range: string | undefined,
  ifRange: string | undefined,
  { size, etag }: Pick<StoredFile, "size" | "etag">,
): { start: number; end: number } | "outside" | null {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.replaceAll(" ", "")) ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return last === "0" ? "outside" : { start: Math.max(size - Number(last), 0), end: size - 1 };
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "outside" : { start, end };
}

const NO_MANIFEST = {
  ...{ type: "about:blank", title: "Not Found", status: 404, detail: NO_FILE_YET, instance: MANIFEST_PATH },
  ...{ code: "not_found", requestId: "0b6f6f6e-8a4e-4c39-9d6b-2f6f3c1f0f11" },
};
const BYTES = { [PARQUET_TYPE]: { schema: { type: "string" as const, contentMediaType: PARQUET_TYPE } } };
const OF_A_FILE = ["RequestId", "StrongETag", "CacheForGood", "AcceptRanges"] as const;

export const DATA_ROUTES: readonly RouteConfig[] = [
  {
    path: MANIFEST_PATH,
    operationId: "getDataManifest",
    summary: "The open data: every file, and what its columns mean",
    description:
      "Files of final rows, each with its SHA-256, and the legend of their columns. It changes when another range of blocks is final.",
    method: "get",
    tags: ["Discovery"],
    responses: {
      ...keptAnswers("The manifest.", ["RequestId", "ETag", "Vary", "CacheMinute"], {
        "application/json": { schema: manifestSchema },
      }),
      404: {
        ...problemAnswer("No file is complete yet, or the service publishes none."),
        content: { [PROBLEM_TYPE]: { schema: problemSchema, example: NO_MANIFEST } },
      },
    },
  },
  {
    path: `${SITE_PATHS.data}/{table}/{file}`,
    operationId: "getDataFile",
    summary: "A file of the open data",
    description: "A Parquet file that the manifest names, whole or by range. It never changes.",
    method: "get",
    tags: ["Discovery"],
    request: {
      params: z.object({
        table: z.enum(Object.keys(TABLES) as [string, ...string[]]).openapi({
          param: { name: "table", in: "path" },
          description: "The table.",
          example: "ledger",
        }),
        file: z.string().openapi({
          param: { name: "file", in: "path" },
          description: "The name of the file, as the manifest has it.",
          example: "48000000-48099999-3f1c9a0b5d7e.parquet",
        }),
      }),
    },
    responses: {
      200: { description: "The file.", headers: headersOf(...OF_A_FILE), content: BYTES },
      206: { description: "The range.", headers: headersOf(...OF_A_FILE, "ContentRange"), content: BYTES },
      304: { description: "The client has it.", headers: headersOf(...OF_A_FILE) },
      404: problemAnswer("There is no such file."),
      416: problemAnswer("The range begins after the end of the file.", "ContentRange"),
      ...anyPathAnswers,
    },
  },
];
