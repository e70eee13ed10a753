/** @module The promises of the demo, checked over HTTP. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Listing, RaisebookClient } from "../../../client/index.ts";
import { CLIENT_KINDS } from "../../conformance/sdk-clients.ts";
import { expectPromises, indexedBlockOf, listingsOf } from "../../harness/demo-promises.ts";
import { PATIENCE } from "../../harness/patience.ts";
import { demo, place, startedAt } from "./demo.ts";

let book: RaisebookClient;
let url: string;
beforeAll(() => {
  ({ book, url } = place);
});

describe("the demo, standing still", () => {
  test("keeps every promise, and says where everything is", async () => {
    await expectPromises(place);
    for (const text of ["Playing two years", "/v1/listings", "/openapi.json", `127.0.0.1:${place.rpcPort}`]) {
      expect(demo.said()).toContain(text);
    }
    expect((await fetch(`${url}/v1/ready`)).status).toBe(200);
  });

  test("every command of its welcome works", async () => {
    const links = demo.said().match(/http:\/\/127\.0\.0\.1:\d+\/[^\s']+/g) ?? [];
    expect(links.length).toBeGreaterThanOrEqual(6);
    // As a browser asks: one of them is a page for people.
    const headers = { Accept: "text/html, */*;q=0.8" };
    for (const link of new Set(links)) expect((await fetch(link, { headers })).status, link).toBe(200);
  });

  test("its app says that it is a stand-in, and leads back", async () => {
    const [row] = await listingsOf(book);
    const { status, headers, text } = await fetch(row?.appUrl ?? "").then(async (response) => ({
      ...{ status: response.status, headers: response.headers, text: await response.text() },
    }));
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain("This is a stand-in");
    expect(text).toContain(`href="${row?.url}"`);
    expect(demo.said()).toContain(`${place.appUrl}/ (a stand-in`);
    const wrong = await fetch(`${place.appUrl}/listings/"><script>`);
    expect(wrong.status).toBe(404);
    expect(await wrong.text()).not.toContain("script");
  });

  test("has traded on its desk, and its statistics are the sums of its listings", async () => {
    const { trading } = await book.get("/listings");
    expect(trading.enabled).toBe(true);
    expect(trading.tradesTotal).toBeGreaterThan(3);
    expect(trading.openOffers).toBeGreaterThan(0);
    expect(trading.listings.every(({ holderCount }) => holderCount !== null && holderCount > 0)).toBe(true);
    const stats = await book.get("/stats");
    const rows = await listingsOf(book);
    const sum = (field: keyof Listing) =>
      `${rows.reduce((total, row) => total + BigInt(`${row[field]}`), 0n)}`;
    expect(stats).toMatchObject({
      raised: sum("raisedAmount"),
      refunded: sum("refundedAmount"),
      repaid: sum("repaidAmount"),
      outstanding: sum("outstandingPrincipal"),
      reserves: sum("reserveBalance"),
      subscribers: Number(sum("subscriberCount")),
    });
  });

  test("every figure of it is what the contracts say", async () => {
    await fetch(`http://127.0.0.1:${place.port + 1}/audit`, { method: "POST" });
    await expect
      .poll(() => book.get("/audit"), PATIENCE)
      .toMatchObject({ running: null, last: { status: "ok", findings: [], notAuditable: [] } });
    const { last } = await book.get("/audit");
    expect(last?.listings.length).toBeGreaterThan(40);
  });

  test("a repeated list parameter means the same as a comma list, in REST, CSV, pages and Markdown", async () => {
    const textOf = async (path: string, accept = "*/*") => {
      const answer = await fetch(`${url}${path}`, { headers: { Accept: accept } });
      const text = await answer.text();
      expect(answer.status, `${path}: ${text.slice(0, 300)}`).toBe(200);
      return text;
    };
    const cases = [
      ["/v1/listings", "status", ["live", "funding"]],
      ["/v1/listings.csv", "grade", ["A", "B", "C"]],
      ["/v1/events", "kind", ["repaid", "drawn_down"]],
      ["/v1/events.csv", "kind", ["subscribed", "refunded"]],
      ["/", "status", ["live", "matured"]],
      ["/index.md", "repayment", ["late", "current"]],
      ["/md/index", "country", ["DK", "KE"]],
    ] as const;
    for (const [path, name, words] of cases) {
      const accept = path === "/" ? "text/html" : "*/*";
      const repeated = await textOf(`${path}?${words.map((word) => `${name}=${word}`).join("&")}`, accept);
      expect(repeated, path).toBe(await textOf(`${path}?${name}=${words.join(",")}`, accept));
      expect(repeated, path).not.toBe(await textOf(`${path}?${name}=${words[0]}`, accept));
    }
    const { listings } = await book.get("/listings", { query: { status: ["live", "funding"] } });
    const found: { listings: unknown[] } = JSON.parse(
      await textOf("/v1/listings?status=live&status=funding"),
    );
    expect(found.listings).toHaveLength(listings.length);
  });

  test("a date is its start in UTC wherever a time is, and a refusal names the form", async () => {
    const [newest] = (await book.get("/events", { query: { limit: 1 } })).events;
    const date = new Date(Date.parse(newest?.blockTime ?? "") - 30 * 86_400_000).toISOString().slice(0, 10);
    for (const path of [
      ...[
        "/v1/events?since=",
        "/v1/events?until=",
        "/v1/listings/RB00001/events?since=",
        "/v1/events.csv?since=",
      ],
      ...["/v1/listings?asOf=", "/v1/stats?asOf=", "/v1/listings?closingBefore=", "/v1/listings?dueBefore="],
    ]) {
      const [byDate, byTime] = [
        await fetch(url + path + date),
        await fetch(`${url}${path}${date}T00:00:00Z`),
      ];
      expect([byDate.status, byTime.status], path).toEqual([200, 200]);
      // The links to next pages, which are in the header, differ.
      expect(await byDate.text(), path).toBe(await byTime.text());
      const refused: { detail: string; errors: { detail: string }[] } = await (
        await fetch(`${url}${path}yesterday`)
      ).json();
      for (const { detail } of [refused, ...refused.errors]) {
        expect(detail).toContain("a time such as 2026-03-01T12:00:00Z, or a date such as 2026-03-01");
      }
    }

    const query = (text: string) =>
      fetch(`${url}/graphql?query=${encodeURIComponent(text)}`).then((answer) => answer.json());
    const graphql = (moment: string) =>
      query(`{ events(since: "${moment}") { nodes { logIndex blockNumber } }
        listings(dueBefore: "${moment}", closingBefore: "${moment}") { totalCount } }`);
    const answer = await graphql(date);
    expect(answer).toEqual(await graphql(`${date}T00:00:00Z`));
    expect(answer).toHaveProperty("data.events.nodes.0");

    const client = await CLIENT_KINDS[0]?.connect(`${url}/mcp`);
    const call = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify(await client?.call(name, args));
    for (const [name, argument, more] of [
      ["list_deals", "dueBefore", {}],
      ["get_deal", "since", { id: "RB00001" }],
      ["list_businesses", "since", {}],
    ] as const) {
      const asked = (moment: string) => call(name, { ...more, [argument]: moment });
      expect(await asked(date), name).toBe(await asked(`${date}T00:00:00Z`));
      expect(await asked("yesterday"), name).toContain(`${argument} must be a`);
    }
    const block = newest?.blockNumber ?? "";
    expect(await call("list_businesses", { since: block })).toContain(`"since":"${block}"`);
    await client?.close();
  });

  test("a raise in default stays in its calendar, and files under a refnum lead to those of the raise", async () => {
    const inDefault = (await listingsOf(book)).filter(
      ({ repayment, outstandingPrincipal }) => repayment === "default" && outstandingPrincipal !== "0",
    );
    expect(inDefault.length).toBeGreaterThan(0);
    for (const { publicId, refnum } of inDefault) {
      for (const file of ["feed.atom", "calendar.ics"]) {
        const { url: address, redirected, status } = await fetch(`${url}/listings/${refnum}/${file}`);
        expect([address, redirected, status]).toEqual([`${url}/listings/${publicId}/${file}`, true, 200]);
      }
      const calendar = await (await fetch(`${url}/listings/${publicId}/calendar.ics`)).text();
      expect(calendar).toContain("SUMMARY:In default: ");
    }
  });

  test("a browser that sends something to a page gets a page, and GraphQL's text has its links", async () => {
    const sent = await fetch(`${url}/`, { method: "POST", headers: { Accept: "text/html,*/*;q=0.8" } });
    expect([sent.status, sent.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(sent.headers.get("content-type")).toContain("text/html");
    expect(await sent.text()).toContain("POST is not allowed here");
    const graphql = await fetch(`${url}/graphql`, { headers: { Accept: "*/*" } });
    expect(graphql.headers.get("link")).toContain('rel="service-desc"');
  });

  test("a walk through its ledger finds what was raised and repaid", async () => {
    let raised = 0n;
    let repaid = 0n;
    for await (const { events } of book.pages("/events", {
      query: { kind: ["subscribed", "repaid"], limit: 100 },
    })) {
      for (const event of events) {
        if (event.kind === "subscribed") raised += BigInt(event.amount);
        if (event.kind === "repaid") repaid += BigInt(event.principal ?? 0) + BigInt(event.interest ?? 0);
      }
    }
    expect(`${repaid}`).toBe((await book.get("/stats")).repaid);
    expect(raised).toBeGreaterThanOrEqual(BigInt((await book.get("/stats")).raised));
  });

  test("GraphQL and the tools say over HTTP what REST says", async () => {
    const post = async (path: string, body: object) => {
      const headers = { "Content-Type": "application/json" };
      const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      expect(response.status).toBe(200);
      return response.json();
    };
    const fields = "publicId status raisedAmount repaidAmount reserveBalance originatorGrade";
    const query = `{ listings(first: 100) { nodes { ${fields} events(first: 3) { nodes { kind txHash logIndex } } } } }`;
    const { data, errors } = await post("/graphql", { query });
    expect(errors).toBeUndefined();
    const rows = await listingsOf(book);
    expect(data.listings.nodes).toHaveLength(rows.length);
    for (const [index, { events, ...node }] of data.listings.nodes.entries()) {
      expect(rows[index]).toMatchObject(node);
      const path = { id: node.publicId };
      const ledger = await book.get("/listings/{id}/events", { path, query: { limit: 3 } });
      const places = ledger.events.map(({ kind, txHash, logIndex }) => ({ kind, txHash, logIndex }));
      expect(events.nodes).toEqual(places);
    }
    const call = { name: "get_deal", arguments: { id: rows[0]?.publicId } };
    const answer = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
    expect(answer.result.structuredContent.deal).toEqual(rows[0]);
  });

  test("mines nothing, and ends at the present", async () => {
    const before = await indexedBlockOf(book);
    const { indexedAt } = await book.get("/health");
    expect(Math.abs(startedAt - Date.parse(indexedAt ?? ""))).toBeLessThan(60_000);
    await sleep(2_500);
    expect(await indexedBlockOf(book)).toBe(before);
    expect(before).toBeGreaterThan(500);
  });
});
