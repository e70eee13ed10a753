/**
 * Compares the names in the documents with the repository: scripts, commands and their options, variables, files, addresses of the API.
 * @module
 */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { VARIABLE_NAMES } from "../../../config/variables.ts";
import openapi from "../../../openapi.json" with { type: "json" };
import modules from "../../../operate/cli/modules.json" with { type: "json" };
import { program } from "../../../operate/cli/program.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { ROOT } from "./document.ts";
import { type Command, commandsOf } from "./shell.ts";

const scripts: Readonly<Record<string, string>> = packageJson.scripts;
/** The commands of npm itself. */
const OF_NPM = new Set(["ci", "install", "link", "audit", "pack", "init", "publish", "version"]);
/** Variables and constants of others. */
const FOREIGN = new Set(["MALLOC_ARENA_MAX", "PGHOST", "PGPASSWORD", "PGUSER", "SO_REUSEPORT"]);
const FOLDERS = "{api,bench,chain,config,demo,deploy,operate,src,test/simulation}/**/*";
const isCode = /\.(ts|tsx|mjs)$/;
/** The files other than tests, read once: the code, and the rest, such as a file for systemd. */
let sources: { readonly code: string; readonly rest: string } | null = null;
function readSources() {
  if (sources !== null) return sources;
  const texts: { code: string[]; rest: string[] } = { code: [], rest: [] };
  for (const entry of globSync([FOLDERS, "*.ts"], { cwd: ROOT, withFileTypes: true })) {
    if (!entry.isFile() || /\.(test\.ts|md)$/.test(entry.name)) continue;
    const kind = isCode.test(entry.name) ? "code" : "rest";
    texts[kind].push(readFileSync(join(entry.parentPath, entry.name), "utf8"));
  }
  sources = { code: texts.code.join("\n"), rest: texts.rest.join("\n") };
  return sources;
}

const isCommand = (span: string) => /^([A-Z_]+=\S+ )*(npm|npx|raisebook|node) /.test(span);

/** The faults in the text of a `code` in a sentence; empty without any. */
export function spanProblems(span: string, document: string): readonly string[] {
  if (isCommand(span)) return commandsOf(span).flatMap(commandProblems);
  const [, variable] = /^([A-Z][A-Z0-9_]*)=\S+$/.exec(span) ?? [];
  if (variable !== undefined) return variableProblems(variable);
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(span)) return constantProblems(span);
  const [, route] = /^(?:[A-Z]+ )?(\/v1\/[^\s?#]+)/.exec(span) ?? [];
  if (route !== undefined) return routeProblems(route);
  if (/^[A-Z][a-z']* (?:\S+ ){2,}\S/.test(span)) return sentenceProblems(span);
  return fileProblems(span, document);
}

/** A line of the log, or another message: its beginning before `…` is in the code, or in Ponder's. */
function sentenceProblems(span: string): readonly string[] {
  const sentence = span.replaceAll(/\s+/g, " ").replace(/ ?…$/, "");
  const isOurs = readSources().code.includes(sentence);
  const isThere = isOurs || ponderFiles().some((text) => text.includes(sentence));
  return isThere ? [] : [`nothing says: ${sentence}`];
}

const ponderFiles = () =>
  globSync("node_modules/ponder/dist/esm/**/*.js", { cwd: ROOT }).map((path) =>
    readFileSync(join(ROOT, path), "utf8"),
  );

const isVariable = (name: string) =>
  (VARIABLE_NAMES as readonly string[]).includes(name) || FOREIGN.has(name);

export function variableProblems(name: string): readonly string[] {
  const { code, rest } = readSources();
  const isRead =
    isVariable(name) ||
    new RegExp(`\\benv\\.${name}\\b`).test(code) ||
    new RegExp(`\\b${name}\\b`).test(rest);
  return isRead ? [] : [`nothing reads the variable ${name}`];
}

/** A name in capitals is a variable, or one of the code. */
function constantProblems(name: string): readonly string[] {
  const isKnown = isVariable(name) || Object.values(readSources()).some((text) => text.includes(name));
  return isKnown ? [] : [`nothing is called ${name}`];
}

/** An address of the service, with `{id}` or a real id where the description has a parameter. */
export function routeProblems(route: string): readonly string[] {
  const pieces = route.replace(/^\/v1(?=\/)|\?.*$/g, "").split("/");
  const isThis = (path: string) => {
    const wanted = path.split("/");
    return (
      wanted.length === pieces.length &&
      wanted.every(
        (piece, index) => piece === pieces[index] || (/^\{.*\}$/.test(piece) && pieces[index] !== ""),
      )
    );
  };
  return Object.keys(openapi.paths).some(isThis) ? [] : [`the service has no ${route}`];
}

const tops = new Set(readdirSync(ROOT).filter((name) => name !== "node_modules"));
let names: Set<string> | null = null;
const isName = (name: string): boolean => {
  names ??= new Set(
    globSync("**/*", { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|\.git)$/.test(path) }).map((path) =>
      basename(path),
    ),
  );
  return names.has(name);
};

/** A path from the root or from the document's folder, or the name of a source file alone. Globs are allowed, and `…`. */
function fileProblems(span: string, document: string): readonly string[] {
  if (/^[\w-]+(\.[\w-]+)*\.(ts|tsx|mjs|sol|conf|yaml)$/.test(span)) {
    return isName(span) ? [] : [`there is no file ${span}`];
  }
  const isPath = /^\.?[\w.@{},*…-]+(\/[\w.@{},*…-]*)+$/.test(span) && tops.has(span.split("/")[0] ?? "");
  if (!isPath) return [];
  const pattern = span.replace(/…/g, "*").replace(/\/$/, "");
  const found = ["", dirname(document)].some(
    (folder) => globSync(join(folder, pattern), { cwd: ROOT }).length > 0,
  );
  return found ? [] : [`there is no ${span}`];
}

/** The faults in a command of a shell snippet; empty without any. */
export function commandProblems({ variables, words }: Command): readonly string[] {
  return [
    ...variables.flatMap(variableProblems),
    ...programProblems(words),
    ...words.slice(1).flatMap(argumentProblems),
  ];
}

/** An argument that is a path into a folder of the repository. */
const argumentProblems = (word: string) => fileProblems(word, "");

function programProblems([name, ...rest]: readonly string[]): readonly string[] {
  if (name === "npx" && rest[0] === "raisebook") return raisebookProblems(rest.slice(1));
  if (name === "raisebook") return raisebookProblems(rest);
  if (name === "npm") return npmProblems(rest);
  return [];
}

function npmProblems([verb = "", ...rest]: readonly string[]): readonly string[] {
  const isOwn = verb === "start" || verb === "test";
  if (verb !== "run" && !isOwn) return OF_NPM.has(verb) ? [] : [`npm has no ${verb}`];
  // Options of npm's own come first.
  const script = isOwn ? verb : (rest.find((word) => !word.startsWith("--")) ?? "");
  const line = scripts[script];
  if (line === undefined) return [`package.json has no script ${script}`];
  const dashes = rest.indexOf("--");
  const options = dashes < 0 ? [] : rest.slice(dashes + 1);
  if (script === "raisebook") return raisebookProblems(options);
  const module = /[\w/.-]+\.ts(?= |$)/.exec(line)?.[0];
  const [command] = Object.entries(modules).find(([, path]) => path === module) ?? [];
  return optionProblems(`npm run ${script}`, options, command, module);
}

function raisebookProblems(words: readonly string[]): readonly string[] {
  if (words[0] === undefined || words[0].startsWith("-") || words[0] === "completion") return [];
  const names = [words.slice(0, 2).join(" "), words[0]];
  const name = names.find((one) => Object.hasOwn(modules, one));
  if (name === undefined) return [`there is no command raisebook ${names[0]}`];
  const module = modules[name as keyof typeof modules];
  return optionProblems(`raisebook ${name}`, words.slice(name.split(" ").length), name, module);
}

/** By the command's own description, and where that is not in `operate/cli/program.ts` by the text of its module. */
function optionProblems(
  shown: string,
  words: readonly string[],
  command: string | undefined,
  module: string | undefined,
): readonly string[] {
  const described = command === undefined ? null : commandNamed(command);
  const known = new Set(["--help", ...(described?.options ?? []).map(({ long }) => long)]);
  const text = module === undefined ? "" : readFileSync(join(ROOT, module), "utf8");
  return words
    .filter((word) => word.startsWith("--"))
    .map((word) => word.replace(/=.*/, ""))
    .filter((option) => !known.has(option) && !new RegExp(`${option}\\b`).test(text))
    .map((option) => `${shown} has no option ${option}`);
}

function commandNamed(name: string): CommandUnknownOpts | null {
  const find = (from: CommandUnknownOpts | undefined, word: string) =>
    from?.commands.find((one) => one.name() === word);
  return name.split(" ").reduce<CommandUnknownOpts | undefined>(find, program()) ?? null;
}
