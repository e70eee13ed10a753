import { expect, it } from "vitest";
import { endAll, endsWithFile } from "../harness/ending.ts";

it("ends the last first and each once, also after one that fails to end", async () => {
  const ended: string[] = [];
  const start = (name: string, stop: () => unknown = () => {}) =>
    endsWithFile({
      stop() {
        ended.push(name);
        return stop();
      },
    });
  start("chain");
  const database = start("database");
  start("faulty", () => Promise.reject(new Error("does not end")));
  start("service", () => database.stop());
  await expect(endAll()).rejects.toThrow("does not end");
  expect(ended).toEqual(["service", "database", "faulty", "chain"]);
});
