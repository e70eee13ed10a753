import { describe, expect, it } from "vitest";
import { loadImages } from "../../api/registry/images.ts";
import { loadRegistry } from "../../api/registry/load.ts";
import { BUSINESSES } from "../../demo/market/cast.ts";
import { planMarket } from "../../demo/market/plan.ts";
import { OPEN_RAISES } from "../../demo/market/raises-open.ts";
import { registryDocument, registryEntry, registryFileIn } from "../../demo/market/registry.ts";
import { temporaryFolder } from "../harness/ending.ts";

describe("the demo's pictures", () => {
  it("are beside its registry, and can be used", async () => {
    const folder = temporaryFolder();
    const address = `0x${"0a".repeat(20)}` as const;
    const contracts = {
      addressOf: () => address,
      placeOf: ({ onchainId }: { onchainId: number }) => ({
        escrowAddress: address,
        onchainId: `${onchainId}`,
      }),
      entryOf: () => ({}),
    };
    const { raises } = planMarket({ seed: 1, end: 1_790_000_000 });
    const open = raises.filter(({ story }) => OPEN_RAISES.includes(story));
    const entries = open.map(({ story, ...raise }) => registryEntry({ ...story, ...raise }, contracts));
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
  });
});
