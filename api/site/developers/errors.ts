/**
 * The errors and limits of the interface, for the developers' page.
 * @module
 */
import { PROBLEMS } from "../../http/problem.ts";
import type { QueryLimits } from "../dependencies.ts";
import type { Fact, Table } from "../page.ts";
import { code, count, text } from "../value.ts";

export const ERRORS: Table = {
  caption: "Errors by their code",
  columns: [
    { key: "code", label: "Code" },
    { key: "status", label: "Status", align: "end" },
    { key: "advice", label: "What to do" },
  ],
  rows: Object.entries(PROBLEMS).map(([name, { status, advice }]) => ({
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
