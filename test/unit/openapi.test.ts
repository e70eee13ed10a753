import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { describeApi, openApiText } from "../../api/openapi/describe.ts";
import { REST_ROUTES } from "../../api/rest/index.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { appIn } from "../harness/app.ts";
import { type Ask, asking } from "../harness/asking.ts";
import { fixedLedger } from "../harness/fixed-ledger.ts";
import { subscribedRow } from "../harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../harness/snapshot.ts";
import { createAnswerValidator, validatorOf } from "../harness/validate.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ROW = subscribedRow();
const EXAMPLES: Record<string, string> = {
  id: "lst_1",
  publicId: "org_northwind",
  event: `${ROW.blockNumber}-${ROW.logIndex}`,
};
const LEDGER = fixedLedger({ events: { rows: [ROW] } });

type Operation = {
  operationId: string;
  servers?: { url: string }[];
  security?: unknown;
  responses: Record<string, { content?: Record<string, unknown> }>;
};
type Description = {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  security: unknown;
  externalDocs: { url: string };
  tags: { name: string; externalDocs?: { url: string } }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { required: string[] }> };
};

let ask: Ask;
let description: Description;
beforeAll(async () => {
  ask = asking(await appIn({ overrides: { ledger: LEDGER } }));
  description = JSON.parse((await ask("/openapi.json")).text);
});

/** The REST paths from the site root, with an example in the place of each parameter. */
const concrete = () =>
  [...REST_ROUTES.map(({ path }) => path), "/openapi.json"].map((path) => {
    const [server] = description.paths[path]?.get?.servers ?? description.servers;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? name);
    return `${new URL(server?.url ?? "").pathname.replace(/\/$/, "")}${filled}`;
  });

describe("the description", () => {
  it("is OpenAPI 3.1.0, version 1.0.0, without credentials", () => {
    expect(description.openapi).toBe("3.1.0");
    expect(description.info.version).toBe("1.0.0");
    expect(description.security).toEqual([]);
    for (const { get } of Object.values(description.paths)) expect(get?.security ?? []).toEqual([]);
    expect(JSON.stringify(description)).not.toContain("securitySchemes");
  });

  it("names the operator's contact where one is configured", () => {
    const infoWith = (contact: PublicSettings["contact"]) => describeApi({ ...SITE, contact }).info;
    expect(infoWith(null)).not.toHaveProperty("contact");
    expect(infoWith({ email: "desk@raises.example" }).contact).toEqual({ email: "desk@raises.example" });
    expect(infoWith({ url: "https://raises.example/help" }).contact).toEqual({
      url: "https://raises.example/help",
    });
  });

  it("has the read interface as its server, and paths relative to it", () => {
    expect(description.servers.map(({ url }) => url)).toEqual(["https://raises.example/v1"]);
    for (const path of Object.keys(description.paths)) expect(path).not.toMatch(/^\/v1\//);
    // The server's own URL cannot be a path below it.
    expect(description.paths["/v1"]?.get?.servers?.map(({ url }) => url)).toEqual(["https://raises.example"]);
  });

  it("gives itself, which stands at the site's root, a server of its own", () => {
    expect(description.paths["/openapi.json"]?.get?.servers?.map(({ url }) => url)).toEqual([
      "https://raises.example",
    ]);
  });

  it("names the documented operations", () => {
    expect(description.paths["/listings"]?.get?.operationId).toBe("listListings");
    expect(description.paths["/originators"]?.get?.operationId).toBe("listOriginators");
    expect(description.paths["/health"]?.get?.operationId).toBe("health");
  });

  it("has only reads, each with an id of its own; two of them can be asked with POST", () => {
    const operations = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => ({ method, path, operationId })),
    );
    const others = operations.filter(({ method }) => method !== "get");
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual(["post /mcp", "post /graphql"]);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("describes the REST paths as they are served", async () => {
    const assertAnswer = createAnswerValidator(description);
    for (const path of concrete()) {
      const answer = await ask(path);
      expect(answer.status, path).toBe(200);
      assertAnswer(path, answer);
    }
  });

  it("leads to pages of the knowledge base that are there", async () => {
    const { externalDocs, tags } = description;
    const urls = [externalDocs, ...tags.flatMap((tag) => tag.externalDocs ?? [])].map(({ url }) => url);
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) {
      expect(url).toMatch(/^https:\/\/raises\.example\/knowledge\//);
      expect((await ask(new URL(url).pathname)).status, url).toBe(200);
    }
  });

  it("requires of a listing and an originator every documented field", () => {
    const documented = {
      Listing:
        "publicId refnum title description status targetAmount minRaise raisedAmount couponRateBps tenorDays insuranceBps reserveBalance pricingMode goLiveAt closeAt originatorGrade chainId tokenAddress escrowAddress subscriberCount onchainId",
      Originator: "publicId legalName jurisdiction ratingGrade kybStatus listings",
    };
    for (const [name, fields] of Object.entries(documented)) {
      expect(description.components.schemas[name]?.required).toEqual(
        expect.arrayContaining(fields.split(" ")),
      );
    }
  });
});

describe("openapi.json at the top of the repository", () => {
  it("is current: otherwise run `npm run generate`", () => {
    expect(readFileSync(join(ROOT, "openapi.json"), "utf8")).toBe(openApiText());
    expect(JSON.parse(openApiText()).servers[0].url).toBe("http://127.0.0.1:42069/v1");
  });
});

describe("createAnswerValidator", () => {
  const path = "/v1/listings";
  const spoilt = async (change: (body: { listings: Record<string, unknown>[] }) => unknown) => {
    const answer = await ask(path);
    const body = JSON.parse(answer.text);
    change(body);
    return { ...answer, text: JSON.stringify(body) };
  };

  it.each([
    ["an amount that is a number", "/listings/0/raisedAmount", { raisedAmount: 5 }],
    ["an amount with a leading zero", "/listings/0/minRaise", { minRaise: "01" }],
    ["a field that nobody documented", "surprise", { surprise: 1 }],
    ["a field that is missing", "closeAt", { closeAt: undefined }],
    ["a checksummed address", "/listings/0/tokenAddress", { tokenAddress: `0x${"Ab".repeat(20)}` }],
    ["a time without Z", "/listings/0/goLiveAt", { goLiveAt: "2026-03-01T12:00:00+01:00" }],
    ["a time that is none", "/listings/0/goLiveAt", { goLiveAt: "2026-13-01T12:00:00Z" }],
    ["an unknown status", "/listings/0/status", { status: "open" }],
    ["a status that does not fit acceptsMoney", "/listings/0/acceptsMoney", { status: "live" }],
    ["a grade beyond E", "/listings/0/originatorGrade", { originatorGrade: "F" }],
    ["a control character", "/listings/0/title", { title: "a\u202Eb" }],
  ])("throws for %s, and says where", async (_what, where, fields) => {
    const answer = await spoilt(({ listings }) => Object.assign(listings[0] ?? {}, fields));
    expect(() => createAnswerValidator(description)(path, answer)).toThrow(where);
  });

  it("throws for what is not described", async () => {
    const assertAnswer = createAnswerValidator(description);
    const good = await ask(path);
    const missing = await ask("/v1/nothing");
    expect(() => assertAnswer(path, { ...good, status: 201 })).toThrow("not described");
    expect(() => assertAnswer("/v1/nothing", good)).toThrow("not described");
    expect(() => assertAnswer(path, { ...good, headers: new Headers() })).toThrow("(none) is not described");
    expect(() => assertAnswer(path, { ...good, status: 304 })).toThrow("has a body");
    expect(() => assertAnswer(path, { ...good, text: "<html>" })).toThrow("not JSON");
    expect(() => assertAnswer("/v1/nothing", { ...missing, status: 400 })).toThrow("status");
    expect(() => assertAnswer("/v1/nothing", { ...missing, headers: good.headers })).toThrow();
    expect(() => assertAnswer(path, { ...missing, status: 404 })).toThrow("not described");
  });

  it("holds a body against the served description too", async () => {
    const narrower = JSON.parse(JSON.stringify(description).replace('"refunding","voided"', '"voided"'));
    const good = await ask(path);
    expect(() => createAnswerValidator(narrower)(path, good)).toThrow("served-openapi.json");
  });

  it("reads a described path in any deployment", async () => {
    const snapshot = await snapshotOf(tablesOf());
    const local = asking(
      await appIn({ snapshot, publicUrl: "http://127.0.0.1:42069", overrides: { ledger: LEDGER } }),
    );
    const assertAnswer = await validatorOf(local);
    for (const concretePath of concrete()) assertAnswer(`${concretePath}`, await local(concretePath));
  });
});
