/** @module The Dockerfile as stages of instructions. */
import { Copy, DockerfileParser, type Instruction } from "dockerfile-ast";
import { textOf } from "./files.ts";

export type Step = {
  keyword: string;
  /** the arguments as they stand, without flags, in one line */
  text: string;
  words: string[];
  /** the stage that a COPY is from; null: from the context */
  from: string | null;
};
export type Stage = { from: string; name: string | null; steps: Step[] };

/** @throws where the file has no stage */
export function stagesOf(): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(textOf("Dockerfile")).getInstructions()) {
    const step = stepOf(instruction);
    if (step.keyword === "FROM") {
      const [from = "", , name = null] = step.words;
      stages.push({ from, name, steps: [] });
    } else stages.at(-1)?.steps.push(step);
  }
  if (stages.length === 0) throw new Error("the Dockerfile has no stage");
  return stages;
}

function stepOf(instruction: Instruction): Step {
  // Backslashes at the ends of lines join them.
  const text = instruction.getArgumentsContent() ?? "";
  return {
    keyword: instruction.getKeyword(),
    text: text.replaceAll(/\\\n\s*/g, ""),
    words: instruction.getArguments().map((one) => one.getValue()),
    from: instruction instanceof Copy ? (instruction.getFromFlag()?.getValue() ?? null) : null,
  };
}

/** The last instruction of this kind in a stage. @throws if there is none */
export function lastOf(stage: Stage | undefined, keyword: string): Step {
  const step = stage?.steps.findLast((one) => one.keyword === keyword);
  if (step === undefined) throw new Error(`the stage has no ${keyword}`);
  return step;
}

/** The JSON that follows a second keyword in an instruction: `HEALTHCHECK … CMD […]`, `CMD […]`. */
export const execOf = ({ text }: Step): string[] => JSON.parse(text.slice(text.indexOf("[")));

/** The variables of a stage. */
export const environmentOf = (stage: Stage | undefined): Record<string, string> =>
  Object.fromEntries(
    (stage?.steps ?? [])
      .filter(({ keyword }) => keyword === "ENV")
      .flatMap(({ text }) => text.split(/\s+/))
      .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
  );
