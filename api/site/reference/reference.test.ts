/**
 * The API reference over HTTP, against the description that is served: every operation, parameter, status, object and
 * field of it is on a page, and so is the whole of each recorded example.
 */
import { parseHTML } from "linkedom";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";

const ROOT = "https://raises.example";
const PATH = "/developers/reference";
const HTML = { headers: { Accept: "text/html" } };

type Schema = { properties?: Record<string, { description?: string }>; description?: string };
type Content = Record<string, { example?: unknown }>;
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { name: string; description?: string }[];
  responses: Record<string, { description: string; headers?: object; content?: Content }>;
};
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const ask = asking(await appIn());

let description: Description;
let operations: Operation[];
/** The pages of the reference by their paths, the first one included. */
let pages: Map<string, Document>;
beforeAll(async () => {
  description = JSON.parse((await ask("/openapi.json")).text);
  operations = Object.values(description.paths).flatMap((item) => Object.values(item));
  const { text } = await ask("/sitemap.txt");
  const paths = text.split("\n").map((url) => url.slice(ROOT.length));
  pages = new Map();
  for (const path of paths.filter((path) => path.startsWith(PATH))) {
    pages.set(path, parseHTML((await ask(path, HTML)).text).document);
  }
});

const plain = (text: string) => text.replaceAll("`", "").replace(/\s+/g, " ").trim();
const textOf = (element: Element | null | undefined) => plain(element?.textContent ?? "");
const sectionsOf = (id: string) =>
  [...pages.values()].flatMap((page) => [...page.querySelectorAll(`section[id="${id}"]`)]);
/** The names of a list of properties. */
const namesIn = (section: Element | undefined, title: string) => {
  const heading = [...(section?.querySelectorAll("h3") ?? [])].find((one) => textOf(one) === title);
  return [...(heading?.nextElementSibling?.querySelectorAll("dt code") ?? [])].map(textOf);
};

describe("the reference", () => {
  it("has every operation once, with its description, parameters and responses", () => {
    expect(operations.length).toBeGreaterThan(50);
    for (const { operationId, summary, description = "", parameters = [], responses } of operations) {
      const [section, ...others] = sectionsOf(operationId);
      expect([operationId, others.length]).toEqual([operationId, 0]);
      expect(textOf(section?.querySelector("h2"))).toBe(summary);
      const text = textOf(section);
      expect(text).toContain(plain(description));
      for (const one of parameters) expect(text).toContain(plain(one.description ?? one.name));
      const names = ["Path parameters", "Query parameters", "Headers"].flatMap((title) =>
        namesIn(section, title),
      );
      expect(names.sort()).toEqual(parameters.map(({ name }) => name).sort());
      expect(namesIn(section, "Responses")).toEqual(Object.keys(responses));
      for (const one of Object.values(responses)) expect(text).toContain(plain(one.description));
    }
  });

  it("shows each recorded response whole, but for texts of more than 160 characters", () => {
    const shortened = (_: string, value: unknown) =>
      typeof value === "string" && value.length > 160 ? `${value.slice(0, 160)}…` : value;
    let shown = 0;
    for (const { operationId, responses } of operations) {
      const examples = Object.values(responses["200"]?.content ?? {}).flatMap(({ example }) =>
        example === undefined ? [] : [example],
      );
      const [example] = examples;
      if (example === undefined) continue;
      const text = sectionsOf(operationId)[0]?.querySelector(".answer code")?.textContent ?? "";
      if (typeof example === "string") expect(text).toBe(example.replaceAll("\r", "").trim());
      else expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(example, shortened)));
      shown += 1;
    }
    expect(shown).toBeGreaterThan(20);
  });

  it("has every object once, each with its fields, or with those that it does not share with its kind", () => {
    const { schemas } = description.components;
    const shared = new Set(namesIn(sectionsOf("object-LedgerEvent")[0], "Fields of each"));
    expect([...shared]).toContain("blockNumber");
    for (const [name, { properties = {}, description: words = "" }] of Object.entries(schemas)) {
      const [section, ...others] = sectionsOf(`object-${name}`);
      expect([name, others.length]).toEqual([name, 0]);
      expect(textOf(section)).toContain(plain(words));
      const isEvent = name.endsWith("Event") && name !== "LedgerEvent";
      for (const [field, one] of Object.entries(properties)) {
        if (isEvent && shared.has(field)) continue;
        expect(textOf(section)).toContain(field);
        expect(textOf(section)).toContain(plain(one.description ?? ""));
      }
    }
  });

  it("names every header of a response", () => {
    const headers = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((one) => Object.keys(one.headers ?? {})),
    );
    const [section] = sectionsOf("headers");
    const named = [...(section?.querySelectorAll("dt code") ?? [])].map(textOf);
    expect(named.sort()).toEqual([...new Set(headers)].sort());
  });

  it("begins with the market and ends with files and pages", () => {
    const links = [...(pages.get(PATH)?.querySelectorAll(".contents a") ?? [])].map(textOf);
    expect(links).toEqual([
      "Overview",
      "Listings",
      "Originators",
      "Statistics",
      "Events",
      "Proofs",
      "Service",
      "Tools",
      "GraphQL",
      "GraphQL types",
      "GraphQL events",
      "Discovery files",
      "Pages, feeds and pictures",
    ]);
  });

  it("leads to places that are there", () => {
    let followed = 0;
    for (const [path, page] of pages) {
      for (const link of page.querySelectorAll("main a[href*='#']")) {
        const [target = "", id = ""] = (link.getAttribute("href") ?? "").split("#");
        if (!`${target || path}`.startsWith(PATH)) continue;
        expect([path, id, pages.get(target || path)?.getElementById(id) != null]).toEqual([path, id, true]);
        followed += 1;
      }
    }
    expect(followed).toBeGreaterThan(200);
  });

  it("opens requests that every market answers, and no other", async () => {
    const opened = [...pages.values()].flatMap((page) => [...page.querySelectorAll(".endpoint-open a")]);
    expect(opened.length).toBeGreaterThan(20);
    for (const link of opened) {
      const path = link.getAttribute("href") ?? "";
      expect([path, (await ask(path, { headers: { Accept: "*/*" } })).status]).toEqual([path, 200]);
    }
  });

  it("says the same in Markdown, in pages that an agent reads whole", async () => {
    for (const path of pages.keys()) {
      const { headers, text } = await ask(path, { headers: { Accept: "text/markdown" } });
      expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect([path, text.length < 50_000]).toEqual([path, true]);
    }
    let read = 0;
    for (const { operationId, responses } of operations) {
      const path = [...pages].find(([, page]) => page.getElementById(operationId) !== null)?.[0];
      if (path === PATH) continue;
      const { text } = await ask(`${path}.md`);
      for (const status of Object.keys(responses)) expect(text).toContain(`- \`${status}\``);
      read += 1;
    }
    expect(read).toBeGreaterThan(20);
  });

  it("is a page under the strict policy, and of an unknown part none", async () => {
    for (const path of [PATH, `${PATH}/listings`]) {
      const { headers, text } = await ask(path, HTML);
      expect(headers.get("content-security-policy")).toMatch(/; style-src 'self'; img-src 'self'; /);
      expect(text).not.toMatch(/<style| style="/);
    }
    expect((await ask(`${PATH}/nothing`, HTML)).status).toBe(404);
    expect((await ask(`${PATH}/nothing`, { headers: { Accept: "text/markdown" } })).status).toBe(404);
  });
});
