/** @module The filters of listings from the texts of an address, for faces without a schema of parameters of their own. Pure. */
import { FILTERS, type ListingsFilter } from "./listings-filters.ts";
import type { ListingsQuery } from "./listings-query.ts";
import { type RefusedField, readField, wholeNumber } from "./query-field.ts";

export type ListingsText = {
  filter: ListingsQuery;
  /** the parameters that are given, in the order of the filters, each as one text */
  given: URLSearchParams;
  /** values that are not allowed, and parameters that are no filter */
  refused: readonly RefusedField[];
};

/** Reads the filters of `/v1/listings`; a list's words are separated by commas, repeated, or both. */
export function readListingsText(parameters: URLSearchParams): ListingsText {
  const names = Object.keys(FILTERS);
  const given = new URLSearchParams(
    names.flatMap((name) => (parameters.has(name) ? [[name, parameters.getAll(name).join(",")]] : [])),
  );
  const filter: Record<string, unknown> = {};
  const refused: RefusedField[] = [];
  for (const [name, field] of Object.entries<ListingsFilter>(FILTERS)) {
    const text = given.get(name);
    if (text === null) continue;
    const read = readField(field, valueIn(text, field), text);
    if ("refusal" in read) refused.push({ name, ...read.refusal });
    else filter[name] = read.value;
  }
  const unknown = [...new Set(parameters.keys())].filter((name) => !names.includes(name));
  return {
    filter,
    given,
    refused: [
      ...unknown.map((name) => ({ name, detail: "There is no such parameter", allowed: names })),
      ...refused,
    ],
  };
}

function valueIn(text: string, { kind }: ListingsFilter): unknown {
  if (kind === "words" || kind === "country") return text.split(",");
  return kind === "integer" ? wholeNumber(text) : text;
}
