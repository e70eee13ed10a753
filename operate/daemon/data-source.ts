/** @module The open data of a service's contracts, for whoever writes them. */
import { createHash } from "node:crypto";
import { DATA_VERSION } from "../../api/data/columns.ts";
import type { DataSource } from "../../api/data/write.ts";
import type { Settings } from "../../config/environment.ts";
import { firstBlock } from "../../config/sources.ts";

type Read = Pick<DataSource, "events" | "marketAt" | "rootAt">;

export function dataSourceOf(settings: Settings, read: Read): DataSource {
  const { chainId, dataBlocks, dataLicence } = settings;
  return {
    ...{ chainId, dataset: datasetOf(settings), firstBlock: firstBlock(settings) },
    ...{ blocksPerFile: BigInt(dataBlocks), licence: dataLicence },
    ...read,
  };
}

/** The same for services that follow the same contracts from the same blocks, with files of the same size. */
function datasetOf({ chainId, escrows, escrowFactory, desk, contracts, dataBlocks }: Settings): string {
  const followed = {
    escrows: escrows.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    ...{ escrowFactory, desk, contracts: contracts?.text ?? null },
  };
  const text = JSON.stringify({ version: DATA_VERSION, chainId, dataBlocks, ...followed });
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
