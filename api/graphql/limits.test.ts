/** The limits: a query just within each is answered, one just beyond it gets an error that says what the limit is. */
import { describe, expect, it } from "vitest";
import { type Answer, graphqlApp, queryRunner, type RunQuery } from "../../test/harness/graphql.ts";
import { deepTypes, times } from "../../test/harness/hostile/graphql.ts";
import { listingSchema } from "../market/schema.ts";
import { LIMITS } from "./limits.ts";
import { getIntrospectionQuery } from "./packages.ts";

const run: RunQuery = queryRunner(await graphqlApp());

const codeOf = ({ errors }: Answer) => errors?.[0]?.extensions.code;
const isAnswered = async (query: string, variables?: object) => {
  const { errors, data } = await run(query, variables);
  expect(errors).toBeUndefined();
  expect(data).not.toBeNull();
};
const isRefused = async (query: string, code: string, limit: number, variables?: object) => {
  const { errors, data, status } = await run(query, variables);
  expect(errors?.map(({ extensions }) => extensions)).toEqual([{ code, limit }]);
  expect(errors?.[0]?.message).toContain(`${limit}`);
  expect([status, data]).toEqual([200, undefined]);
  const strict = await run(query, variables, { Accept: "application/graphql-response+json" });
  expect(strict.status).toBe(400);
};

describe("tokens", () => {
  // Two braces are tokens too.
  it("as many as allowed, and one more", async () => {
    await isAnswered(`{ ${times(LIMITS.tokens - 2, () => "__typename")} }`);
    await isRefused(`{ ${times(LIMITS.tokens - 1, () => "__typename")} }`, "TOO_MANY_TOKENS", LIMITS.tokens);
  });

  it("bound fragments, directives, variables and nesting", async () => {
    for (const bomb of [
      times(500, (index) => `query Q${index} { __typename }`),
      `{ __typename ${times(2_000, () => "@skip(if: false)")} }`,
      `query (${times(1_000, (index) => `$v${index}: Int`)}) { __typename }`,
      `${"{ listings { nodes ".repeat(1_000)}`,
      `{ listing(id: ${"[".repeat(5_000)}`,
    ]) {
      await isRefused(bomb, "TOO_MANY_TOKENS", LIMITS.tokens);
    }
  });
});

describe("depth", () => {
  /** A query of so many levels, its last field included. */
  const deep = (levels: number) => {
    const loop = ["originator", "listings(first: 1)", "nodes"];
    const path = [
      'listing(id: "lst_1")',
      ...Array.from({ length: levels - 2 }, (_, index) => loop[index % 3]),
    ];
    return `{ ${path.join(" { ")} { __typename ${" }".repeat(levels)}`;
  };

  it("as deep as allowed, and one level more", async () => {
    await isAnswered(deep(LIMITS.depth));
    await isRefused(deep(LIMITS.depth + 1), "QUERY_TOO_DEEP", LIMITS.depth);
  });

  it("counts what fragments hold, and nothing for the fragments themselves", async () => {
    const inFragment = (levels: number) =>
      `{ ...A } fragment A on Query ${deep(levels).replace("__typename", "... { ... { __typename } }")}`;
    await isAnswered(inFragment(LIMITS.depth));
    await isRefused(inFragment(LIMITS.depth + 1), "QUERY_TOO_DEEP", LIMITS.depth);
  });

  it("does not go round in a circle of fragments", async () => {
    const circle =
      "{ listings { nodes { ...A } } } fragment A on Listing { originator { listings { nodes { ...A } } } }";
    expect(codeOf(await run(circle))).toBe("GRAPHQL_VALIDATION_FAILED");
    expect(codeOf(await run("{ ...A } fragment A on Query { ...A }"))).toBe("GRAPHQL_VALIDATION_FAILED");
  });
});

describe("aliases", () => {
  const aliased = (count: number) => `{ ${times(count, (index) => `a${index}: stats { raised }`)} }`;

  it("as many as allowed, and one more", async () => {
    await isAnswered(aliased(LIMITS.aliases));
    await isRefused(aliased(LIMITS.aliases + 1), "TOO_MANY_ALIASES", LIMITS.aliases);
  });

  it("counts those of a fragment wherever it is used", async () => {
    const fragment = `fragment A on Query { ${times(5, (index) => `a${index}: stats { raised }`)} }`;
    await isAnswered(`{ ...A ...A ...A } ${fragment}`);
    await isRefused(`{ ...A ...A ...A ...A } ${fragment}`, "TOO_MANY_ALIASES", LIMITS.aliases);
  });
});

it("an alias of any useful length is allowed, and a longer one refused", async () => {
  const query = (length: number) => `{ ${"a".repeat(length)}: stats { raised } }`;
  await isAnswered(query(LIMITS.alias));
  await isRefused(query(LIMITS.alias + 1), "ALIAS_TOO_LONG", LIMITS.alias);
});

it("variables may have as many values as a query can need, and no more", async () => {
  const query = "query ($status: [ListingStatus!]) { listings(status: $status) { totalCount } }";
  await isAnswered(query, { status: Array(199).fill("live") });
  const answer = await run(query, { status: Array(200).fill("live") });
  expect(answer.errors?.[0]?.message).toContain("200 values");
});

it("a schedule's payments may be asked for up to the length of a page", async () => {
  const query = 'query ($last: Int) { listing(id: "lst_1") { schedule { payments(last: $last) { at } } } }';
  await isAnswered(query, { last: 200 });
  for (const last of [0, -1, 201]) expect(codeOf(await run(query, { last }))).toBe("BAD_USER_INPUT");
});

describe("cost", () => {
  /** 1 for the field itself, and for each of the listings what is asked of it: `nodes` and the field in it. */
  const listings = (first: number, fields: number) =>
    `{ listings(first: ${first}) { nodes { ${times(fields, (index) => FIELDS[index] ?? "")} } } }`;
  const DEAR = ["title", "description", "originator"];
  const FIELDS = Object.keys(listingSchema.shape).filter((field) => !DEAR.includes(field));
  it("is multiplied by the length of the page, also of a page within", async () => {
    await isAnswered(listings(200, 7));
    await isAnswered(`{ originators(first: 20) { nodes { ${listings(50, 7).slice(2, -2)} } } }`);
    await isRefused(
      `{ originators(first: 40) { nodes { ${listings(50, 7).slice(2, -2)} } } }`,
      "QUERY_TOO_COSTLY",
      LIMITS.cost,
    );
  });

  it("is allowed just within the limit, and refused just beyond it", async () => {
    const costing = (points: number) => {
      const rest = points - 2 * (1 + 200 * 38) - 1;
      return `{ a: ${listings(200, 37).slice(2, -2)} b: ${listings(200, 37).slice(2, -2)} c: listings(first: ${rest}) { totalCount } }`;
    };
    await isAnswered(costing(LIMITS.cost));
    await isRefused(costing(LIMITS.cost + 1), "QUERY_TOO_COSTLY", LIMITS.cost);
    expect((await run(costing(LIMITS.cost + 1))).errors?.[0]?.message).toContain(
      `costs ${LIMITS.cost + 1} points`,
    );
  });

  it("takes the variables into account, and their defaults", async () => {
    const query = `query ($first: Int = 200, $deep: Boolean = false) {
      originators(first: $first) { nodes { publicId listings(first: $first) @include(if: $deep) { nodes { publicId } } } }
    }`;
    await isAnswered(query);
    await isRefused(query, "QUERY_TOO_COSTLY", LIMITS.cost, { deep: true });
    await isAnswered(query, { deep: true, first: 50 });
    await isRefused(query, "QUERY_TOO_COSTLY", LIMITS.cost, { deep: true, first: 100 });
  });

  it("does not hide the error of an invalid page length", async () => {
    for (const first of [0, -1, 201, 2 ** 31 - 1]) {
      const answer = await run("query ($first: Int) { listings(first: $first) { nodes { publicId } } }", {
        first,
      });
      expect(codeOf(answer)).toBe("BAD_USER_INPUT");
    }
  });

  it("has room for every field of 200 listings, and not for many such pages", async () => {
    const all = Object.keys(listingSchema.shape)
      .map((field) => (field === "originator" ? "originator { publicId }" : field))
      .join(" ");
    await isAnswered(`{ listings(first: 200) { nodes { ${all} } } }`);
    const texts = "listings(first: 200) { nodes { description } }";
    await isRefused(`{ a: ${texts} b: ${texts} c: ${texts} d: ${texts} }`, "QUERY_TOO_COSTLY", LIMITS.cost);
  });

  it("is higher where the ledger is read", async () => {
    const query = (first: number) =>
      `{ listings(first: ${first}) { nodes { events(first: 15) { nodes { kind } } } } }`;
    await isAnswered(query(100));
    await isRefused(query(200), "QUERY_TOO_COSTLY", LIMITS.cost);
  });

  it.each([
    ["series", 'originator: "org_1", by: day', 200],
    ["series", "grade: [A, NR]", 200],
    ["cohorts", 'jurisdiction: ["SG"]', 40],
  ])("is higher for %s of some raises: %s", async (field, scope, length) => {
    const points = 1 + 3_000 + length;
    const query = (count: number, given: string) =>
      `{ ${times(count, (index) => `a${index}: ${field}${given} { __typename }`)} }`;
    const most = Math.floor(LIMITS.cost / points);
    await isAnswered(query(most, `(${scope})`));
    await isRefused(query(most + 1, `(${scope})`), "QUERY_TOO_COSTLY", LIMITS.cost);
    await isAnswered(query(LIMITS.aliases, "(originator: null)"));
  });

  it("bounds fragments that double from level to level", async () => {
    const bomb = (levels: number) =>
      `{ ...F0 } ${times(levels, (level) => `fragment F${level} on Query { ...F${level + 1} ...F${level + 1} }`)} fragment F${levels} on Query { stats { raised } }`;
    await isAnswered(bomb(5));
    expect(codeOf(await run(bomb(60)))).toBe("QUERY_TOO_COSTLY");
  });
});

describe("introspection", () => {
  it.each([
    {},
    { descriptions: false },
    {
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
    },
  ])("is whole with %j", async (options) => {
    const { data, errors } = await run(getIntrospectionQuery(options));
    expect(errors).toBeUndefined();
    expect(data.__schema.types.length).toBeGreaterThan(50);
  });

  it("may ask for one type two types deep, as far as the cost allows", async () => {
    await isAnswered('{ __type(name: "Listing") { fields { name type { fields { name } } } } }');
    await isAnswered(deepTypes(2));
    await isRefused(deepTypes(6), "QUERY_TOO_COSTLY", LIMITS.cost);
  });
});

describe("a query that is asked again", () => {
  it("is refused again; its cost follows its current variables", async () => {
    const query = "query ($first: Int) { listings(first: $first) { nodes { events { nodes { kind } } } } }";
    for (const first of [1, 200, 1, 200]) {
      if (first === 1) await isAnswered(query, { first });
      else await isRefused(query, "QUERY_TOO_COSTLY", LIMITS.cost, { first });
    }
    const unknown = await Promise.all([run("{ nonsense }"), run("{ nonsense }")]);
    expect(unknown.map(codeOf)).toEqual(["GRAPHQL_VALIDATION_FAILED", "GRAPHQL_VALIDATION_FAILED"]);
    const broken = [await run("{ listings"), await run("{ listings")];
    expect(broken.map(codeOf)).toEqual(["GRAPHQL_PARSE_FAILED", "GRAPHQL_PARSE_FAILED"]);
  });
});
