import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { healthSchema } from "../health/schema.ts";
import { EVENT_COLUMNS, eventTypeName } from "../ledger/schema.ts";
import { address, amount, refnum, time } from "../market/fields.ts";
import { SORTS } from "../market/listings-order.ts";
import { listingSchema, originatorSchema, STATUSES, statsSchema } from "../market/schema.ts";
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  printSchema,
  validateSchema,
} from "./packages.ts";
import { schemaFor } from "./schema.ts";
import { objectType } from "./zod-types.ts";

const schema = schemaFor({ exposeAccounts: false });
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
      // The last three are of other contracts, and have no column in the CSV.
      [
        ...EVENT_COLUMNS.filter((column) => !persons.includes(column)),
        ...["listing", "logName", "paidAmount", "part"],
      ].toSorted(),
    );
  });

  it("names persons only where the service does", () => {
    const all = schemaFor({ exposeAccounts: true });
    expect(fieldsOf("SubscribedEvent", all)).toEqual(expect.arrayContaining(["backer", "payer"]));
    expect(fieldsOf("OfferFilledEvent", all)).toContain("buyer");
    const sdl = printSchema(schema);
    for (const person of PERSONS) expect(sdl).not.toMatch(new RegExp(`^  ${person}: Address`, "m"));
  });
});

describe("types from zod schemas", () => {
  const text = z.string().openapi({ description: "A text." });
  const typeWith = (shape: z.ZodRawShape) =>
    objectType("type Thing", z.object(shape).openapi({ description: "A thing." }), new Map(), {});

  it("take nullability from null and from what can be left out", () => {
    const sdl = typeWith({
      sure: text,
      nullable: text.nullable(),
      optional: text.optional(),
      some: z.array(text).openapi({ description: "Texts." }),
    });
    expect(sdl.split("\n")).toEqual([
      '"A thing." type Thing {',
      '"A text." sure: String!',
      '"A text." nullable: String',
      '"A text." optional: String',
      '"Texts." some: [String!]!',
      "}",
    ]);
  });

  it("take scalars from the form of a text", () => {
    const sdl = typeWith({
      amount: amount("Sum"),
      at: time("When").nullable(),
      by: address("Who"),
      name: refnum("Name"),
    });
    expect(sdl).toMatch(/amount: BigInt!\n.*at: DateTime\n.*by: Address!\n.*name: String!/);
  });

  it("refuse what has no description, and what GraphQL cannot say", () => {
    expect(() => typeWith({ mute: z.string() })).toThrow("Thing.mute has no description");
    const odd = z.number().openapi({ description: "Odd." });
    expect(() => typeWith({ odd })).toThrow("Thing.odd has no type in GraphQL");
    expect(() => objectType("type Thing", z.object({}), new Map(), {})).toThrow("Thing has no description");
  });
});
