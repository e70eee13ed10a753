/** The texts that the simulation takes out of a file are there, or a run without a defence would still have it. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFENCES } from "../simulation/defences.ts";

it.each(DEFENCES)("the defence against $fault is once in $out.file", ({ out }) => {
  expect(readFileSync(out.file, "utf8").split(out.text)).toHaveLength(2);
});
