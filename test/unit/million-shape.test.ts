import { expect, it } from "vitest";
import { publicIdOf, registryOf, STEPS, shapeOf } from "../../bench/million/shape.ts";
import { parseRegistry } from "../harness/parsed-registry.ts";

it("has every step of every raise once, in the block that is said, and in order", () => {
  const shape = shapeOf(2_000);
  const steps = new Map<number, { step: number; block: number }[]>();
  for (let block = 0; block <= shape.blocks; block += 1)
    for (const { raise, step } of shape.eventsIn(block)) {
      expect(shape.blockOf(raise, step)).toBe(block);
      steps.set(raise, [...(steps.get(raise) ?? []), { step, block }]);
    }
  expect(steps.size).toBe(2_000);
  for (const [raise, all] of steps)
    expect(all.map(({ step }) => step)).toEqual(STEPS[shape.fateOf(raise)].map((_, step) => step));
  expect([...steps.values()].flat()).toHaveLength(shape.events());
});

it("has about three events a raise, a hundredth of them alive, and of the others a third repaid", () => {
  const shape = shapeOf(10_000);
  const fates = Array.from({ length: 10_000 }, (_, raise) => shape.fateOf(raise));
  const count = (fate: string) => fates.filter((one) => one === fate).length;
  expect(count("funding") + count("drawn")).toBe(100);
  expect(count("repaid") / 9_900).toBeCloseTo(1 / 3, 1);
  expect(shape.events() / 10_000).toBeCloseTo(3, 1);
});

it("has a registry with an entry for each raise, and one with another title", () => {
  const shape = shapeOf(60);
  const read = (changed?: { raise: number; title: string }) =>
    parseRegistry(Buffer.from([...registryOf(shape, changed)].join("")));
  const { listings, originators, hash } = read();
  expect(listings.map(({ publicId }) => publicId)).toEqual(
    Array.from({ length: 60 }, (_, raise) => publicIdOf(raise)),
  );
  expect(originators.length).toBe(3);
  expect(read().hash).toBe(hash);
  const other = read({ raise: 7, title: "Other" }).listings.filter(({ title }) => title === "Other");
  expect(other.map(({ publicId }) => publicId)).toEqual([publicIdOf(7)]);
});
