/** @module Events as they are answered: the fields of each kind with their schemas, made from the table of event kinds. */
import { z } from "@hono/zod-openapi";
import { type ArgumentDescriptor, EVENT_DESCRIPTORS, type Unit } from "../../src/fold/event-kinds.ts";
import { EVENT_KINDS, type EventKind } from "../../src/fold/vocabulary.ts";
import {
  address,
  amount,
  basisPoints,
  count,
  flag,
  hash,
  id,
  listOf,
  refnum,
  text,
  time,
  txHash,
} from "../market/fields.ts";
import { finalitySchema } from "../market/schema.ts";

const word = (names: readonly string[], description: string) =>
  z
    .string()
    .regex(new RegExp(`^(${names.join("|")}|unknown_[0-9]+)$`))
    .openapi({
      description: `${description}: ${names.join(", ")}, or \`unknown_<number>\` for a number that the contracts' interface does not define.`,
      example: names[0],
    });

const SCHEMAS = {
  dollars: amount,
  tokens: amount,
  id,
  rate: basisPoints,
  price: basisPoints,
  days: count,
  time,
  optionalTime: (description: string) => time(description).nullable(),
  flag,
  address,
  person: (description: string) =>
    address(`${description}. Only if the service publishes the addresses of persons`).optional(),
  hash,
  text: (description: string) => text(`${description}.`, "Deposited"),
} satisfies Record<Exclude<Unit, "word" | "refnum">, (description: string) => z.ZodType>;

export type EventField = {
  /** name of the event's argument that it is made of */
  argument: string;
  name: string;
  unit: keyof typeof SCHEMAS | "word";
  schema: z.ZodType;
  /** whether an answer leaves it out when it has no value */
  isOmitted: boolean;
};

/** GraphQL has one nullability for a field, whatever the kind. */
const NULLABLE_NAMES = new Set(
  EVENT_KINDS.flatMap((kind) =>
    Object.entries<ArgumentDescriptor>(EVENT_DESCRIPTORS[kind].args).flatMap(
      ([argument, { name = argument, optional }]) => (optional === true ? [name] : []),
    ),
  ),
);

const FIELDS = new Map(EVENT_KINDS.map((kind) => [kind, describe(kind)]));

/** The fields specific to a kind, in the order of the answer. */
export function fieldsOf(kind: EventKind): readonly EventField[] {
  return FIELDS.get(kind) ?? [];
}

function describe(kind: EventKind): EventField[] {
  const args = Object.entries<ArgumentDescriptor>(EVENT_DESCRIPTORS[kind].args);
  return args.flatMap(([argument, { unit, description, name = argument, words = [], omitted }]) => {
    if (unit === "refnum") return [];
    const known: z.ZodType = unit === "word" ? word(words, description) : SCHEMAS[unit](description);
    const schema = NULLABLE_NAMES.has(name) ? known.nullable() : known;
    return [
      {
        argument,
        name,
        unit,
        schema: omitted === true ? schema.optional() : schema,
        isOmitted: omitted === true,
      },
    ];
  });
}

export const positionFields = {
  blockNumber: id("Number of its block"),
  blockTime: time("Time of its block"),
  logIndex: count("Its index among the logs of the block.", 3),
  part: count("Its place among the events of the log; absent for the first.", 1).optional(),
  txHash,
  finality: finalitySchema,
};

const LISTING_FIELDS = {
  publicId: text("Public id of the listing.", "lst_bakery"),
  refnum: refnum("Reference number of the listing"),
  ...positionFields,
};

type SchemaOf<Field> = Field extends { omitted: true }
  ? z.ZodOptional<z.ZodNullable<KnownSchemaOf<Field>>>
  : Field extends { optional: true }
    ? z.ZodNullable<KnownSchemaOf<Field>>
    : KnownSchemaOf<Field>;
type KnownSchemaOf<Field> = Field extends { unit: infer Of extends keyof typeof SCHEMAS }
  ? ReturnType<(typeof SCHEMAS)[Of]>
  : z.ZodString;
type NameOf<Argument, Field> = Field extends { name: infer Name extends string }
  ? Name
  : Field extends { unit: "refnum" }
    ? never
    : Argument;
type ShapeOf<Args> = { [Name in keyof Args as NameOf<Name, Args[Name]>]: SchemaOf<Args[Name]> };

/** One event of a visible listing: the fields that all have, and those of its kind. */
export type LedgerEvent<Kind extends EventKind = EventKind> = {
  [One in Kind]: { kind: One } & z.infer<
    z.ZodObject<typeof LISTING_FIELDS & ShapeOf<(typeof EVENT_DESCRIPTORS)[One]["args"]>>
  >;
}[Kind];

/** Name of the schema of a kind of events, and of its GraphQL type. */
export function eventTypeName(kind: EventKind): string {
  return `${kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

function eventSchema(kind: EventKind) {
  return z
    .object({
      kind: z.literal(kind).openapi({ description: "What happened.", example: kind }),
      ...LISTING_FIELDS,
      ...Object.fromEntries(fieldsOf(kind).map(({ name, schema }) => [name, schema])),
    })
    .openapi(eventTypeName(kind));
}

const [firstKind, ...otherKinds] = EVENT_KINDS;
export const ledgerEventSchema = z
  .discriminatedUnion("kind", [eventSchema(firstKind), ...otherKinds.map(eventSchema)])
  .openapi("LedgerEvent", { description: "One event of the chain." });

/** Fields that only a module's contracts can have: in JSON alone, so that the columns of the CSV stay as they were. */
const NO_COLUMNS: ReadonlySet<string> = new Set([
  "part",
  ...EVENT_KINDS.flatMap((kind) =>
    fieldsOf(kind).flatMap(({ name, isOmitted }) => (isOmitted || kind === "unmapped" ? [name] : [])),
  ),
]);

/** Every other field that an event can have, in the order of the description: the columns of the CSV. */
export const EVENT_COLUMNS: readonly string[] = [
  ...new Set(ledgerEventSchema.options.flatMap(({ shape }) => Object.keys(shape))),
].filter((name) => !NO_COLUMNS.has(name));

/** The columns that have dollars in base units in some rows: an offer's `amount` is of tokens. */
export const DOLLAR_COLUMNS: ReadonlySet<string> = new Set(
  EVENT_KINDS.flatMap((kind) =>
    fieldsOf(kind).flatMap(({ name, unit }) => (unit === "dollars" ? [name] : [])),
  ),
);

export const pageSchema = z
  .object({
    nextCursor: text("The `cursor` of the next page; null when there is none.", "MTIwLjM").nullable(),
  })
  .openapi("Page", { description: "Position of the next page." });

export const ledgerPageSchema = z
  .object({
    events: listOf(ledgerEventSchema, "Newest first."),
    page: pageSchema,
  })
  .openapi("LedgerPage", { description: "A page of the ledger." });
