/** @module The API reference, written from the served OpenAPI description: an index, and a page for each group. http.md, "Pages". */
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, section, table } from "../blocks.ts";
import type { ApiDescription, SiteDependencies } from "../dependencies.ts";
import { type Answer, groupPath, operationPath } from "../developers/described.ts";
import type { Property } from "../endpoint.ts";
import { EVENT_TYPES_ID, isEventType, TYPES_ID, typeId, typeSections } from "../graphql/types-page.ts";
import type { Block, ContentsGroup, Page, PageLink, PageResult, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { code, link, text } from "../value.ts";
import { endpointOf, HEADERS_ID, inlineLists } from "./endpoint.ts";
import { type Group, objectId, type Reference, referenceOf } from "./groups.ts";
import { objectLists } from "./schema.ts";

const TYPES_TITLE = "GraphQL types";

type Dependencies = Pick<SiteDependencies, "publicSettings" | "knowledge" | "description" | "graphql">;

export function referencePage(deps: Dependencies): Page {
  const { publicSettings, knowledge } = deps;
  const { publicUrl } = publicSettings;
  const description = deps.description();
  const reference = referenceOf(description);
  return {
    path: SITE_PATHS.reference,
    title: "API reference",
    description: "Every operation: parameters, responses, fields, and a recorded example of each.",
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board, CRUMBS.developers],
    sections: [
      section("start", "Before you begin", [
        facts("list", [
          fact(
            "baseUrl",
            "Base URL",
            code(`${publicUrl}/v1`),
            "No key, no account: everything here is public.",
          ),
          fact("amounts", "Amounts", text("strings in base units, with 18 decimals")),
          fact("rates", "Rates", text("integers in basis points"), "1250 is 12.5%."),
          fact("times", "Times", text("ISO 8601 in UTC")),
          fact(
            "methods",
            "Methods",
            text("GET, and HEAD with the same headers"),
            "Tools and GraphQL take POST, too.",
          ),
          fact(
            "unknown",
            "Unknown parameters",
            text("refused with 400"),
            "The response says which are allowed.",
          ),
        ]),
        links([
          linkTo("For developers", SITE_PATHS.developers, "where to begin, and the TypeScript client"),
          linkTo("Limits and errors", SITE_PATHS.limits, "of all interfaces, with fixes"),
          linkTo("OpenAPI 3.1", PATHS.openApi, "this reference for programs and generators"),
        ]),
      ]),
      ...reference.groups.map(groupSection),
      section(HEADERS_ID, "Headers of responses", [
        {
          kind: "properties",
          lists: [
            { title: "Every response has some of them", properties: headersOf(description, reference) },
          ],
        },
      ]),
    ],
    contents: contentsOf(partsOf(reference, deps), null),
    isLive: false,
  };
}

function groupSection(group: Group): Section {
  const operations = section(group.id, group.title, [
    { kind: "note", text: group.text },
    table({
      caption: `Operations: ${group.title}`,
      items: group.operations,
      keyOf: ({ operation }) => operation.operationId,
      columns: [
        ["summary", "Operation", (one) => link(one.operation.summary, operationPath(one))],
        ["path", "Request", ({ request }) => code(`${request.method} ${request.base}${request.template}`)],
      ],
      empty: "No operations.",
    }),
    group.id === "graphql"
      ? links([linkTo(TYPES_TITLE, groupPath(TYPES_ID), "types and fields of the schema")])
      : null,
  ]);
  return { ...operations, isFolded: group.isOfFiles };
}

/** Each header once, as the operations name it. */
function headersOf(description: ApiDescription, { groups }: Reference): Property[] {
  const described = (description.components?.headers ?? {}) as Readonly<
    Record<string, { description?: string }>
  >;
  const headers = new Map<string, string>();
  for (const { operation } of groups.flatMap(({ operations }) => operations)) {
    for (const answer of Object.values<Answer>(operation.responses)) {
      for (const [name, header] of Object.entries(answer.headers ?? {})) {
        const component = described[header.$ref?.split("/").at(-1) ?? ""];
        if (!headers.has(name)) headers.set(name, header.description ?? component?.description ?? "");
      }
    }
  }
  return [...headers].map(([name, text]) => ({ name, type: "", text }));
}

/** A page of the reference: what it shows, and the links to its places. */
type Part = {
  id: string;
  title: string;
  text: string;
  places: readonly PageLink[];
  sections(): readonly Section[];
};

/** The groups, and the types of GraphQL after its operations. */
function partsOf(reference: Reference, { publicSettings, graphql }: Dependencies): Part[] {
  const types: Part = {
    id: TYPES_ID,
    title: TYPES_TITLE,
    text: "The types of the schema with their fields, arguments and values, the queries first.",
    // Values are a link away from the fields that have them.
    places: graphql
      .types()
      .filter((type) => type.kind !== "enum" && type.kind !== "scalar" && !isEventType(type))
      .map(({ name }) => linkTo(name, `#${typeId(name)}`, "object")),
    sections: () => typeSections(graphql.types(), TYPES_ID),
  };
  const events: Part = {
    id: EVENT_TYPES_ID,
    title: "GraphQL events",
    text: "The type of each kind of event, with its own fields; `LedgerEvent` has those of all.",
    places: graphql
      .types()
      .filter(isEventType)
      .map(({ name }) => linkTo(name, `#${typeId(name)}`, "object")),
    sections: () => typeSections(graphql.types(), EVENT_TYPES_ID),
  };
  return reference.groups.flatMap((group) => {
    const { id, title, text, operations, objects } = group;
    const part: Part = {
      id,
      title,
      text,
      places: [
        ...operations.map(({ operation }) => linkTo(operation.summary, `#${operation.operationId}`)),
        ...objects.map((name) => linkTo(name, `#${objectId(name)}`, "object")),
      ],
      sections: () => sectionsOf(group, reference, publicSettings.publicUrl),
    };
    return id === "graphql" ? [part, types, events] : [part];
  });
}

function sectionsOf(group: Group, { placeOf: placeIn, schemas }: Reference, publicUrl: string): Section[] {
  const { id, isOfFiles, operations, objects } = group;
  const placeOf = (name: string) => placeIn(name)?.replace(`${groupPath(id)}#`, "#");
  return [
    ...operations.map((one) =>
      section(one.operation.operationId, one.operation.summary, [
        { kind: "endpoint", endpoint: endpointOf(one, { publicUrl, placeOf, isOfFiles }) },
        properties(inlineLists(one, placeOf)),
      ]),
    ),
    ...objects.map((name) =>
      section(objectId(name), name, [
        schemas[name]?.description === undefined ? null : { kind: "note", text: schemas[name].description },
        properties(objectLists(name, schemas, placeOf)),
      ]),
    ),
  ];
}

/** @param id of a part */
export function referencePartPage(deps: Dependencies, id: string): PageResult {
  const parts = partsOf(referenceOf(deps.description()), deps);
  const part = parts.find((one) => one.id === id);
  if (part === undefined) return { kind: "missing", detail: "The reference has no such part." };
  const page: Page = {
    path: groupPath(id),
    title: `${part.title}: API reference`,
    lead: part.text,
    description: part.text,
    updated: knowledgeUpdated(deps.knowledge),
    crumbs: [CRUMBS.board, CRUMBS.developers, { title: "API reference", path: SITE_PATHS.reference }],
    sections: part.sections(),
    contents: contentsOf(parts, part),
    isLive: false,
  };
  return { kind: "page", page };
}

function properties(lists: ReturnType<typeof objectLists>): Block | null {
  return lists.length === 0 ? null : { kind: "properties", lists };
}

function contentsOf(parts: readonly Part[], current: Part | null): ContentsGroup[] {
  return [
    { title: "Overview", path: SITE_PATHS.reference, isCurrent: current === null, links: [] },
    ...parts.map((part) => ({
      title: part.title,
      path: groupPath(part.id),
      isCurrent: part === current,
      links: part === current ? part.places : [],
    })),
  ];
}

/** The pages of the parts, in their order. */
export function referencePaths(deps: Pick<Dependencies, "description">): string[] {
  return [...referenceOf(deps.description()).groups.map(({ id }) => id), TYPES_ID, EVENT_TYPES_ID].map(
    groupPath,
  );
}
