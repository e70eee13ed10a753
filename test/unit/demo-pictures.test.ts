import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadImages } from "../../api/registry/images.ts";
import { loadRegistry } from "../../api/registry/load.ts";
import type { Contracts } from "../../demo/market/calls.ts";
import { BUSINESSES } from "../../demo/market/cast.ts";
import { OPEN_RAISES } from "../../demo/market/raises-open.ts";
import { registryDocument, registryEntry, registryFileIn } from "../../demo/market/registry.ts";

describe("the demo's pictures", () => {
  it("are beside its registry, and can be used", async () => {
    const folder = await mkdtemp(join(tmpdir(), "raisebook-demo-"));
    try {
      const address = `0x${"0a".repeat(20)}` as const;
      const contracts: Contracts = {
        dollar: address,
        desk: address,
        escrow: () => address,
        addressOf: () => address,
        tokenOf: async () => address,
      };
      const entries = OPEN_RAISES.map((raise, index) =>
        registryEntry({ ...raise, id: { escrow: raise.escrow, onchainId: index + 1 } }, contracts),
      );
      const file = registryFileIn(folder);
      await file.write(registryDocument(entries, contracts));
      await file.write(registryDocument(entries, contracts));

      const source = { kind: "file" as const, path: file.path };
      const loaded = await loadRegistry(source);
      if (loaded.kind !== "document") throw new Error("there is no registry");
      const { registry } = await loaded.draft.finish();
      const { images, problems } = await loadImages({ source, registry });
      expect(problems).toEqual([]);
      const named = [
        ...OPEN_RAISES.map(({ cover }) => cover),
        ...Object.values(BUSINESSES).map(({ logo }) => logo),
      ];
      expect([...images.keys()].sort()).toEqual(named.filter((name) => name !== undefined).sort());
      expect(images.size).toBeGreaterThanOrEqual(4);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
