/** @module Facts about the demo's market that hold at any moment and for any seed. */
import { expect } from "vitest";
import type { Listing, RaisebookClient } from "../../client/index.ts";
import { isAlive, isListening } from "./demo.ts";

export type DemoPlace = {
  /** without a slash at the end */
  url: string;
  appUrl: string;
  book: RaisebookClient;
};

export async function listingsOf(book: RaisebookClient): Promise<Listing[]> {
  return (await book.get("/listings")).listings;
}

export async function indexedBlockOf(book: RaisebookClient): Promise<number> {
  return Number((await book.get("/health")).indexedBlock);
}

function values(rows: readonly Listing[], field: keyof Listing): Set<unknown> {
  return new Set(rows.map((row) => row[field]));
}

export async function expectPromises({ book, url, appUrl }: DemoPlace): Promise<void> {
  const rows = await listingsOf(book);
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(values(rows, "originator").size).toBeGreaterThanOrEqual(4);
  expect(values(rows, "status")).toEqual(
    new Set(["listed", "funding", "live", "matured", "refunding", "voided", "cancelled"]),
  );
  expect(values(rows, "pricingMode")).toEqual(new Set(["fixed", "auction"]));
  expect([...values(rows, "originatorGrade")]).toEqual(expect.arrayContaining(["A", "C", "E", "NR"]));
  expect([...values(rows, "repayment")]).toEqual(expect.arrayContaining(["late", "default"]));
  expect(rows.some(({ closeAt }) => closeAt === null)).toBe(true);
  expect(new Set(rows.map(({ refnum }) => String(refnum).slice(0, -5)))).toEqual(new Set(["FL", "RB"]));
  expect(rows.map(({ refnum }) => refnum)).toContain("RB00001");
  expect(values(rows, "escrowAddress").size).toBe(2);
  expect(rows.filter(({ onchainId }) => onchainId === "1")).toHaveLength(2);
  expect(values(rows, "chainId")).toEqual(new Set([97]));
  expect(values(rows, "metadataVerified")).toEqual(new Set([true]));
  expect(values(rows, "originatorVerified")).toEqual(new Set([true]));
  for (const row of rows) {
    expect(row.url).toBe(`${url}/listings/${row.publicId}`);
    expect(row.appUrl).toBe(`${appUrl}/listings/${row.publicId}`);
  }

  const { originators } = await book.get("/originators");
  expect(originators.length).toBeGreaterThanOrEqual(4);
  expect(originators.map(({ ratingGrade }) => ratingGrade)).toEqual(
    expect.arrayContaining(["A", "C", "E", "NR"]),
  );
  const health = await book.get("/health");
  expect(health).toMatchObject({ status: "ok", chainId: 97, unprojectable: 0, anomalies: { total: 0 } });
}

/** Everything is gone: the ports, and each process that the demo had started. */
export async function expectNothingLeft(
  ports: readonly number[],
  children: readonly number[],
): Promise<void> {
  for (const port of ports) expect(await isListening(port), `port ${port}`).toBe(false);
  expect(children.filter(isAlive)).toEqual([]);
}
