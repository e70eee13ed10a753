/**
 * The errors and limits of the interface, for the developers' page.
 * @module
 */
import { PROBLEMS } from "../../http/problem.ts";
import { fact, table } from "../blocks.ts";
import type { QueryLimits } from "../dependencies.ts";
import type { Block, Fact } from "../page.ts";
import { code, count, text } from "../value.ts";

export function errorsTable(): Block {
  return table({
    caption: "Errors by their code",
    items: Object.entries(PROBLEMS),
    keyOf: ([name]) => name,
    columns: [
      ["code", "Code", ([name]) => code(name)],
      ["status", "Status", ([, [status]]) => text(String(status)), "end"],
      ["advice", "What to do", ([, [, advice]]) => text(advice)],
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
