/** @module Hostile documents and variables to the GraphQL endpoint. */
import fc from "fast-check";
import { brokenBody, hostileJson, jsonObject, jsonText } from "./json.ts";
import { type HostileCase, hostileHeaders, hostileMethod, othersTo, postsTo } from "./request.ts";
import { encode, hostileCursor, hostileText, PROTOTYPE_NAMES } from "./text.ts";

const FIELDS = [
  ...["listings", "listing", "originators", "originator", "trading", "stats", "events", "health"],
  ...["__schema", "__type", "__typename", "nodes", "edges", "node", "pageInfo", "publicId", "schedule"],
];
const ARGUMENTS = [
  ...["id", "publicId", "first", "after", "limit", "cursor", "status", "grade", "sort", "originator"],
  ...["minCouponBps", "closingBefore", "jurisdiction", "kinds", "kind", "since", "until", "finality", "name"],
  ...["q", "repayment", "maxCouponBps", "minTenorDays", "maxTenorDays"],
];

export const times = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join(" ");

/** A few levels of two fragments each, so that the last level is there 2 to the power of the levels times. */
const fragmentBomb = (levels: number) =>
  `{ ...F0 } ${times(levels, (level) => `fragment F${level} on Query { a${level}: __typename ...F${level + 1} ...F${level + 1} }`)} fragment F${levels} on Query { __typename }`;

export const deepTypes = (levels: number) =>
  `{ __schema { types { ${"fields { type { ".repeat(levels)}name${" } }".repeat(levels)} } } }`;

/** Documents each of which was too much for some server. */
const BOMBS = [
  `{ ${times(2_000, (index) => `a${index}: __typename`)} }`,
  `{ ${times(100, (index) => `a${index}: listings { nodes { publicId description } }`)} }`,
  `{ ${times(5_000, () => "__typename")} }`,
  `{ __typename ${times(2_000, () => "@skip(if: false)")} }`,
  `{ __typename ${times(2_000, (index) => `@d${index}`)} }`,
  `query(${times(2_000, (index) => `$v${index}: Int`)}) { __typename }`,
  "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
  "{ ...A } fragment A on Query { ...A }",
  "{ listings { ...A } } fragment A on ListingConnection { nodes { ...B } } fragment B on Listing { originator { ...B } }",
  fragmentBomb(10),
  fragmentBomb(12),
  fragmentBomb(40),
  fragmentBomb(300),
  deepTypes(8),
  deepTypes(300),
  `{ __schema { ${times(300, (index) => `t${index}: types { name fields { name } }`)} } }`,
  `${"{ listings { nodes ".repeat(3_000)}${"} }".repeat(3_000)}`,
  `${"{ a ".repeat(10_000)}${"}".repeat(10_000)}`,
  "{".repeat(30_000),
  `{ listing(id: ${"[".repeat(10_000)}${"]".repeat(10_000)}) { publicId } }`,
  `{ listing(id: ${"{a:".repeat(5_000)}1${"}".repeat(5_000)}) { publicId } }`,
  `query Q($a: ${"[".repeat(5_000)}Int${"]".repeat(5_000)}) { __typename }`,
  `{ listing(id: "${"x".repeat(50_000)}") { publicId } }`,
  `{ listing(id: """${'\\"""'.repeat(5_000)}""") { publicId } }`,
  `${times(500, (index) => `query Q${index} { __typename }`)}`,
  `# ${"x".repeat(60_000)}\n{ __typename }`,
  `{ listings(first: 200) { nodes { ${times(30, (index) => `e${index}: events(first: 200) { nodes { kind } }`)} } } }`,
  `{ ${times(14, (index) => `t${index}: __schema { types { name description fields { name description args { name description type { name ofType { name } } } } enumValues { name description } } }`)} }`,
  "mutation { __typename }",
  "subscription { __typename }",
  "mutation { deleteEverything }",
  '{ __type(name: "__proto__") { name } a: __type(name: "constructor") { name fields { name } } }',
  "query Q($a: Int = 1, $a: Int = 2) { __typename }",
  "query($a: Query) { __typename }",
  "{ ... on Nothing { a } }",
  "{ ... @include(if: $missing) { __typename } }",
  "{ __typename @defer @stream @live }",
  "fragment A on Query { __typename }",
  "extend type Query { hostile: Int } { hostile }",
  "type Query { a: Int }",
  "schema { query: Query }",
  "{ listing(id: 1e999) { publicId } listings(first: 99999999999999999999) { totalCount } }",
  "\uFEFF{ __typename }",
  "{ __typename \u0000 }",
  "{ \u202Eemanepyt__ }",
  '{ listing(id: "\\u{110000}") { publicId } }',
  '{ listing(id: "\\ud83d") { publicId } }',
];

/** A name as the language takes one: anything else is a syntax error, which has its own cases. */
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FIELDS) },
  { weight: 1, arbitrary: fc.constantFrom(...PROTOTYPE_NAMES) },
  { weight: 1, arbitrary: fc.stringMatching(/^[_A-Za-z]\w{0,10}$/) },
  { weight: 1, arbitrary: hostileText },
);

const literal = fc.oneof(
  hostileText.map(jsonText),
  fc.constantFrom(
    "null",
    "1",
    "-1",
    "1.5",
    "NaN",
    "LIVE",
    "live",
    "[]",
    "[LIVE, null]",
    "{}",
    "$v",
    "__proto__",
    "{__proto__: 1}",
  ),
);

const argument = fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ARGUMENTS) }, name), literal);

const field = fc
  .tuple(name, fc.array(argument, { maxLength: 2 }), fc.array(name, { maxLength: 3 }))
  .map(([root, given, inner]) => {
    const parameters =
      given.length === 0 ? "" : `(${given.map(([key, value]) => `${key}: ${value}`).join(", ")})`;
    return `${root}${parameters}${inner.length === 0 ? "" : ` { ${inner.join(" ")} }`}`;
  });

const document = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...BOMBS) },
  {
    weight: 3,
    arbitrary: fc.array(field, { minLength: 1, maxLength: 3 }).map((fields) => `{ ${fields.join(" ")} }`),
  },
  { weight: 1, arbitrary: hostileText },
);

/** Documents that are right, to be asked with variables that are not. */
const WITH_VARIABLES = [
  "query($v: String!) { listing(id: $v) { publicId schedule { total } events { nodes { kind } } } }",
  "query($v: String!) { originator(publicId: $v) { publicId listings { totalCount } } }",
  "query($v: Int) { listings(first: $v) { totalCount nodes { publicId } } }",
  "query($v: Int, $w: String) { listings(first: $v, after: $w) { totalCount pageInfo { endCursor } } }",
  "query($v: String) { originators(after: $v) { nodes { publicId } } }",
  "query($v: String, $w: [Grade!]) { originators(jurisdiction: $v, grade: $w) { nodes { publicId } } }",
  "query($v: String) { events(after: $v) { nodes { kind } } }",
  "query($v: Int, $w: String) { events(first: $v, since: $w) { nodes { kind } } }",
  "query($v: [EventKind!], $w: Finality) { events(kinds: $v, finality: $w) { nodes { kind } } }",
  "query($v: String, $w: String) { listings { nodes { events(since: $v, until: $w) { nodes { kind } } } } }",
  "query($v: [ListingStatus!], $w: ListingSort) { listings(status: $v, sort: $w) { totalCount } }",
  "query($v: SafeInt, $w: DateTime) { listings(minCouponBps: $v, closingBefore: $w) { totalCount } }",
  "query($v: String) { listings(originator: $v) { totalCount } }",
  "query($v: Boolean!) { listings { totalCount @include(if: $v) } }",
];

/** Requests with documents, variables and what is neither; to the endpoint at `route`. */
export function graphqlCases(route: string, cursors: readonly string[]): fc.Arbitrary<HostileCase> {
  const value = fc.oneof(
    { weight: 4, arbitrary: hostileJson },
    { weight: 1, arbitrary: hostileCursor(cursors).map(jsonText) },
  );
  const variables = fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom("v", "w", "__proto__"), value), { maxLength: 3 })
        .map(jsonObject),
    },
    { weight: 1, arbitrary: hostileJson },
  );
  const members = ["operationName", "extensions", "id", "documentId", "doc_id", "query", "__proto__"];
  const extra = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.constantFrom(...members), hostileJson), { maxLength: 2 }) },
  );
  const request = fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: document.map(jsonText) },
        { weight: 3, arbitrary: fc.constantFrom(...WITH_VARIABLES).map(jsonText) },
        { weight: 1, arbitrary: hostileJson },
      ),
      variables,
      extra,
    )
    .map(([query, given, more]) => jsonObject([["query", query], ["variables", given], ...more]));
  const body = fc.oneof(
    { weight: 8, arbitrary: request },
    {
      weight: 1,
      arbitrary: fc.array(request, { maxLength: 3 }).map((requests) => `[${requests.join(",")}]`),
    },
    { weight: 1, arbitrary: request.map((one) => `[${Array(50).fill(one).join(",")}]`) },
    { weight: 2, arbitrary: brokenBody },
  );
  const headers = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom<Record<string, string>>({}, { Accept: "application/graphql-response+json" }),
    },
    { weight: 1, arbitrary: hostileHeaders },
  );
  const get = fc
    .tuple(document, variables, hostileMethod, headers)
    .map(([query, given, method, own]): HostileCase => {
      const asked = encode(query).slice(0, 5_000);
      return {
        route,
        path: `${route}?query=${asked}&variables=${encode(given).slice(0, 2_000)}`,
        method,
        headers: own,
      };
    });
  return fc.oneof(
    { weight: 6, arbitrary: postsTo(route, headers, body) },
    { weight: 2, arbitrary: get },
    { weight: 1, arbitrary: othersTo(route, cursors) },
  );
}
