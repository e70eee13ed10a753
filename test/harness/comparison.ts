/** The comparison of endpoints over tables of the test's own, in the schema `one` of an embedded database. @module */
import type { PGlite } from "@electric-sql/pglite";
import type { Settings } from "../../config/environment.ts";
import type { LocalChain } from "../../demo/chain.ts";
import { prepareAgreement } from "../../operate/backfill/agreement.ts";
import { type ComparisonParameters, createComparison } from "../../operate/backfill/comparison.ts";
import { loadCheckpoints } from "../../operate/backfill/ponder.ts";
import { recordedLog } from "./snapshot.ts";

/** A comparison of what is final up to `block`, the newest one by default. */
export async function comparisonOf(
  { client, chain, settings }: { client: PGlite; chain: LocalChain; settings: Settings },
  { block, ...changes }: Partial<ComparisonParameters> & { block?: number } = {},
) {
  const app = {
    namespaceBuild: { schema: "one" },
    indexingBuild: { eventCallbacks: [] },
    database: { driver: { dialect: "pglite", instance: client } },
  } as unknown as ComparisonParameters["app"];
  await prepareAgreement(app, settings);
  const { log, lines } = recordedLog();
  const compare = createComparison({ app, settings, log, noteUnfit: () => {}, ...changes });
  const { encodeCheckpoint, blockToCheckpoint } = await loadCheckpoints();
  const raw = await chain.publicClient.request({
    method: "eth_getBlockByNumber",
    params: [block === undefined ? "latest" : `0x${block.toString(16)}`, false],
  });
  const final = { ...raw, number: raw?.number ?? "0x0" } as Parameters<typeof blockToCheckpoint>[0];
  await client.query("DELETE FROM one._ponder_checkpoint");
  await client.query("INSERT INTO one._ponder_checkpoint (finalized_checkpoint) VALUES ($1)", [
    encodeCheckpoint(blockToCheckpoint(final, settings.chainId, "up")),
  ]);
  return {
    lines,
    /** Until it comes to rest. */
    async compareAll() {
      let outcome = await compare();
      while (outcome === "more") outcome = await compare();
      return outcome;
    },
  };
}
