/**
 * An operator who follows a document to the letter: in its own folder with all of the repository, one snippet after the other, with its own
 * values in place of the examples.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, readDocument, type Snippet } from "./documents/document.ts";
import { isFile, isSettings, type Place, placeOf } from "./documents/places.ts";
import { paste, shellEnvironment } from "./paste.ts";

/** Files that an operator writes, which a clone does not contain. */
const OWN = new Set([".env.local", ".git", ".raisebook", "registry.json"]);

export type OperatorParameters = {
  /** From the root of the repository. No two of their sections have the same name. */
  readonly documents: readonly string[];
  /** Which of their snippets are followed. Default: the operator's. */
  readonly place?: Place;
  /** The operator's values for the examples in snippets. */
  readonly values: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** For snippets that need PostgreSQL's programs; null: they are not installed. */
  readonly postgresEnv: Readonly<Record<string, string>> | null;
};

export type Operator = {
  readonly folder: string;
  /**
   * Follows a section to its end, or up to the snippet that begins so, at which the next call goes on. Resolves to what was printed.
   * @throws with what was said, when a command fails
   */
  follow(section: string, upTo?: string): Promise<string>;
  /** The places of snippets that were not followed. */
  left(): readonly string[];
  /** The output of everything that keeps running. */
  output(): string;
  /** Presses Ctrl-C in every terminal. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export function createOperator({
  documents,
  place = "operator",
  values,
  env,
  postgresEnv,
}: OperatorParameters): Operator {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-operator-"));
  for (const name of readdirSync(ROOT)) if (!OWN.has(name)) symlinkSync(join(ROOT, name), join(folder, name));
  const left = documents
    .flatMap((document) => readDocument(document).snippets)
    .filter((snippet) => placeOf(snippet) === place);
  const terminals = new Map<string, { process: ChildProcess; ended: Promise<unknown> }>();
  let output = "";

  const mine = (text: string) =>
    Object.entries(values).reduce((changed, [example, own]) => changed.replaceAll(example, own), text);

  /** Sets or adds each line. */
  function write(file: string, text: string): void {
    const path = join(folder, file);
    const lines = new Map(
      read(path)
        .concat(text.split("\n"))
        .map((line) => [line.split("=")[0], line]),
    );
    writeFileSync(path, `${[...lines.values()].join("\n")}\n`);
  }

  async function end(text: string): Promise<void> {
    const terminal = terminals.get(text);
    if (terminal === undefined) return;
    terminals.delete(text);
    const { process: child, ended } = terminal;
    // As a terminal does: to all that it runs.
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;
    if (child.exitCode !== 0) throw new Error(`${text} ended with ${child.exitCode}:\n${output}`);
  }

  async function start(text: string): Promise<void> {
    await end(text);
    const options = { cwd: folder, env: shellEnvironment({ home: folder, env }), detached: true };
    const child = spawn("bash", ["-c", text], options);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    terminals.set(text, { process: child, ended: once(child, "close") });
  }

  async function stop(): Promise<void> {
    for (const text of [...terminals.keys()].toReversed()) await end(text);
  }

  /** Resolves to what was printed. */
  async function take(snippet: Snippet): Promise<string> {
    const marks = new Set(snippet.words.slice(1));
    const text = mine(snippet.text);
    if (isSettings(snippet)) write(snippet.words[1] ?? "", text);
    else if (isFile(snippet)) writeFileSync(join(folder, snippet.words[1] ?? ""), `${text}\n`);
    else {
      if (marks.has("stopped")) await stop();
      if (marks.has("stays")) await start(text);
      else if (!marks.has("postgres")) return paste(text, { cwd: folder, home: folder, env });
      else if (postgresEnv !== null) return paste(text, { cwd: folder, home: folder, env: postgresEnv });
    }
    return "";
  }

  return {
    folder,
    left: () => left.map(({ at }) => at),
    output: () => output,
    stop,
    async follow(section, upTo) {
      const isNext = ({ section: of, text }: Snippet) =>
        of === section && (upTo === undefined || !text.startsWith(upTo));
      let said = "";
      for (;;) {
        const index = left.findIndex(({ section: of }) => of === section);
        const next = left[index];
        if (next === undefined || !isNext(next)) return said;
        left.splice(index, 1);
        said += await take(next).catch((error: unknown) => {
          throw new Error(`${next.at}: ${error instanceof Error ? error.message : error}\n${output}`);
        });
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { process: child, ended } of terminals.values()) {
        if (child.exitCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function read(path: string): string[] {
  try {
    return readFileSync(path, "utf8").trim().split("\n");
  } catch {
    return [];
  }
}
