import { expect, test } from "vitest";
import { kept } from "./tick-shape.mjs";

test("keeps a tick object", () => {
  expect(kept).toHaveProperty("callback");
});
