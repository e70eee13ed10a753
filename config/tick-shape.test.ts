import { expect, test } from "vitest";
import { kept } from "./tick-shape.mjs";

test("the object of Node that is kept is one of a tick", () => {
  expect(kept).toHaveProperty("callback");
});
