import { describe, expect, it } from "vitest";
import { VARIABLE_NAMES, VARIABLES } from "../config/variables.ts";
import { USAGE } from "./usage.ts";

describe("USAGE", () => {
  it("lists every variable with its default, and fits a terminal", () => {
    for (const name of VARIABLE_NAMES) {
      expect(USAGE).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(USAGE).toContain(`default: ${VARIABLES[name].fallback}\n`);
    }
    for (const line of USAGE.split("\n")) expect(line.length, line).toBeLessThanOrEqual(120);
  });
});
