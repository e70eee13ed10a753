/**
 * The API reference: Swagger UI over the served description, all of it from this service. To be mounted at
 * `/developers/reference`. http.md, "Pages".
 * @module
 */
import { type Context, Hono } from "hono";
import { linkHeader, linksOfPage } from "../../discovery/links.ts";
import { type Body, createBody } from "../../feed/body.ts";
import type { Site } from "../../market/listing.ts";
import { methodNotAllowed, problem } from "../../problem.ts";
import { answerStatic } from "../../rest/answer.ts";
import { type Assets, readAssets } from "./assets.ts";
import { ReferencePage } from "./page.tsx";

const PATH = "/developers/reference";

/**
 * Nothing but files of this service, and questions to it. Swagger UI writes style attributes as it goes, which no hash
 * can foresee, and draws its icons from data addresses.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export type ReferenceParameters = { site: Pick<Site, "publicUrl">; siteName: string };

type Reference = { page: Body; assets: Assets };

/** The page and its files, which are read when somebody opens it for the first time. */
export function createReference({ site: { publicUrl }, siteName }: ReferenceParameters): Hono {
  const links = linksOfPage(publicUrl, "/developers");
  let reading: Promise<Reference> | null = null;
  const read = () => {
    reading ??= make();
    reading.catch(() => {
      reading = null;
    });
    return reading;
  };
  const make = async (): Promise<Reference> => {
    const assets = await readAssets();
    const { hash } = assets;
    const markup = ReferencePage({ canonical: publicUrl + PATH, siteName, hash, links });
    const page = createBody("text/html; charset=utf-8", Buffer.from(`<!doctype html>\n${markup}\n`));
    return { page, assets };
  };

  const reference = new Hono();
  reference.get("/", async (c) => {
    const response = await answerStatic(c, (await read()).page);
    response.headers.set("Content-Security-Policy", POLICY);
    response.headers.set("Link", linkHeader(links));
    return response;
  });
  reference.all("/", methodNotAllowed);

  reference.all("/assets/:hash/:name", async (c) => {
    const { assets } = await read();
    const body = c.req.param("hash") === assets.hash ? assets.bodies.get(c.req.param("name")) : undefined;
    if (body === undefined) return notFound(c);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return methodNotAllowed(c);
    const response = await answerStatic(c, body);
    response.headers.set("Cache-Control", "public, max-age=31536000, immutable");
    return response;
  });
  reference.all("/*", notFound);
  return reference;
}

function notFound(c: Context): Response {
  return problem(c, { code: "not_found", detail: "There is nothing at this path." });
}
