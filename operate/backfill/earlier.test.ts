import { expect, it } from "vitest";
import { withoutComments } from "./earlier.ts";

it("takes code with other comments and line breaks for the same", () => {
  const code = withoutComments(`/**
 * An event as it is recorded.
 */
export function record(event) {
  // The part, too.
  return [event.kind, event.part * 2];
}
`);
  const reworded = `/** What is recorded. */
export function record(event) {

    return [event.kind,
      event.part * 2];
}`;
  expect(withoutComments(reworded)).toBe(code);
  expect(withoutComments(reworded.replace("* 2", "* 3"))).not.toBe(code);
  expect(withoutComments("class Rows {\n  *all() {}\n}")).toContain("*all()");
});
