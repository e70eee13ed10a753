import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { business } from "../../test/harness/market.ts";
import { DRAWN, entryDraft, HEAD, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { SITE, tablesOf } from "../../test/harness/snapshot.ts";
import { createProjection } from "../market/project.ts";
import { readMarket, type SavedMarket, writeMarket } from "./saved-market.ts";

const ENDED = { ...DRAWN, terminalKind: "settled", terminalAt: NOW, writtenOffPrincipal: 0n } as const;
const IDS = [1n, 2n, 3n, 4n, 5n];
const registry = registryOf(
  IDS.map((id) => entryDraft({ onchainId: `${id}` })),
  [business()],
);
const parameters = { registry, publicSettings: { ...SITE, desk: null }, start: HEAD };
const archive = { atOnce: 2, block: 2 };

const folder = temporaryFolder();
const path = join(folder, "below", "one.market");
let saved: SavedMarket;
let told: string;

beforeAll(() => {
  const {
    rows,
    isWhole: _,
    ...position
  } = tablesOf({
    listings: IDS.map((onchainId) => listingRow({ onchainId, ...(onchainId < 5n ? ENDED : {}) })),
  });
  const projection = createProjection({ ...parameters, archive });
  const market = projection.advance(rows, HEAD, HEAD.number);
  expect([market.listings.length, market.listings.full.length]).toEqual([5, 1]);
  told = JSON.stringify([market.listings, market.originators, market.stats]);
  const of = projection.save();
  if (of === null) throw new Error("the market can be saved");
  saved = { position, registry: registry.hash, projection: of };
});

it("gives back the same market", async () => {
  await writeMarket(path, "one", saved);
  const found = await readMarket(path, "one");
  if (found === null) throw new Error("nothing was read");
  expect([found.position, found.registry]).toEqual([saved.position, saved.registry]);
  const { projection } = found;
  const again = createProjection({ ...parameters, archive, saved: projection });
  const market = again.advance(projection.rows, HEAD, HEAD.number);
  expect(market.listings.full.length).toBe(1);
  expect(JSON.stringify([market.listings, market.originators, market.stats])).toBe(told);
});

it("leaves alone what is missing, of another origin, cut off, longer, or changed anywhere", async () => {
  expect(await readMarket(join(folder, "none"), "one")).toBeNull();
  expect(await readMarket(path, "two")).toBeNull();
  const whole = await readFile(path);
  for (const length of [0, 4, 12, 40, whole.length - 1]) {
    await writeMarket(path, "one", saved);
    await truncate(path, length);
    expect(await readMarket(path, "one")).toBeNull();
  }
  for (let at = 0; at < whole.length; at += 97) {
    const changed = Buffer.from(whole);
    changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
    await writeFile(path, changed);
    expect(await readMarket(path, "one")).toBeNull();
  }
  await writeMarket(path, "one", saved);
  await appendFile(path, "12345678");
  expect(await readMarket(path, "one")).toBeNull();
});
