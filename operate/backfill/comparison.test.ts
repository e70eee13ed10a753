import { expect, it } from "vitest";
import { type ComparisonParameters, childrenIn } from "./comparison.ts";

it("knows a contract that is announced again, also by another one, from its first announcement", async () => {
  const [once, again, elsewhere] = ["0x01", "0x02", "0x03"];
  const announced: Record<string, object[]> = {
    "0xf1": [
      { address: again, block: "7" },
      { address: once, block: "8" },
      { address: again, block: "9" },
      { address: elsewhere, block: "4" },
    ],
    "0xf2": [{ address: elsewhere, block: "5" }],
  };
  const callbacks = Object.keys(announced).map((address) => ({
    filter: { address: { id: address, sourceId: "Escrow", address } },
  }));
  const query = async (_: string, [factory = ""]: string[]) => ({
    rows: announced[(JSON.parse(factory) as { address: string }).address],
  });
  const app = {
    indexingBuild: { eventCallbacks: [callbacks] },
    database: { driver: { dialect: "pglite", instance: { query } } },
  } as unknown as ComparisonParameters["app"];
  const { escrowChildren } = await childrenIn(app, 100);
  expect(Object.fromEntries(escrowChildren)).toEqual({
    [`${again}`]: 7,
    [`${once}`]: 8,
    [`${elsewhere}`]: 4,
  });
});
