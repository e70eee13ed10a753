/**
 * The errors and limits of the interface, for the developers' page.
 * @module
 */
import { PROBLEMS, type ProblemCode } from "../../http/problem.ts";
import { fact, table } from "../blocks.ts";
import type { QueryLimits } from "../dependencies.ts";
import type { Block, Fact } from "../page.ts";
import { code, count, text } from "../value.ts";

/** What to do about each error. */
const ADVICE: Record<ProblemCode, string> = {
  invalid_parameter: "See errors: each parameter with what is wrong and what is allowed.",
  not_found: "The id or the path is wrong, or the raise has been hidden.",
  method_not_allowed: "Use a method of the Allow header.",
  not_acceptable: "Accept one of the offered types, or send no Accept header.",
  payload_too_large: "Send less in one message.",
  uri_too_long: "Use fewer filters, or POST where it is allowed.",
  unsupported_media_type: "Send application/json.",
  too_many_requests: "Only for queries about the past: wait as long as Retry-After says.",
  internal_error: "Not your fault. Tell the operator the requestId.",
  not_indexed_yet: "The service has just started: wait as long as Retry-After says.",
  backfilling: "The response needs the whole ledger, which is still being read.",
  database_silent:
    "The response needs the database, which does not answer: wait as long as Retry-After says.",
  chain_silent: "The response needs the chain's node, which does not answer: try again later.",
  not_ready: "Only from /v1/ready: the service is not at the head of the chain.",
};

export function errorsTable(): Block {
  return table({
    caption: "Errors by their code",
    items: Object.entries(PROBLEMS),
    keyOf: ([name]) => name,
    columns: [
      ["code", "Code", ([name]) => code(name)],
      ["status", "Status", ([, { status }]) => text(String(status)), "end"],
      ["advice", "What to do", ([name]) => text(ADVICE[name as ProblemCode])],
    ],
    empty: "There is none.",
  });
}

/** The limits, in characters, bytes and counts; tests exceed each by one. */
export const limitFacts = (query: QueryLimits): readonly Fact[] => [
  fact("rate", "Requests", text("no limit is enforced"), "Please be reasonable."),
  fact("url", "A URL", count(4096, "characters")),
  fact("page", "A page of raises or events", count(200, "rows"), "Longer lists have a cursor."),
  fact("message", "A message to the tools", count(65_536, "bytes")),
  fact("depth", "A query in GraphQL", count(query.depth, "levels")),
  fact("aliases", "Its aliases", count(query.aliases)),
  fact("tokens", "Its tokens", count(query.tokens)),
  fact("cost", "Its cost", count(query.cost, "points"), "About one for each value in the response."),
];
