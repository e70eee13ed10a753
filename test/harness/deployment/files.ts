/** @module The files of `deploy/` as operators are given them, read as what they are. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { parse, parseAllDocuments } from "yaml";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** @param path from the root of the repository */
export const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");
export const isThere = (path: string): boolean => existsSync(join(ROOT, path));
export const jsonOf = <Content>(path: string): Content => JSON.parse(textOf(path));
export const yamlOf = <Content>(path: string): Content => parse(textOf(path), { merge: true });
export const documentsOf = <Content>(path: string): Content[] =>
  parseAllDocuments(textOf(path), { merge: true }).map((one) => one.toJS());
/** The variables of a file with one on each line. */
export const variablesOf = (path: string): Record<string, string> =>
  Object.fromEntries(Object.entries(parseEnv(textOf(path))).map(([name, value]) => [name, value ?? ""]));

/** The values of a key of a systemd unit, in their order, with the specifiers of an instance replaced. */
export function unitOf(path: string, instance = ""): (key: string) => string[] {
  const specifiers: Record<string, string> = {
    ...{ "%i": instance, "%S": "/var/lib", "%C": "/var/cache", "%d": `/run/credentials/${basename(path)}` },
  };
  const entries = textOf(path)
    .split("\n")
    .filter((line) => /^[A-Z]\w*=/.test(line))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const);
  return (key) =>
    entries
      .filter(([name]) => name === key)
      .map(([, value]) => value.replaceAll(/%\w/g, (found) => specifiers[found] ?? found));
}

/** The first group of each match of an expression in a file. */
export const foundIn = (path: string, expression: RegExp): string[] =>
  [...textOf(path).matchAll(expression)].map(([, found = ""]) => found);
