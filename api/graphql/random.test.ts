/** Any query that the schema allows: it is answered, or refused for a reason that it can be told. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { graphqlApp, queryRunner } from "../../test/harness/graphql.ts";
import { busyLedger } from "../../test/harness/mcp.ts";
import { DESK, offerRow, repaymentRow, tradeRow } from "../../test/harness/rows.ts";
import { recordedLog, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
} from "./packages.ts";
import { schemaFor } from "./schema.ts";

const schema = schemaFor({ exposeAccounts: false });
const DEEPEST = 5;

/** Values of arguments by name, right ones and such as a caller may get wrong. */
const TEXTS: Record<string, readonly string[]> = {
  id: ["lst_2", "RB00003", "lst_nowhere", "__proto__", ""],
  publicId: ["org_northwind", "org_nobody", "constructor"],
  originator: ["org_northwind", "org_unverified", "nobody"],
  q: ["oven", "BAKERY  rb", "", "x".repeat(201)],
  jurisdiction: ["SG", "DE", "sg"],
  after: ["MTIwLjM", "b3JnX25vcnRod2luZA", "WyJuZXdlc3QiLCItMTc3MjI4MDAwMCIsImxzdF8yIl0", "x"],
  since: ["0", "48211034", "2026-03-01T11:59:30Z", "yesterday"],
  until: ["48211004", "2026-03-01T12:00:00+01:00", "99999999999999999999"],
  closingBefore: ["2026-03-11T12:00:00Z", "2030-01-01T00:00:00.5Z"],
  from: ["2026-01-01T00:00:00Z", "1900-01-01T00:00:00Z", "2030-01-01T00:00:00Z"],
  to: ["2026-02-01T00:00:00Z", "2030-01-01T00:00:00Z"],
  dueBefore: ["2026-02-10T12:00:00Z", "2030-01-01T00:00:00Z"],
};
const NUMBERS = [1, 2, 5, 50, 200];

function literalFor(argument: GraphQLArgument): fc.Arbitrary<string> {
  const type = getNamedType(argument.type);
  if (isEnumType(type)) {
    const words = fc.constantFrom(...type.getValues().map(({ name }) => name));
    return isListType(argument.type)
      ? fc.array(words, { minLength: 1, maxLength: 3 }).map((some) => `[${some.join(", ")}]`)
      : words;
  }
  if (type.name === "Int" || type.name === "SafeInt") return fc.constantFrom(...NUMBERS).map(String);
  return fc.constantFrom(...(TEXTS[argument.name] ?? ["x"])).map((text) => JSON.stringify(text));
}

function argumentsOf({ args }: GraphQLField<unknown, unknown>): fc.Arbitrary<string> {
  const required = args.filter(({ type }) => `${type}`.endsWith("!"));
  return fc
    .subarray([...args], { maxLength: Math.min(3, args.length) })
    .chain((some) => {
      const given = [...new Set([...required, ...some])];
      return fc.tuple(...given.map((one) => literalFor(one).map((value) => `${one.name}: ${value}`)));
    })
    .map((given) => (given.length === 0 ? "" : `(${given.join(", ")})`));
}

/** Some fields of a type, at most so many levels of them. */
function selectionOf(type: GraphQLNamedType, levels: number): fc.Arbitrary<string> {
  if (!isObjectType(type) && !isInterfaceType(type)) return fc.constant("");
  const fields = Object.values(type.getFields()).filter(
    (field) => levels > 1 || isLeafType(getNamedType(field.type)),
  );
  const one = (field: GraphQLField<unknown, unknown>) => {
    const inner = getNamedType(field.type);
    const within = isLeafType(inner)
      ? fc.constant("")
      : selectionOf(inner, levels - 1).map((selection) => ` { ${selection} }`);
    return fc.tuple(argumentsOf(field), within).map(([given, rest]) => `${field.name}${given}${rest}`);
  };
  const own = fc
    .subarray(fields, { minLength: Math.min(1, fields.length), maxLength: Math.min(4, fields.length) })
    .chain((some) => fc.tuple(...some.map(one)))
    .map((some) => ["__typename", ...some].join(" "));
  if (!isInterfaceType(type) || levels <= 1) return own;
  const kinds = schema.getPossibleTypes(type);
  const ofKind = fc
    .constantFrom(...kinds)
    .chain((kind) => selectionOf(kind, 1).map((selection) => `... on ${kind.name} { ${selection} }`));
  return fc.tuple(own, ofKind).map((parts) => parts.join(" "));
}

/** The codes with which a query of the right types can be refused. */
const REASONS = new Set(["BAD_USER_INPUT", "QUERY_TOO_COSTLY", "TOO_MANY_TOKENS"]);

it("random valid queries are answered, or refused for a reason", async () => {
  const query = schema.getQueryType();
  if (!query) throw new Error("a schema has a query");
  const tables = tablesOf({
    repayments: [repaymentRow()],
    offers: [offerRow({ desk: DESK })],
    trades: [tradeRow()],
  });
  const snapshot = await snapshotOf(tables);
  const { log, lines } = recordedLog();
  const run = queryRunner(
    await graphqlApp({ updater: { current: () => snapshot }, ledger: busyLedger(7), log }),
  );
  let answered = 0;
  const property = fc.asyncProperty(selectionOf(query, DEEPEST), async (selection) => {
    const { status, data, errors = [] } = await run(`{ ${selection} }`);
    expect(status).toBe(200);
    for (const { message, extensions } of errors) {
      expect(REASONS).toContain(extensions.code);
      expect(message).not.toBe("");
    }
    if (errors.length > 0) return;
    expect(data).toMatchObject({ __typename: "Query" });
    answered += 1;
  });
  const runs = 400;
  await fc.assert(property, { numRuns: runs, seed: 11 });
  expect(lines).toEqual([]);
  // The most of them are of the first sort, or the test would say little.
  expect(answered).toBeGreaterThan(runs / 3);
});
