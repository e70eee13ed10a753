/** @module The page for GraphQL: a query to change and send, its answer, and where the types are. http.md, "Pages". */
import { PATHS } from "../../http/links.ts";
import { NoSlotError } from "../../http/slots.ts";
import { fact, facts, links, linkTo, notice, section, snippet } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { groupPath } from "../developers/described.ts";
import { START } from "../developers/snippets.ts";
import type { Block, FilterForm, PageRequest, PageResult } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { code, count } from "../value.ts";
import { EXAMPLES } from "./examples.ts";

/** Characters of an answer on the page; the endpoint sends all of it. */
const LONGEST_ANSWER = 40_000;
/** Characters; a longer query does not fit into an address. */
const LONGEST_QUERY = 2000;

type Dependencies = Pick<SiteDependencies, "publicSettings" | "knowledge" | "queryLimits" | "graphql">;
type Ran = { status: number; text: string };

export async function graphqlPage(
  { publicSettings: { publicUrl }, knowledge, queryLimits: limits, graphql }: Dependencies,
  { query: given, snapshot }: PageRequest,
): Promise<PageResult> {
  // A form sends line feeds as CR LF.
  const parameters = new URLSearchParams(
    [...given].map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]),
  );
  const isAsked = parameters.has("query");
  if (!isAsked) parameters.set("query", START);
  if (isAsked && snapshot === null) return { kind: "not_indexed_yet" };
  const ran = snapshot === null ? null : await runOf(graphql, parameters, isAsked);
  const endpoint = publicUrl + PATHS.graphql;
  const page = {
    path: SITE_PATHS.graphql,
    title: "GraphQL",
    description:
      "Choose the fields you need, several resources in one request. Change the query and send it.",
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board, CRUMBS.developers],
    isLive: false,
    isUnlisted: isAsked,
    sections: [
      section("try", "Try a query", [{ kind: "form", form: formOf(parameters) }, ...answerBlocks(ran)]),
      section("examples", "Queries to start from", [
        links(
          EXAMPLES.map(({ title, note, query }) =>
            linkTo(title, `${SITE_PATHS.graphql}?${new URLSearchParams({ query })}`, note),
          ),
        ),
      ]),
      section("endpoint", "From a program", [
        facts("list", [
          fact("endpoint", "Endpoint", code(endpoint), "Send POST with JSON, or GET with ?query=…"),
          fact("tokens", "Longest query", count(limits.tokens, "tokens")),
          fact("depth", "Deepest query", count(limits.depth, "levels")),
          fact("aliases", "Most aliases", count(limits.aliases)),
          fact(
            "cost",
            "Highest cost",
            count(limits.cost, "points"),
            "About one for each value of the response.",
          ),
        ]),
        snippet({
          label: "The query above with curl",
          language: "bash",
          text: curlOf(endpoint, parameters),
        }),
        snippet({
          label: "The schema, for tools",
          language: "bash",
          text: `curl -s -H 'Accept: text/plain' ${endpoint}`,
        }),
        links([
          linkTo("Every type and field", groupPath("graphql-types"), "of the schema, with descriptions"),
          linkTo("Over HTTP", groupPath("graphql"), "parameters, status codes and errors"),
          linkTo("For developers", SITE_PATHS.developers, "types for TypeScript with GraphQL Code Generator"),
        ]),
      ]),
    ],
  };
  if (ran === null || ran.status === 200) return { kind: "page", page };
  return { kind: "refused", page, ...(ran.status >= 500 ? { status: 503 } : {}) };
}

/** The answer; null for the default query while other requests wait. */
async function runOf(
  { run }: Dependencies["graphql"],
  parameters: URLSearchParams,
  isAsked: boolean,
): Promise<Ran | null> {
  try {
    return await run(parameters);
  } catch (error) {
    if (!isAsked && error instanceof NoSlotError) return null;
    throw error;
  }
}

function formOf(parameters: URLSearchParams): FilterForm {
  const value = (name: string) => parameters.get(name) ?? "";
  return {
    action: SITE_PATHS.graphql,
    label: "A query of GraphQL",
    submit: "Send the query",
    fields: [
      {
        name: "query",
        label: "Query",
        description: `A query in GraphQL, at most ${LONGEST_QUERY.toLocaleString("en-US")} characters.`,
        value: value("query"),
        input: "code",
        attributes: { maxlength: `${LONGEST_QUERY}`, rows: "19", required: "" },
      },
      {
        name: "variables",
        label: "Variables (JSON)",
        description: "An object of JSON.",
        value: value("variables"),
        input: "code",
        attributes: { maxlength: `${LONGEST_QUERY}`, rows: "2" },
      },
    ],
    reset: null,
  };
}

function answerBlocks(ran: Ran | null): Block[] {
  if (ran === null) return [];
  const answer: unknown = JSON.parse(ran.text);
  const whole = JSON.stringify(answer, null, 2);
  const isLong = whole.length > LONGEST_ANSWER;
  const [first] = (answer as { errors?: readonly { message: string }[] }).errors ?? [];
  return [
    ...(first === undefined
      ? []
      : [notice("error", first.message, ran.status === 200 ? "In part." : "Not answered.")]),
    ...(isLong ? [notice("info", "Only the beginning is shown. The endpoint sends all of it.")] : []),
    snippet({
      label: `Response (${ran.status})`,
      language: "json",
      text: isLong ? `${whole.slice(0, LONGEST_ANSWER)}\n…` : whole,
    }),
  ];
}

function curlOf(endpoint: string, parameters: URLSearchParams): string {
  const variables = parameters.get("variables") ?? "";
  const quoted = (text: string) => text.replaceAll("'", "'\\''");
  return [
    `curl -sG '${endpoint}' \\\n  --data-urlencode 'query=${quoted(parameters.get("query") ?? "")}'`,
    ...(variables === "" ? [] : [`--data-urlencode 'variables=${quoted(variables)}'`]),
  ].join(" \\\n  ");
}
