/**
 * The place where a snippet is run. The word behind the language of its fence says so (```` ```sh operator ````); without one it is told
 * by what the snippet says itself. Further words are for the test of that place.
 * @module
 */
import type { Snippet } from "./document.ts";
import { type Command, commandsOf } from "./shell.ts";

/** Each with the test that runs it. */
export const PLACES = {
  board: "test/integration/first-board.test.ts",
  contracts: "src/contracts/module.test.ts",
  data: "test/integration/open-data.test.ts",
  demo: "test/integration/still-demo.test.ts",
  machine: "test/integration/deployment.test.ts",
  moved: "test/integration/webhook-positions.test.ts",
  operator: "test/integration/runbook.test.ts",
  receiver: "operate/webhooks/send.test.ts",
  tables: "test/integration/registry-sources.test.ts",
} as const;

export type Place = keyof typeof PLACES;

/** The documents that an operator follows, in this order. */
export const OPERATOR_DOCUMENTS = [
  "docs/operations.md",
  "docs/registry.md",
  "docs/operations/ledger-file.md",
] as const;

/** Commands that no test runs, by how they begin, and why. The names in them are checked all the same. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "npm ci": "downloads every package: a run of the tests begins with it",
  "npm link": "changes the machine",
  "npm install": "downloads packages: `npm run check:package` installs the package in an empty folder",
  tar: "belongs to the lines next to it",
  "npm pack": "is what `npm run check:package` begins with",
  "npm run --silent release": "is what a release begins with",
  "npm run deliver": "needs a receiver; test/integration/webhooks.test.ts runs it",
  "npx raisebook deliver": "belongs to the process next to it; test/integration/webhooks.test.ts runs each",
  "npx raisebook verify":
    "needs a service and a node of the reader's own; operate/cli/verify/verify.test.ts runs it",
  "npx raisebook db export --parquet": "needs tables; test/integration/open-data.test.ts runs it",
  "npx raisebook compare": "needs two services; operate/cli/compare/command.test.ts runs it",
  "npx raisebook start": "is what `npm run check:package` runs from the package",
  "npm test": "is what runs the tests",
  "npm run test:unit": "is what runs the tests",
  "npm run test:long": "is what runs the tests",
  "npm run test:mutations": "takes minutes",
  "npm run test:watch": "does not end",
  "npm run check": "runs next to the tests",
  "npm run demo": "is what runs while the snippets of the demo are tried",
  "npm run bench": "takes minutes",
  "npm run soak": "takes an hour",
  "npm run simulate": "takes minutes; test/integration/simulation.test.ts runs a short one",
  cd: "belongs to the lines next to it",
  cp: "belongs to the lines next to it",
  install: "belongs to the lines next to it",
  "git clone": "needs the repository's address",
  "git fetch": "needs the repository's address",
  "git checkout": "changes the clone",
  "caddy validate": "is what test/integration/proxies.test.ts begins with",
  docker: "needs a container engine",
  kubectl: "needs a cluster",
  "apt-get": "changes the machine",
  sudo: "changes the machine",
  systemctl: "needs systemd",
  journalctl: "needs systemd",
  tail: "does not end",
};

/** The ports of the demo in the README: a snippet that names one is run together with the demo. */
const OF_DEMO = /\b127\.0\.0\.1:(42069|4207[01]|8545)\b/;

const SHELL = new Set(["sh", "bash", "shell", "console"]);
const RUN = new Set([...SHELL, "ts", "js", "graphql", "sql", "python"]);
/** A transcript: commands behind `$`, and what they print. */
const isTranscript = ({ language, text }: Snippet) => language === "text" && /^\$ /m.test(text);

const isShell = ({ language }: Snippet) => SHELL.has(language);

/** Lines of an `.env.local`. */
export const isSettings = ({ language }: Snippet) => language === "dotenv" || language === "ini";

/** A file of code. */
export const isFile = ({ language, words }: Snippet) => language === "js" && words.length > 1;

/** The commands of a shell snippet or a transcript. */
export function shellOf(snippet: Snippet): readonly Command[] {
  if (isShell(snippet)) return commandsOf(snippet.text);
  return isTranscript(snippet)
    ? transcriptOf(snippet.text).flatMap(({ command }) => commandsOf(command))
    : [];
}

/** Why a command is not run here, or null. */
export function reasonOf({ words }: Command): string | null {
  const line = words.join(" ");
  const found = Object.keys(ELSEWHERE).find((begin) => line === begin || line.startsWith(`${begin} `));
  return found === undefined ? null : (ELSEWHERE[found] ?? null);
}

/** The place; "elsewhere" when every command is one that no test runs; "text" when there is nothing to run; null: unknown. */
export function placeOf(snippet: Snippet): Place | "elsewhere" | "text" | null {
  const [word] = snippet.words;
  if (word !== undefined) return Object.hasOwn(PLACES, word) ? (word as Place) : null;
  if (!RUN.has(snippet.language) && !isTranscript(snippet))
    return OF_DEMO.test(snippet.text) ? "demo" : "text";
  const commands = shellOf(snippet);
  if (commands.length > 0 && commands.every((command) => reasonOf(command) !== null)) return "elsewhere";
  return OF_DEMO.test(snippet.text) ? "demo" : null;
}

export type Exchange = { readonly command: string; readonly printed: string };

/** The commands of a transcript, each with what is printed below it. */
export function transcriptOf(text: string): readonly Exchange[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...printed] = part.split("\n");
      return { command, printed: printed.join("\n").trim() };
    });
}

/** The pieces of a transcript's output, between its `…`, that are not in what was printed, in their order. */
export function missingFrom(printed: string, shown: string): readonly string[] {
  const found = timeless(printed);
  let from = 0;
  return timeless(shown)
    .split("…")
    .map((piece) => piece.trim())
    .filter((piece) => {
      const index = found.indexOf(piece, from);
      if (index >= 0) from = index + piece.length;
      return index < 0;
    });
}

/** On one line, without what is another one each time: moments, amounts, and the seconds that something took. */
function timeless(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(a moment)")
    .replaceAll(/"\d{16,}"/g, '"(an amount)"')
    .replaceAll(/\b\d+\.\d s\b/g, "(seconds)");
}
