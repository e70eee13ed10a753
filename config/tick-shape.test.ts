import { expect, test } from "vitest";

test("the object of Node that is kept is one of a tick", async () => {
  const { kept } = (await import("./tick-shape.mjs" as string)) as { kept: object | null };
  expect(kept).toHaveProperty("callback");
});
