/**
 * The errors and limits of the interface, for the developers' page.
 * @module
 */
import type { ProblemCode } from "../../http/problem.ts";
import { fact, table } from "../blocks.ts";
import type { QueryLimits } from "../dependencies.ts";
import type { Block, Fact } from "../page.ts";
import { code, count, text } from "../value.ts";

/** Every code, with its status and what to do. */
const CODES: Record<ProblemCode, readonly [status: number, advice: string]> = {
  invalid_parameter: [400, "Read errors: each parameter with what is wrong and what is allowed."],
  not_found: [404, "The id or the path is wrong; a raise can also have been hidden."],
  method_not_allowed: [405, "Use a method of the Allow header."],
  not_acceptable: [406, "Accept a type that is offered, or send no Accept header."],
  payload_too_large: [413, "Send less in one message."],
  uri_too_long: [414, "Ask with fewer filters, or with POST where that is allowed."],
  unsupported_media_type: [415, "Send application/json."],
  too_many_requests: [429, "Only for questions about the past: wait as long as Retry-After says."],
  internal_error: [500, "Not your fault. Tell the operator the requestId."],
  not_indexed_yet: [503, "The service has just started: wait as long as Retry-After says."],
  backfilling: [503, "The answer needs the whole ledger, which is still being read."],
  database_silent: [
    503,
    "The answer needs the database, which does not answer: wait as long as Retry-After says.",
  ],
  chain_silent: [503, "The node that the answer needs does not answer: ask again later."],
  not_ready: [503, "Only of /v1/ready: the service is not at the head of the chain."],
};

export function errorsTable(): Block {
  return table({
    caption: "Errors by their code",
    items: Object.entries(CODES),
    keyOf: ([name]) => name,
    columns: [
      ["code", "Code", ([name]) => code(name)],
      ["status", "Status", ([, [status]]) => text(String(status)), "end"],
      ["advice", "What to do", ([, [, advice]]) => text(advice)],
    ],
    empty: "There is none.",
  });
}

/** Characters, bytes and numbers of things; tests ask for one more than each. */
export const limitFacts = (query: QueryLimits): readonly Fact[] => [
  fact("rate", "Requests", text("no limit is enforced"), "Please be reasonable."),
  fact("url", "A URL", count(4096, "characters")),
  fact("page", "A page of raises or events", count(200, "rows"), "Longer lists have a cursor."),
  fact("message", "A message to the tools", count(65_536, "bytes")),
  fact("depth", "A query in GraphQL", count(query.depth, "levels")),
  fact("aliases", "Its aliases", count(query.aliases)),
  fact("tokens", "Its tokens", count(query.tokens)),
  fact("cost", "Its cost", count(query.cost, "points"), "About one for each value of the answer."),
];
