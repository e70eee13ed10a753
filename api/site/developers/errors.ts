/**
 * The errors and limits of the interface, for the developers' page.
 * @module
 */
import type { ProblemCode } from "../../http/problem.ts";
import type { QueryLimits } from "../dependencies.ts";
import type { Fact, Table } from "../page.ts";
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

export const ERRORS: Table = {
  caption: "Errors by their code",
  columns: [
    { key: "code", label: "Code" },
    { key: "status", label: "Status", align: "end" },
    { key: "advice", label: "What to do" },
  ],
  rows: Object.entries(CODES).map(([name, [status, advice]]) => ({
    key: name,
    cells: [code(name), text(String(status)), text(advice)],
  })),
  empty: "There is none.",
};

/** Characters, bytes and numbers of things; tests ask for one more than each. */
export const limitFacts = (query: QueryLimits): readonly Fact[] => [
  { key: "rate", label: "Requests", value: text("no limit is enforced"), note: "Please be reasonable." },
  { key: "url", label: "A URL", value: count(4096, "characters") },
  {
    key: "page",
    label: "A page of raises or events",
    value: count(200, "rows"),
    note: "Longer lists have a cursor.",
  },
  { key: "message", label: "A message to the tools", value: count(65_536, "bytes") },
  { key: "depth", label: "A query in GraphQL", value: count(query.depth, "levels") },
  { key: "aliases", label: "Its aliases", value: count(query.aliases) },
  { key: "tokens", label: "Its tokens", value: count(query.tokens) },
  {
    key: "cost",
    label: "Its cost",
    value: count(query.cost, "points"),
    note: "About one for each value of the answer.",
  },
];
