/** @module The stages of the Dockerfile, one after the other, as folders. */
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { environmentOf, type Stage, type Step } from "../harness/deployment/dockerfile.ts";
import { makeRoot, npmSettings, runIn } from "./sandbox.ts";

/** Instructions that do not concern files. */
const OF_THE_IMAGE = [
  "ARG",
  "CMD",
  "ENTRYPOINT",
  "ENV",
  "EXPOSE",
  "HEALTHCHECK",
  "LABEL",
  "STOPSIGNAL",
  "USER",
];

/**
 * Builds the stages below `folder`, and returns the root of the last one.
 * @param report gets each step, and the seconds that it took
 */
export function build(
  stages: readonly Stage[],
  { context, folder, report }: { context: string; folder: string; report: (line: string) => void },
): string {
  let root = "";
  for (const [index, stage] of stages.entries()) {
    root = rootOf(folder, stage.name ?? `${index}`);
    makeRoot(root);
    let cwd = "/";
    for (const step of stage.steps) {
      if (OF_THE_IMAGE.includes(step.keyword)) continue;
      const startedAt = performance.now();
      if (step.keyword === "WORKDIR") {
        cwd = step.text;
        mkdirSync(join(root, cwd), { recursive: true });
      } else if (step.keyword === "COPY") copy(step, { root, cwd, context, folder });
      else if (step.keyword === "RUN") {
        const env = { ...npmSettings(root), ...environmentOf(stage) };
        runIn({ root, cwd, command: ["/bin/sh", "-c", step.text], env });
      } else throw new Error(`${step.keyword} is not known here`);
      report(
        `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${step.keyword} ${step.text}`,
      );
    }
  }
  return root;
}

const rootOf = (folder: string, stage: string) => join(folder, "stages", stage);

type Places = { root: string; cwd: string; context: string; folder: string };

/** By way of tar, whose times are whole seconds as those of layers are. */
function copy({ text, words, from }: Step, { root, cwd, context, folder }: Places): void {
  const paths = [...words];
  const to = paths.pop() ?? "";
  const target = join(root, isAbsolute(to) ? to : join(cwd, to));
  for (const path of paths) {
    const source = join(from === null ? context : rootOf(folder, from), path);
    const isFolder = statSync(source).isDirectory();
    const isInto = isFolder || to.endsWith("/") || paths.length > 1;
    const into = isInto ? target : dirname(target);
    mkdirSync(into, { recursive: true });
    const what = isFolder ? [source, "."] : [dirname(source), basename(source)];
    const command = `tar --create --format=gnu --directory="$1" "$2" | tar --extract --directory="$3"`;
    const { status, stderr } = spawnSync("sh", ["-ec", command, "sh", ...what, into], { encoding: "utf8" });
    if (status !== 0) throw new Error(`COPY ${text}: ${stderr}`);
  }
}
