/** @module The types of the schema as data, for pages about it. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from "./packages.ts";

type DescribedField = {
  name: string;
  /** as in the schema, such as `[Listing!]!` */
  type: string;
  /** the type without lists and non-null */
  named: string;
  description: string;
  arguments: readonly DescribedField[];
};

export type DescribedType = {
  name: string;
  kind: "object" | "interface" | "enum" | "scalar";
  description: string;
  /** interfaces that it implements; their fields are left to them */
  interfaces: readonly string[];
  /** types that implement it */
  implementations: readonly string[];
  fields: readonly DescribedField[];
  values: readonly { name: string; description: string }[];
};

/** Every type but those of the language: the queries, what they lead to, then enumerations and scalars. */
export function describeTypes(schema: GraphQLSchema): DescribedType[] {
  const all = reachedFrom(schema).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  return all
    .map((type): DescribedType => {
      const hasFields = isObjectType(type) || isInterfaceType(type);
      const interfaces = hasFields ? type.getInterfaces() : [];
      const inherited = new Set(interfaces.flatMap((one) => Object.keys(one.getFields())));
      const fields = hasFields ? Object.values(type.getFields()) : [];
      return {
        name: type.name,
        kind: isInterfaceType(type)
          ? "interface"
          : isEnumType(type)
            ? "enum"
            : isScalarType(type)
              ? "scalar"
              : "object",
        description: type.description ?? "",
        interfaces: interfaces.map(({ name }) => name),
        implementations: isInterfaceType(type)
          ? schema.getImplementations(type).objects.map(({ name }) => name)
          : [],
        fields: fields.filter(({ name }) => !inherited.has(name)).map(describeField),
        values: isEnumType(type)
          ? type.getValues().map(({ name, description }) => ({ name, description: description ?? "" }))
          : [],
      };
    })
    .toSorted((one, other) => RANKS[one.kind] - RANKS[other.kind]);
}

const RANKS: Record<DescribedType["kind"], number> = { object: 0, interface: 0, enum: 1, scalar: 2 };

/** The types in the order in which the queries lead to them, level by level. */
function reachedFrom(schema: GraphQLSchema): GraphQLNamedType[] {
  const reached = new Set<GraphQLNamedType>();
  const query = schema.getQueryType();
  if (query) reached.add(query);
  // A set that grows while it is read is read to its end.
  for (const type of reached) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      for (const { type: one } of [field, ...field.args]) reached.add(getNamedType(one));
    }
    if (isInterfaceType(type)) for (const one of schema.getImplementations(type).objects) reached.add(one);
  }
  return [...reached];
}

function describeField(field: GraphQLField<unknown, unknown> | GraphQLArgument): DescribedField {
  return {
    name: field.name,
    type: String(field.type),
    named: getNamedType(field.type).name,
    description: field.description ?? "",
    arguments: "args" in field ? field.args.map(describeField) : [],
  };
}
