/** Every type of the GraphQL schema, as a part of the reference. @module */
import { section } from "../blocks.ts";
import type { GraphqlField, GraphqlType } from "../dependencies.ts";
import type { Property, PropertyList } from "../endpoint.ts";
import type { Block, Section } from "../page.ts";

/** Its path in the reference. */
export const TYPES_ID = "graphql-types";

export function typeSections(types: readonly GraphqlType[]): Section[] {
  // Scalars are everywhere: a link each would be most of the page.
  const known = new Set(types.filter(({ kind }) => kind !== "scalar").map(({ name }) => name));
  const placeOf = (name: string) => (known.has(name) ? `#${typeId(name)}` : undefined);
  return types.map((type) => {
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
