import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import vectors from "../../test/vectors/accept.json" with { type: "json" };
import { acceptedRanks, MEDIA_TYPES, type MediaType, preferredCoding, preferredType } from "./negotiate.ts";

const JSON_ONLY = ["application/json"] as const;
const JSON_OR_CSV = ["application/json", "text/csv"] as const;

it("the ranks of an Accept header decide as the header itself does, whatever is offered", () => {
  const range = fc.constantFrom(...MEDIA_TYPES, "text/*", "application/*", "*/*", "image/png", "nonsense");
  const part = fc
    .tuple(range, fc.constantFrom("", ";q=0", ";q=0.5", "; q=1.0", ";v=b3"))
    .map((pair) => pair.join(""));
  const header = fc.option(
    fc.array(part).map((parts) => parts.join(", ")),
    { nil: undefined },
  );
  const property = fc.property(header, fc.shuffledSubarray([...MEDIA_TYPES]), (accept, offered) => {
    const ranks = acceptedRanks(accept);
    const accepted = offered.map((type) => ({ type, rank: ranks[MEDIA_TYPES.indexOf(type)] ?? "-" }));
    const [best] = accepted
      .filter(({ rank }) => rank !== "-")
      .sort((a, b) => Number(a.rank) - Number(b.rank));
    expect(preferredType(accept, offered)).toBe(best?.type ?? null);
    expect(ranks).toHaveLength(MEDIA_TYPES.length);
  });
  fc.assert(property, { numRuns: 2_000 });
});

describe("preferredType", () => {
  it.each(vectors.cases)("of the vectors, %j: %s", (header, type) => {
    expect(preferredType(header ?? undefined, vectors.offers as MediaType[])).toBe(type);
  });

  it.each([
    ["text/csv", "text/csv"],
    ["text/*", "text/csv"],
    ["text/csv, application/json", "text/csv"],
    ["application/json, text/csv", "application/json"],
    ["text/csv;q=0.9, application/json", "application/json"],
    ["text/csv, */*;q=0.1", "text/csv"],
    ["*/*", "application/json"],
    ["application/json;q=0, */*;q=0.1", "text/csv"],
    ["text/html", null],
  ])("%j of JSON and CSV: %s", (header, type) => expect(preferredType(header, JSON_OR_CSV)).toBe(type));

  it.each([
    undefined,
    "",
    "*/*",
    "application/json",
    "APPLICATION/JSON",
    "application/*",
    "text/html, application/json;q=0.1",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
    "application/json; charset=utf-8",
    "application/*;q=0, application/json",
    "*/*;q=0, application/*;q=0.5",
    // Never a refusal for a header that cannot be read.
    "garbage",
    ";;;,,,",
    "application/json;q=banana",
    "application/json;q=",
    "application/json;q=0.0001",
    "application/json;q=-1",
  ])("%j: yes", (header) => expect(preferredType(header, JSON_ONLY)).toBe("application/json"));

  it.each([
    "text/html",
    "text/*",
    "application/json;q=0",
    "application/json; q=0.000",
    "application/json;q=0, */*",
    "application/*;q=0, */*;q=1",
    "*/*;q=0",
    "application/problem+json",
    "text/markdown, text/html;q=0.8",
  ])("%j: no", (header) => expect(preferredType(header, JSON_ONLY)).toBeNull());
});

describe("preferredCoding", () => {
  it.each([
    [undefined, "identity"],
    ["gzip", "gzip"],
    ["br, gzip", "br"],
    ["gzip, br", "br"],
    ["gzip;q=0.9,br;q=0.8", "gzip"],
    ["gzip;q=2", "gzip"],
    ["x-unknown", "identity"],
  ])("%j: %s", (header, encoding) => expect(preferredCoding(header).coding).toBe(encoding));
});

describe("requests that cannot be answered", async () => {
  const PATHS = ["/v1/listings", "/v1/listings/lst_1", "/v1/originators", "/v1/originators/org_northwind"];
  const ask = asking(await appIn());
  const assertAnswer = await validatorOf(ask);

  it.each(PATHS)("%s: 406 when JSON is not accepted", async (path) => {
    const answer = await ask(path, { headers: { Accept: "text/html" } });
    expect(answer.status).toBe(406);
    expect(JSON.parse(answer.text).code).toBe("not_acceptable");
    assertAnswer(path, answer);
    expect((await ask(path, { headers: { Accept: "text/html, */*;q=0.1" } })).status).toBe(200);
  });

  it.each(PATHS)("%s: 400 for unknown parameters, each named with what is allowed", async (path) => {
    const answer = await ask(`${path}?colour=red&colour=blue&size`);
    expect(answer.status).toBe(400);
    const { code, detail, errors } = JSON.parse(answer.text);
    expect(code).toBe("invalid_parameter");
    expect(detail).toContain('"colour"');
    expect(detail).toContain('"size"');
    expect(errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(["colour", "size"]);
    for (const error of errors) expect(error.allowed).toContain("asOf");
    assertAnswer(path, answer);
  });

  it.each(["/v1/health", "/v1/ready"])("%s answers a probe whatever it sends", async (path) => {
    const answer = await ask(`${path}?probe=1`, { headers: { Accept: "text/html" } });
    expect(answer.status).toBe(200);
    assertAnswer(path, answer);
  });

  it.each([
    "__proto__=1",
    "constructor",
    "toString=1",
    "hasOwnProperty=",
    "=1",
    "%00",
    "%E2%80%AE=1",
    "%",
    "a[]=1",
    "Status=live",
  ])("?%s is an unknown parameter", async (query) => {
    const answer = await ask(`/v1/listings?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/[\u202E\p{Cc}]/u);
    assertAnswer("/v1/listings", answer);
  });

  it.each(["?", "?&", "?&&"])("%s has no parameter", async (query) => {
    expect((await ask(`/v1/listings${query}`)).status).toBe(200);
  });

  it("the description takes any query: it does not depend on it", async () => {
    expect((await ask("/openapi.json?v=1")).status).toBe(200);
  });
});
