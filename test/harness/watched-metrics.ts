/** @module Compares the metrics that the dashboard and the alert rules of deploy/ use with those that can be scraped. */
import { readFile } from "node:fs/promises";

const FILES = ["grafana/raisebook.json", "prometheus/alerts.yaml"];

/**
 * The metrics with one of these prefixes that a file names and no scrape has. Those of webhooks have their own prefix, since another
 * process has them.
 * @throws where a file names hardly any
 */
export async function missingMetrics(
  scraped: readonly string[],
  prefixes: readonly string[],
): Promise<string[]> {
  const known = new Set(
    scraped.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)),
  );
  const missing: string[] = [];
  for (const file of FILES) {
    const text = await readFile(new URL(`../../deploy/${file}`, import.meta.url), "utf8");
    const used = text.match(new RegExp(`\\b(${prefixes.join("|")})_(?!webhooks_)[a-z0-9_]+`, "g")) ?? [];
    if (used.length <= 1) throw new Error(`${file} names ${used.length} metrics`);
    missing.push(
      ...used.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, ""))),
    );
  }
  return missing;
}
