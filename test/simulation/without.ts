/** @module Shows that the judge sees each kind of fault: runs without what defends against it, each from a copy of the sources. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "../harness/daemon.ts";
import { DEFENCES, type Defence, OTHERS_DEFENCES } from "./defences.ts";
import type { Fault } from "./schedule.ts";

/** Folders that are not sources. */
const LEFT_OUT = new Set([".git", "node_modules", ".raisebook", ".ponder"]);

/** One run for each defence against these faults: resolves to a line about each, and whether all of them were red. */
export async function runWithout(
  faults: readonly Fault[],
  { signal, tell }: { signal: AbortSignal; tell: (line: string) => void },
): Promise<boolean> {
  let isAllRed = true;
  for (const defence of DEFENCES.filter(({ fault }) => faults.includes(fault))) {
    if (signal.aborted) return false;
    const said = await withCopy(defence, (folder) => play(folder, defence.fault, signal));
    tell(`without ${defence.out.file} "${defence.out.text}"\n${said.output}`);
    isAllRed &&= said.code === 1;
  }
  for (const fault of OTHERS_DEFENCES.filter((one) => faults.includes(one))) {
    if (signal.aborted) return false;
    const said = await play(ROOT, fault, signal);
    tell(`${fault}, for ever\n${said.output}`);
    isAllRed &&= said.code === 1;
  }
  return isAllRed;
}

async function play(folder: string, fault: Fault, signal: AbortSignal) {
  const args = ["--import", "./config/require-node.mjs", "--import", "tsx", "test/simulation/main.ts"];
  const child = spawn(process.execPath, [...args, "--undefended", fault], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => child.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  signal.removeEventListener("abort", end);
  return { output, code: code as number | null };
}

/** @throws when the sources do not have the text, or have it more than once */
async function withCopy<Result>({ out }: Defence, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-without-"));
  try {
    for (const name of readdirSync(ROOT)) {
      if (!LEFT_OUT.has(name))
        cpSync(join(ROOT, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const path = join(folder, out.file);
    const [before, after, ...more] = readFileSync(path, "utf8").split(out.text);
    if (after === undefined || more.length > 0) throw new Error(`${out.file} has not once: ${out.text}`);
    writeFileSync(path, `${before}${out.instead}${after}`);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
