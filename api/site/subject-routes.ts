/**
 * The addresses of the files of all subjects, and their descriptions in OpenAPI.
 * @module
 */
import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import { type Answers, keptAnswers, problemAnswer } from "../http/described-answers.ts";
import { type HeaderComponent, headersOf } from "../http/described-headers.ts";
import { methodNotAllowed, notIndexedYet, ProblemError } from "../http/problem.ts";
import { answerMoved } from "../http/respond.ts";
import { inStep } from "../ledger/in-step.ts";
import type { LedgerQueries } from "../ledger/read.ts";
import { findListing } from "../market/market.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { SiteDependencies } from "./dependencies.ts";
import { raisePath } from "./paths.ts";
import {
  FILE_TYPES,
  FILES,
  fileOf,
  findSubject,
  SUBJECT_PATHS,
  type Subject,
  type SubjectKind,
} from "./subject.ts";

type FileKind = keyof typeof FILES;
/** Answers with the file of a subject as of this snapshot, and of the ledger in step with it. */
export type FileHandler = (
  c: Context,
  subject: Subject,
  snapshot: Snapshot,
  ledger: LedgerQueries,
) => Promise<Response>;

export const movedAnswer = {
  description: "The raise has this reference number; its address is that of its public id.",
  headers: headersOf("RequestId", "Location", "Vary", "CacheMoment"),
};

const KINDS = Object.keys(SUBJECT_PATHS) as SubjectKind[];

/** Adds the addresses of one kind of file to the site's routes. */
export function addFile(
  routes: Hono,
  deps: Pick<SiteDependencies, "feed" | "ledger">,
  file: FileKind,
  answer: FileHandler,
): void {
  for (const kind of KINDS) {
    const address = SUBJECT_PATHS[kind] + FILES[file];
    routes.get(address, (c) =>
      inStep(deps, async (snapshot, ledger) => {
        if (snapshot === null) throw notIndexedYet();
        const id = Object.values<string>(c.req.param())[0] ?? "";
        const subject = findSubject(snapshot.market, kind, id);
        if (subject !== null) return answer(c, subject, snapshot, ledger);
        const listing = kind === "raise" ? findListing(snapshot.market, id) : undefined;
        if (listing !== undefined) return answerMoved(c, fileOf(raisePath(listing), file));
        throw new ProblemError({ code: "not_found", detail: `No visible ${kind} has this public id.` });
      }),
    );
    routes.all(address, methodNotAllowed);
  }
}

const NAMES: Record<SubjectKind, { name: string; of: string; example?: string }> = {
  market: { name: "Market", of: "the market" },
  raise: { name: "Raise", of: "a raise", example: "lst_bakery" },
  business: { name: "Business", of: "a business", example: "org_northwind" },
};

/** The description of one kind of file. */
export type FileDescription = {
  file: FileKind;
  /** name of the operation, such as "Feed" */
  name: string;
  /** such as "The events" */
  summary: string;
  description: string;
  cache: HeaderComponent;
  unavailable: string;
};

const TEXT = { type: "string" as const };
const BINARY = { type: "string" as const, format: "binary" };

/** The operations of one kind of file. */
export function fileRoutes({ file, ...about }: FileDescription): RouteConfig[] {
  const type = FILE_TYPES[file];
  return KINDS.map((kind) => {
    const { name, of, example } = NAMES[kind];
    const answers: Answers = {
      ...keptAnswers(
        `${about.name} of ${of}.`,
        ["RequestId", "ETag", "Vary", about.cache, "IndexedBlock", "IndexedAt", "IndexedEvent"],
        { [type]: { schema: type.startsWith("image/") ? BINARY : TEXT } },
      ),
      ...(kind === "raise" ? { 302: movedAnswer } : {}),
      ...(example === undefined ? {} : { 404: problemAnswer(`No visible ${kind} has this public id.`) }),
      503: problemAnswer(about.unavailable, "RetryAfter"),
    };
    return {
      method: "get",
      path: SUBJECT_PATHS[kind].replace(/:(\w+)/, "{$1}") + FILES[file],
      operationId: `get${name}${about.name}`,
      summary: `${about.summary} of ${of}`,
      description: about.description,
      tags: ["Pages"],
      request: example === undefined ? {} : { params: idOf(kind, example) },
      responses: answers,
    };
  });
}

function idOf(kind: SubjectKind, example: string) {
  const [, name = ""] = /:(\w+)/.exec(SUBJECT_PATHS[kind]) ?? [];
  const description = `Public id of a visible ${kind}.`;
  return z.object({
    [name]: z.string().openapi({ param: { name, in: "path" }, description, example }),
  });
}
