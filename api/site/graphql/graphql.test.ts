/** The page for GraphQL: it sends a query and shows the answer without a script; programs have the endpoint as ever. */

import { readFile } from "node:fs/promises";
import { buildSchema, isEnumType, isInterfaceType, isObjectType } from "graphql";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { NoSlotError } from "../../http/slots.ts";
import { graphqlPage } from "./page.ts";

const PATH = "/developers/graphql";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const asBrowser = { headers: { Accept: BROWSER } };
const ask = asking(await appIn());

const open = async (query: Record<string, string> = {}, app = ask) => {
  const answer = await app(`${PATH}?${new URLSearchParams(query)}`, asBrowser);
  const { document } = parseHTML(answer.text);
  const shown = document.querySelector("#try .snippet code")?.textContent;
  return { ...answer, document, shown: shown == null ? null : JSON.parse(shown) };
};
/** The endpoint's answer to the same query. */
const endpoint = async (query: Record<string, string>) =>
  JSON.parse(
    (await ask(`/graphql?${new URLSearchParams(query)}`, { headers: { Accept: "application/json" } })).text,
  );

describe("the page", () => {
  it("shows a query with its answer, as the endpoint has it", async () => {
    const { status, headers, document, shown } = await open();
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const query = document.querySelector("textarea[name=query]")?.textContent?.trim() ?? "";
    expect(shown.data.listings.totalCount).toBeGreaterThan(0);
    expect(shown).toEqual(await endpoint({ query }));
  });

  it("answers what its form sends, with variables", async () => {
    const form = (await open()).document.querySelector("#try form");
    expect([form?.getAttribute("method"), form?.getAttribute("action")]).toEqual(["get", PATH]);
    const sent = {
      query: "query One($id: String!) {\r\n  listing(id: $id) { publicId }\r\n}",
      variables: '{"id":"lst_2"}',
    };
    const { document, shown, text } = await open(sent);
    expect(shown).toEqual({ data: { listing: { publicId: "lst_2" } } });
    const field = document.querySelector("textarea[name=query]")?.textContent;
    expect(field).toBe(`\n${sent.query.replaceAll("\r", "")}`);
    expect(text).toContain('<meta name="robots" content="noindex"');
  });

  it("says why a query is not answered", async () => {
    const wrong: Record<string, string>[] = [
      { query: "{ nothing }" },
      { query: "{" },
      { query: "" },
      { query: "{ __typename }", variables: "x" },
    ];
    for (const query of wrong) {
      const { status, document, shown } = await open(query);
      expect([query, status]).toEqual([query, 400]);
      const { message } = shown.errors[0];
      expect(document.querySelector("#try .notice")?.textContent).toBe(`Not answered. ${message}`);
      expect(shown).toEqual(await endpoint(query));
    }
  });

  it("shows text of others as text", async () => {
    const { document, text } = await open({
      query: '{ nothing(a: "</textarea><script>alert(1)</script>") }',
    });
    expect(document.querySelectorAll("main script")).toHaveLength(0);
    expect(text).not.toContain("<script>alert");
  });

  it("offers queries that are answered", async () => {
    const { document } = await open();
    const links = [...document.querySelectorAll("#examples a")].map(
      (link) => link.getAttribute("href") ?? "",
    );
    expect(links.length).toBeGreaterThan(3);
    for (const href of links) {
      const query = new URL(href, "https://raises.example").searchParams.get("query") ?? "";
      const { errors } = await endpoint({ query });
      // No ledger is in this app.
      expect([query, errors?.[0].message ?? null]).toEqual([query, null]);
    }
  });

  it("is there before the first block, and sends a query to wait", async () => {
    const starting = asking(await appIn({ snapshot: null, upstreamHead: null }));
    expect((await open({}, starting)).status).toBe(200);
    expect((await open({ query: "{ stats { raised } }" }, starting)).status).toBe(503);
  });

  it("is there while too many questions wait; only a query that was sent is refused", async () => {
    const graphql = { run: () => Promise.reject(new NoSlotError()), types: () => [] };
    const { siteDependenciesIn } = await import("../../../test/harness/app.ts");
    const deps = { ...(await siteDependenciesIn()), graphql };
    const snapshot = deps.updater.current();
    expect(await graphqlPage(deps, { snapshot, query: new URLSearchParams() })).toMatchObject({
      kind: "page",
    });
    const asked = graphqlPage(deps, { snapshot, query: new URLSearchParams({ query: "{a}" }) });
    await expect(asked).rejects.toThrow(NoSlotError);
  });

  it("says the same in Markdown", async () => {
    const query = { query: '{ listing(id: "lst_2") { publicId } }' };
    const { status, text } = await ask(`${PATH}?${new URLSearchParams(query)}`, {
      headers: { Accept: "text/markdown" },
    });
    expect(status).toBe(200);
    expect(text).toContain('"publicId": "lst_2"');
    expect(text).toContain("](https://raises.example/developers/reference/graphql-types)");
  });
});

describe("the endpoint", () => {
  it("leads those who want a page to it with their query, and answers programs", async () => {
    for (const accept of [BROWSER, "text/markdown"]) {
      for (const query of ["", "?query=%7B__typename%7D"]) {
        const { status, headers } = await ask(`/graphql${query}`, { headers: { Accept: accept } });
        expect([status, headers.get("location")]).toEqual([308, PATH + query]);
        expect(headers.get("vary")).toMatch(/Accept(,|$)/);
      }
    }
    const typeOf = async (path: string, accept: string) =>
      (await ask(path, { headers: { Accept: accept } })).headers.get("content-type");
    expect(await typeOf("/graphql?query={__typename}", "*/*")).toBe("application/json");
    expect(await typeOf("/graphql?query={__typename}", "application/json, text/html;q=0.5")).toBe(
      "application/json",
    );
    expect(await typeOf("/graphql", "*/*")).toBe("text/plain; charset=utf-8");
  });
});

describe("the types", () => {
  it("are those of the schema, each with its fields, arguments and values", async () => {
    const schema = buildSchema(await readFile(new URL("../../../schema.graphql", import.meta.url), "utf8"));
    const pages = await Promise.all(
      ["types", "events"].map(async (part) => {
        const { text } = await ask(`/developers/reference/graphql-${part}`, asBrowser);
        return parseHTML(text).document;
      }),
    );
    const builtIn = /^__|^(String|Int|Boolean|ID|Float)$/;
    const types = Object.values(schema.getTypeMap()).filter(({ name }) => !builtIn.test(name));
    const shown = pages.flatMap((page) =>
      [...page.querySelectorAll("main section[id^=type-] h2")].map((one) => one.textContent),
    );
    expect(shown.toSorted()).toEqual(types.map(({ name }) => name).toSorted());
    expect(shown[0]).toBe("Query");
    for (const type of types) {
      const section = pages.flatMap((page) => page.getElementById(`type-${type.name}`) ?? []).at(0);
      const names = new Set([...(section?.querySelectorAll("dt code") ?? [])].map((one) => one.textContent));
      if (isEnumType(type))
        for (const { name } of type.getValues())
          expect([type.name, names.has(name)]).toEqual([type.name, true]);
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      const inherited = new Set(type.getInterfaces().flatMap((one) => Object.keys(one.getFields())));
      for (const [name, { args, type: of }] of Object.entries(type.getFields())) {
        expect([type.name, name, names.has(name)]).toEqual([type.name, name, !inherited.has(name)]);
        if (inherited.has(name)) continue;
        expect(section?.textContent).toContain(String(of));
        for (const one of args) expect(section?.textContent).toContain(`${one.name}: ${one.type}`);
      }
    }
  });
});
