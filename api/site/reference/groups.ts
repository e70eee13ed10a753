/** @module The groups of the reference: the operations of each, and the named objects that it is the first to use. */

import type { ApiDescription } from "../dependencies.ts";
import { type Described, describedOperations, groupPath } from "../developers/described.ts";
import { namesIn, type PlaceOf, type Schemas } from "./schema.ts";

export type Group = {
  id: string;
  title: string;
  /** one sentence */
  text: string;
  /** whether it holds files and pages, which have no programs to show */
  isOfFiles: boolean;
  operations: readonly Described[];
  /** names of schemas, in the order in which the operations use them */
  objects: readonly string[];
};

export type Reference = { groups: readonly Group[]; schemas: Schemas; placeOf: PlaceOf };

/** Words for the groups. Any other has those of its tag. */
const WORDS: Readonly<Record<string, { title: string; text: string; isOfFiles?: boolean }>> = {
  listings: {
    title: "Listings",
    text: "Raises with their status, amounts and terms, the secondary desk, and the schedule of each raise.",
  },
  originators: {
    title: "Originators",
    text: "The businesses that raise money, with grades and track records.",
  },
  stats: { title: "Statistics", text: "The totals of the whole market." },
  ledger: {
    title: "Events",
    text: "Every event of the contracts, in pages, as CSV or as a stream, and what did not add up.",
  },
  proofs: { title: "Proofs", text: "Evidence for events and totals, which needs no trust in this service." },
  service: { title: "Service", text: "Whether the service is well, and what its last audit found." },
  tools: { title: "Tools", text: "The endpoint for agents: Model Context Protocol over HTTP." },
  graphql: { title: "GraphQL", text: "The same facts over HTTP, chosen field by field." },
  discovery: {
    title: "Discovery files",
    text: "Files that lead agents and developers to everything else: catalogs, sitemaps, llms.txt.",
    isOfFiles: true,
  },
  pages: {
    title: "Pages, feeds and pictures",
    text: "The site itself: every page as HTML and as Markdown, feeds, calendars and pictures to share.",
    isOfFiles: true,
  },
};

const made = new WeakMap<ApiDescription, Reference>();

/** The same for the same description. */
export function referenceOf(description: ApiDescription): Reference {
  const known = made.get(description) ?? makeReference(description);
  made.set(description, known);
  return known;
}

function makeReference(description: ApiDescription): Reference {
  const schemas = (description.components?.schemas ?? {}) as Schemas;
  const tags = description.tags ?? [];
  const order = tags.map(({ name }) => name);
  const all = describedOperations(description);
  const ids = new Set(
    all.toSorted((one, other) => order.indexOf(one.tag) - order.indexOf(other.tag)).map(({ group }) => group),
  );
  const places = new Map<string, string>();
  const groups = [...ids].map((id): Group => {
    const operations = all.filter(({ group }) => group === id);
    const objects = namesUsed(operations, schemas).filter((name) => !places.has(name));
    for (const name of objects) places.set(name, `${groupPath(id)}#${objectId(name)}`);
    const tag = tags.find(({ name }) => name === operations[0]?.tag);
    const {
      title,
      text,
      isOfFiles = false,
    } = WORDS[id] ?? { title: tag?.name ?? id, text: tag?.description ?? "" };
    return { id, title, text, isOfFiles, operations, objects };
  });
  return { groups, schemas, placeOf: (name) => places.get(name) };
}

export function objectId(name: string): string {
  return `object-${name}`;
}

/** The schemas that operations refer to, each followed by those that it refers to itself. */
function namesUsed(operations: readonly Described[], schemas: Schemas): string[] {
  const used = new Set<string>();
  const use = (name: string) => {
    if (used.has(name)) return;
    used.add(name);
    for (const inner of namesIn(schemas[name])) use(inner);
  };
  for (const { operation } of operations) {
    for (const name of namesIn({ oneOf: [operation] as never })) use(name);
  }
  return [...used].filter((name) => schemas[name] !== undefined);
}
