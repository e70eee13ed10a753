/** @module Every type of the GraphQL schema, as a part of the reference. */
import { section } from "../blocks.ts";
import type { GraphqlField, GraphqlType } from "../dependencies.ts";
import { groupPath } from "../developers/described.ts";
import type { Property, PropertyList } from "../endpoint.ts";
import type { Block, Section } from "../page.ts";

/** Their paths in the reference: agents read no more than 50,000 characters of a page. */
export const TYPES_ID = "graphql-types";
export const EVENT_TYPES_ID = "graphql-events";

/** Whether a type is one of those of events: each has the fields of the interface `LedgerEvent`. */
export const isEventType = ({ name, interfaces }: GraphqlType): boolean =>
  interfaces.length > 0 || name.startsWith("LedgerEvent");

/** The types of one of the two parts. */
export function typeSections(
  types: readonly GraphqlType[],
  part: typeof TYPES_ID | typeof EVENT_TYPES_ID,
): Section[] {
  const partOf = (type: GraphqlType) => (isEventType(type) ? EVENT_TYPES_ID : TYPES_ID);
  // Scalars are everywhere: a link each would be most of the page.
  const places = new Map(
    types.filter(({ kind }) => kind !== "scalar").map((type) => [type.name, partOf(type)]),
  );
  const placeOf = (name: string) => {
    const place = places.get(name);
    if (place === undefined) return undefined;
    return `${place === part ? "" : groupPath(place)}#${typeId(name)}`;
  };
  const own = types.filter((type) => partOf(type) === part);
  return own.map((type) => {
    const lists = listsOf(type, placeOf);
    const words = [type.description, inherits(type)].filter((text) => text !== "").join(" ");
    const blocks: (Block | null)[] = [
      words === "" ? null : { kind: "note", text: words },
      lists.length === 0 ? null : { kind: "properties", lists },
    ];
    return section(typeId(type.name), type.name, blocks);
  });
}

export function typeId(name: string): string {
  return `type-${name}`;
}

function inherits({ interfaces }: GraphqlType): string {
  return interfaces.length === 0
    ? ""
    : `It also has the fields of ${interfaces.map((name) => `\`${name}\``).join(", ")}.`;
}

type PlaceOf = (name: string) => string | undefined;

function listsOf(type: GraphqlType, placeOf: PlaceOf): PropertyList[] {
  const { fields, values, implementations } = type;
  return [
    { title: "Fields", properties: fields.map((one) => fieldOf(one, placeOf)) },
    {
      title: "Values",
      properties: values.map(({ name, description }) => ({ name, type: "", text: description })),
    },
    {
      title: "One of",
      properties: implementations.map((name) => ({ name, type: "", href: placeOf(name), text: "" })),
    },
  ].filter(({ properties }) => properties.length > 0);
}

function fieldOf(field: GraphqlField, placeOf: PlaceOf): Property {
  const { name, type, named, description, arguments: given } = field;
  const limits =
    given.length === 0 ? "" : `Arguments: ${given.map((one) => `\`${one.name}: ${one.type}\``).join(", ")}.`;
  return { name, type, href: placeOf(named), text: description, limits };
}
