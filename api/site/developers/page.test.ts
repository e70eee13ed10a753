/** The developers' page: what it lists is what is served, and its figures are those that hold. */
import { Hono } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn, siteDependenciesIn } from "../../../test/harness/app.ts";
import { type Ask, asking } from "../../../test/harness/asking.ts";
import { type ProblemCode, problem } from "../../http/problem.ts";
import { REST_ROUTES } from "../../rest/index.ts";
import type { Block, Operation, Page, Table } from "../page.ts";
import { textOf } from "../value.ts";
import { limitsPage } from "./limits.ts";
import { developersPage } from "./page.ts";
import { firstRequest } from "./snippets.ts";

const ROOT = "https://raises.example";

let page: Page;
let limits: Page;
let ask: Ask;
beforeAll(async () => {
  const deps = await siteDependenciesIn();
  page = developersPage(deps);
  limits = limitsPage(deps);
  ask = asking(await appIn());
});

const blocksOf = (one: Page): Block[] => one.sections.flatMap((section) => section.blocks);
const operations = (): Operation[] =>
  blocksOf(page).flatMap((block) => (block.kind === "operations" ? block.operations.operations : []));
const limitTables = (): Table[] =>
  blocksOf(limits).flatMap((block) => (block.kind === "table" ? [block.table] : []));

type Description = {
  servers: { url: string }[];
  paths: Record<
    string,
    Record<string, { operationId: string; summary: string; tags: string[]; servers?: { url: string }[] }>
  >;
};

/** The market has a page of the reference for each resource; any other tag has one. */
function partOf(tag: string, path: string): string {
  if (tag !== "Market") return tag.toLowerCase();
  return ["listings", "originators", "stats"].find((one) => path.startsWith(`/${one}`)) ?? "none";
}

describe("the developers' page", () => {
  it("lists every operation of the interfaces once, with its place in the reference", async () => {
    const { servers, paths }: Description = JSON.parse((await ask("/openapi.json")).text);
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, summary, tags, ...operation }]) => [
        `${(operation.servers ?? servers)[0]?.url.slice(ROOT.length)}${path}`,
        `/developers/reference/${partOf(tags[0] ?? "", path)}#${operationId}`,
        method.toUpperCase(),
        summary,
      ]),
    );
    // The reference alone has those of files, pages and proofs.
    const ofInterfaces = described.filter(
      ([, place = ""]) => !/^\/developers\/reference\/(discovery|pages|proofs)#/.test(place),
    );
    const listed = operations().map(({ path, reference, method, summary }) => [
      path,
      reference,
      method,
      summary,
    ]);
    expect(ofInterfaces.length).toBeGreaterThan(20);
    expect(listed.sort()).toEqual(ofInterfaces.sort());
    // A page has the path of a resource, from another root: neither may take the other's place.
    const places = described.map(([, href]) => href?.split("#").at(-1));
    const ids = REST_ROUTES.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !places.includes(id))).toEqual([]);
  });

  it("begins with a request for every raise that accepts money, in each language", async () => {
    const { snippets } = firstRequest(ROOT);
    const [url = ""] = /https:[^']+/.exec(snippets[0]?.text ?? "") ?? [];
    const { pathname, searchParams } = new URL(url);
    type Row = { publicId: string; acceptsMoney: boolean };
    const idsOf = async (path: string, isWanted: (row: Row) => boolean) =>
      (JSON.parse((await ask(path)).text).listings as Row[]).filter(isWanted).map(({ publicId }) => publicId);
    const open = await idsOf("/v1/listings", ({ acceptsMoney }) => acceptsMoney);
    expect(open.length).toBeGreaterThan(1);
    expect((await idsOf(`${pathname}?${searchParams}`, () => true)).sort()).toEqual(open.sort());
    const states = searchParams.get("status")?.split(",") ?? [];
    const [, typescript, python] = snippets.map(({ text }) => text);
    expect(typescript).toContain(`status: [${states.map((state) => `"${state}"`).join(", ")}]`);
    expect(python).toContain(url);
  });

  it("names every error with the status that it comes with", async () => {
    const app = new Hono();
    app.get("/:code", (c) => problem(c, { code: c.req.param("code") as ProblemCode, detail: "" }));
    const rows = limitTables().find(({ columns }) => columns[0]?.key === "code")?.rows ?? [];
    expect(rows.length).toBeGreaterThan(10);
    for (const { key, cells } of rows) {
      expect([key, String((await app.request(`/${key}`)).status)]).toEqual([
        key,
        cells[1] && textOf(cells[1]),
      ]);
    }
  });

  it("gives the limits that hold", async () => {
    const rows = limitTables().flatMap((one) => one.rows);
    const limit = (key: string): number => {
      const value = rows.find((row) => row.key === key)?.cells[1];
      if (value?.kind !== "count") throw new Error(`no limit ${key}`);
      return value.count;
    };
    const statusOf = async (path: string, init?: RequestInit) => (await ask(path, init)).status;

    const long = (length: number) => `/v1/stats?${"a".repeat(length - "/v1/stats?".length)}`;
    expect(await statusOf(long(limit("url")))).toBe(400);
    expect(await statusOf(long(limit("url") + 1))).toBe(414);

    for (const path of ["/v1/listings", "/v1/events"]) {
      expect(await statusOf(`${path}?limit=${limit("page")}`)).toBe(200);
      expect(await statusOf(`${path}?limit=${limit("page") + 1}`)).toBe(400);
    }

    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const message = (length: number) => ({
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: ping.padEnd(length),
    });
    expect(await statusOf("/v1/mcp", message(limit("message")))).toBe(200);
    expect(await statusOf("/v1/mcp", message(limit("message") + 1))).toBe(413);

    const query = JSON.stringify({ query: "{ __typename }" });
    const body = (length: number) => ({ ...message(0), body: query.padEnd(length) });
    expect(await statusOf("/graphql", body(limit("body")))).toBe(200);
    expect(await statusOf("/graphql", body(limit("body") + 1))).toBe(413);
  });

  it("gives the rate limit of a client, where there is one", async () => {
    const { publicSettings, ...deps } = await siteDependenciesIn();
    const rateOf = (rateLimit: number | null) =>
      blocksOf(limitsPage({ ...deps, publicSettings: { ...publicSettings, rateLimit } }))
        .flatMap((block) => (block.kind === "table" ? block.table.rows : []))
        .find(({ key }) => key === "rate")?.cells[1];
    expect(rateOf(null)).toMatchObject({ kind: "text", text: "no limit" });
    expect(rateOf(600)).toMatchObject({ kind: "count", count: 600 });
  });

  it("links to nothing that is not there", async () => {
    const hrefs = new Set(
      [...blocksOf(page), ...blocksOf(limits)].flatMap((block) => {
        if (block.kind === "operations") return block.operations.operations.map(({ reference }) => reference);
        if (block.kind === "links") return block.links.map(({ href }) => href);
        if (block.kind === "action") return [block.link.href];
        return [];
      }),
    );
    for (const href of hrefs) {
      const [path = ""] = href.split("#");
      expect([href, (await ask(path, { headers: { Accept: "text/html, */*;q=0.1" } })).status]).toEqual([
        href,
        200,
      ]);
    }
  });

  it("has sections that can be linked to", () => {
    const ids = page.sections.map(({ id }) => id);
    expect(ids).toEqual([
      ...["start", "client", "market", "ledger", "service", "mcp", "graphql"],
      ...["files", "cards", "freshness", "limits"],
    ]);
  });

  it("shows a request in three languages and a recorded response for every operation of an interface", () => {
    expect(operations().length).toBeGreaterThan(REST_ROUTES.length);
    for (const { id, request, answer } of operations()) {
      expect([id, request.snippets.map(({ language }) => language)]).toEqual([id, ["bash", "ts", "python"]]);
      expect([id, answer === null]).toEqual([id, false]);
    }
  });
});
