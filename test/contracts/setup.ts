/**
 * A world for one test file: made once, rolled back after each test, and audited before that.
 *
 * @module
 */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { audit } from "./audit.ts";
import { createWorld, type World, type WorldParameters } from "./world.ts";

/** @returns the file's world, once its tests run */
export function setUpWorld(params?: WorldParameters): () => World {
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  let world: World | undefined;
  let restore: (() => Promise<void>) | undefined;
  const current = () => {
    if (!world) throw new Error("the world is made in beforeAll");
    return world;
  };
  beforeAll(async () => {
    world = await createWorld(params);
  });
  beforeEach(async () => {
    current().sentDirectly = 0n;
    restore = await current().snapshot();
  });
  afterEach(async () => {
    // Rolled back even where the books do not balance, or one failure would fail every later test.
    try {
      await audit(current());
    } finally {
      await restore?.();
    }
  });
  afterAll(async () => {
    await world?.chain.stop();
  });
  return current;
}
