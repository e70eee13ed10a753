/**
 * The schema: everything described, nothing of an account, and the file in the repository is current.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { healthSchema } from "../health/schema.ts";
import { EVENT_COLUMNS, PERSONS } from "../ledger/schema.ts";
import { SORTS } from "../market/listings-query.ts";
import { listingSchema, originatorSchema, STATUSES, statsSchema } from "../market/schema.ts";
import { createAnswerTypes } from "./answer-types.ts";
import { sdlText } from "./generate.ts";
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  printSchema,
  validateSchema,
} from "./graphql-js.ts";
import { createSchema } from "./schema.ts";
import { eventTypeName } from "./words.ts";

const schema = createSchema({ exposeAccounts: false });
const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));

const hasFields = (type: GraphQLNamedType) => isObjectType(type) || isInterfaceType(type);
const fieldsOf = (name: string, of = schema) => {
  const type = of.getType(name);
  if (type === undefined || !hasFields(type)) throw new Error(`no ${name} with fields`);
  return Object.keys(type.getFields());
};

describe("the schema", () => {
  it("is valid, and reads only", () => {
    expect(validateSchema(schema)).toEqual([]);
    expect([schema.getMutationType(), schema.getSubscriptionType()]).toEqual([undefined, undefined]);
    expect(own.filter(isInputObjectType)).toEqual([]);
  });

  it("describes every type, field, argument and word", () => {
    const undescribed: string[] = [];
    const check = (path: string, { description }: { description?: string | null | undefined }) => {
      if ((description ?? "").trim().length < 4) undescribed.push(path);
    };
    for (const type of own) {
      check(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
      if (!hasFields(type)) continue;
      for (const field of Object.values(type.getFields())) {
        check(`${type.name}.${field.name}`, field);
        for (const argument of field.args) check(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
    expect(undescribed).toEqual([]);
    expect(own.length).toBeGreaterThan(50);
  });

  it("has every field of REST, by its name", () => {
    expect(fieldsOf("Listing")).toEqual(expect.arrayContaining(Object.keys(listingSchema.shape)));
    expect(fieldsOf("Originator")).toEqual(expect.arrayContaining(Object.keys(originatorSchema.shape)));
    expect(fieldsOf("Stats")).toEqual(Object.keys(statsSchema.shape));
    expect(fieldsOf("ListingCounts")).toEqual([...STATUSES]);
    expect(fieldsOf("Health")).toEqual(Object.keys(healthSchema.shape));
    const sort = schema.getType("ListingSort");
    expect(isEnumType(sort) && sort.getValues().map(({ name }) => name)).toEqual([...SORTS]);
  });

  it("has a type for every kind of event, with all of its fields", () => {
    const names = EVENT_KINDS.map(eventTypeName);
    const event = schema.getType("LedgerEvent");
    const found = isInterfaceType(event) ? schema.getPossibleTypes(event).map(({ name }) => name) : [];
    expect(found.toSorted()).toEqual(names.toSorted());
    const columns = new Set(names.flatMap((name) => fieldsOf(name)));
    const persons: readonly string[] = PERSONS;
    expect([...columns].toSorted()).toEqual(
      [...EVENT_COLUMNS.filter((column) => !persons.includes(column)), "listing"].toSorted(),
    );
  });

  it("names persons only where the service does", () => {
    const all = createSchema({ exposeAccounts: true });
    expect(fieldsOf("SubscribedEvent", all)).toEqual(expect.arrayContaining(["backer", "payer"]));
    expect(fieldsOf("OfferFilledEvent", all)).toContain("buyer");
    const sdl = printSchema(schema);
    for (const person of PERSONS) expect(sdl).not.toMatch(new RegExp(`^  ${person}: Address`, "m"));
  });

  it("is the one in schema.graphql", () => {
    const committed = readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8");
    expect(sdlText()).toBe(committed);
    expect(printSchema(buildSchema(committed))).toBe(printSchema(schema));
  });
});

describe("types from schemas", () => {
  const object = (properties: Record<string, object>) => ({
    Thing: { description: "A thing.", properties, required: Object.keys(properties) },
  });
  const fields = (properties: Record<string, object>) =>
    createAnswerTypes(object(properties), {}).object("Thing").getFields();

  it("take nullability from null and from what is not required", () => {
    const schemas = {
      Thing: {
        description: "A thing.",
        properties: {
          sure: { type: "string", description: "Always." },
          nullable: { type: ["string", "null"], description: "Not always." },
          optional: { type: "string", description: "Not always." },
        },
        required: ["sure", "nullable"],
      },
    };
    const made = createAnswerTypes(schemas, {}).object("Thing").getFields();
    expect(Object.entries(made).map(([name, { type }]) => `${name}: ${type}`)).toEqual([
      "sure: String!",
      "nullable: String",
      "optional: String",
    ]);
  });

  it("refuse what has no description, and what GraphQL cannot say", () => {
    expect(() => fields({ mute: { type: "string" } })).toThrow("Thing.mute has no description");
    expect(() => fields({ odd: { description: "Odd.", type: "number" } })).toThrow("cannot be said");
    expect(() => fields({ word: { description: "A word.", enum: ["a", "b"] } })).toThrow(
      "Thing.word.a has no description",
    );
    expect(() => fields({ lost: { $ref: "#/components/schemas/Lost" } })).toThrow("there is no schema");
  });
});
