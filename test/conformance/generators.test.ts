/** Clients that public generators make of the served description: each compiles under `strict` with a use of it. */
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { describeApi } from "../../api/openapi/describe.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { SITE } from "../harness/snapshot.ts";
import { runNode } from "./run-node.ts";

const package_ = (name: string) => new URL(`../../${name}`, import.meta.url);
const TSC = package_("node_modules/typescript7/bin/tsc").href;
/** The imports of the generated clients, and their places in this repository. */
const IMPORTED = ["node_modules/openapi-fetch", "client/node_modules/@oazapfts/runtime"];

type Generator = {
  name: string;
  /** its command line, below the client's packages */
  command: string;
  args: readonly string[];
  /** a program that lists raises by two states, reads them as CSV, and reads the API catalog */
  use: string;
};

const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript",
    command: "openapi-typescript/bin/cli.js",
    args: ["openapi.json", "--output", "client.ts"],
    use: `import createClient from "openapi-fetch";
import type { paths } from "./client.ts";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:42069/v1" });
const listed = await client.GET("/listings", { params: { query: { status: ["live", "funding"] } } });
export const titles: string[] | undefined = listed.data?.listings.map(({ title }) => title);
const page = await client.GET("/events", { params: { query: { kind: ["repaid"] } } });
export const blocks: string[] | undefined = page.data?.events.map(({ blockNumber }) => blockNumber);
const file = await client.GET("/listings.csv", { parseAs: "text" });
export const csv: string | undefined = file.data;
const catalog = await client.GET("/.well-known/api-catalog", { baseUrl: "http://127.0.0.1:42069" });
export const item: string | undefined = catalog.data?.linkset[0]?.item?.[0]?.href;
`,
  },
  {
    name: "@hey-api/openapi-ts",
    command: "@hey-api/openapi-ts/bin/run.js",
    args: ["--input", "openapi.json", "--output", "client", "--client", "@hey-api/client-fetch"],
    use: `import { getApiCatalog, listEvents, listListings, listListingsCsv } from "./client";

const listed = await listListings({ query: { status: ["live", "funding"] } });
export const titles: string[] | undefined = listed.data?.listings.map(({ title }) => title);
const page = await listEvents({ query: { kind: ["repaid"] } });
export const blocks: string[] | undefined = page.data?.events.map(({ blockNumber }) => blockNumber);
const file = await listListingsCsv();
export const csv: string | undefined = file.data;
const catalog = await getApiCatalog();
export const item: string | undefined = catalog.data?.linkset[0]?.item?.[0]?.href;
`,
  },
  {
    name: "oazapfts",
    command: "oazapfts/dist/cli.js",
    args: ["openapi.json", "client.ts"],
    use: `import { getApiCatalog, listEvents, listListings, listListingsCsv } from "./client.ts";

const listed = await listListings({ status: ["live", "funding"] });
export const titles: string[] | null = listed.status === 200 ? listed.data.listings.map(({ title }) => title) : null;
const page = await listEvents({ kind: ["repaid"] });
export const blocks: string[] | null = page.status === 200 ? page.data.events.map(({ blockNumber }) => blockNumber) : null;
const file = await listListingsCsv();
export const csv: string | null = file.status === 200 ? file.data : null;
const catalog = await getApiCatalog();
export const item: string | undefined = catalog.status === 200 ? catalog.data.linkset[0]?.item?.[0]?.href : undefined;
`,
  },
];

const OPTIONS = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--allowImportingTsExtensions"];
const PLATFORM = ["--target", "es2024", "--lib", "es2024,dom,dom.iterable", "--types", ""];

const description = describeApi(SITE);
const home = temporaryFolder();
beforeAll(async () => {
  for (const path of IMPORTED) {
    const link = join(home, path.replace(/^client\//, ""));
    await mkdir(join(link, ".."), { recursive: true });
    await symlink(package_(path), link);
  }
});

/** The compiler's messages on the use of a client that is generated from this document. */
async function problemsWith({ name, command, args, use }: Generator, document: unknown): Promise<string> {
  const folder = await mkdtemp(join(home, "client-"));
  await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  await writeFile(join(folder, "use.ts"), use);
  const made = await runNode(package_(`client/node_modules/${command}`).href, args, folder, { CI: "true" });
  expect(made.code, `${name}: ${made.stdout}${made.stderr}`).toBe(0);
  const modules = ["--module", "preserve", "--moduleResolution", "bundler"];
  const { stdout, stderr } = await runNode(TSC, [...OPTIONS, ...PLATFORM, ...modules, "use.ts"], folder);
  return `${stdout}${stderr}`;
}

describe("the served description", () => {
  it("declares one type of success wherever it declares CSV: of two, clients make a type that is neither", () => {
    const types = Object.values(description.paths ?? {}).map(({ get }) =>
      Object.keys(get?.responses?.["200"]?.content ?? {}),
    );
    const withCsv = types.filter((declared) => declared.includes("text/csv"));
    expect(withCsv).toHaveLength(6);
    for (const declared of withCsv) expect(declared).toEqual(["text/csv"]);
  });
});

describe("a client generated from the served description", () => {
  it.each(GENERATORS)("by $name compiles under strict, with a use of it", async (generator) => {
    expect(await problemsWith(generator, description)).toBe("");
  });

  it("does not compile where a property contradicts the type of all others", async () => {
    const worse = structuredClone(description);
    const links = { type: "array", items: { type: "object" } };
    const context = {
      type: "object",
      properties: { anchor: { type: "string" } },
      additionalProperties: links,
    };
    Object.assign(worse.components?.schemas?.ApiCatalog ?? {}, { properties: { linkset: context } });
    const [, , oazapfts] = GENERATORS as [Generator, Generator, Generator];
    expect(await problemsWith(oazapfts, worse)).toContain("error TS2411");
  });
});
