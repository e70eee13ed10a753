/** @module The report of a bench, as a table for people and as JSON for comparison. */
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** One case: ours and a reference, measured in the same runs. */
export type Row = {
  bench: string;
  case: string;
  /** median */
  ours: number;
  /** median; NaN (null in JSON) where there is only a limit to compare with */
  other: number;
  /** what `other` is */
  against: string;
  unit: string;
  /** median of the runs' own ratios, ours / other; NaN like `other` */
  ratio: number;
  /** the lowest and the highest ratio; of `ours` where there is none */
  spread: [number, number];
  bar: string;
  runs: number;
};

export type Environment = {
  date: string;
  node: string;
  postgres: string;
  ponder: string;
  hono: string;
  cores: number;
  /** processes that wanted a core in the minute before: above zero, ratios come out closer to 1 than they are */
  load: number;
  cpu: string;
};

const COLUMNS = ["bench", "case", "ours", "other", "unit", "ratio", "spread", "bar", "against"] as const;
const NUMBERS: ReadonlySet<string> = new Set(["ours", "other", "ratio", "spread"]);

/** The versions and the machine that the figures are of, before they are measured. */
export function environment(): Omit<Environment, "postgres"> {
  return {
    date: new Date().toISOString(),
    node: process.versions.node,
    ponder: versionOf("ponder"),
    hono: versionOf("hono"),
    cores: availableParallelism(),
    load: loadavg()[0] ?? 0,
    cpu: cpus()[0]?.model ?? "unknown",
  };
}

export function formatTable(rows: readonly Row[]): string {
  const lines = [COLUMNS.map(String), ...rows.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: string[]) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return NUMBERS.has(COLUMNS[column] ?? "") ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return `${lines.map(format).join("\n")}\n`;
}

function cellsOf(row: Row): string[] {
  return COLUMNS.map((column) => {
    if (column === "spread") return row.spread.map(formatNumber).join("–");
    const value = row[column];
    return typeof value === "number" ? formatNumber(value) : value;
  });
}

/** Three significant digits, whole numbers in full. */
function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

/** Not every package exports its `package.json`: it is looked for upwards from the package's entry. */
function versionOf(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.resolve(name)));
  while (!existsSync(join(folder, "package.json")) || manifestIn(folder).name !== name)
    folder = dirname(folder);
  return manifestIn(folder).version;
}

function manifestIn(folder: string): { name: string; version: string } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
