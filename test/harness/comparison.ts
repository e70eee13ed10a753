/** @module The comparison of endpoints over the test's own tables, in the schema `one` of an embedded database. */
import type { PGlite } from "@electric-sql/pglite";
import type { Settings } from "../../config/environment.ts";
import type { LocalChain } from "../../demo/chain.ts";
import { prepareAgreement } from "../../operate/backfill/agreement.ts";
import { type ComparisonParameters, createComparison } from "../../operate/backfill/comparison.ts";
import { endOf } from "../../operate/backfill/ponder.ts";
import { recordedLog } from "./snapshot.ts";

type Over = {
  client: PGlite;
  chain: LocalChain;
  settings: Settings;
  /** as Ponder has it */
  factory?: object | null;
};

/** A comparison of what is final up to `block`, the newest one by default. */
export async function comparisonOf(
  { client, chain, settings, factory = null }: Over,
  { block, ...changes }: Partial<ComparisonParameters> & { block?: number } = {},
) {
  const app = {
    namespaceBuild: { schema: "one" },
    indexingBuild: { eventCallbacks: factory === null ? [] : [[{ filter: { address: factory } }]] },
    database: { driver: { dialect: "pglite", instance: client } },
  } as unknown as ComparisonParameters["app"];
  await prepareAgreement(app, settings);
  const { log, lines } = recordedLog();
  const compare = createComparison({ app, settings, log, noteUnfit: () => {}, ...changes });
  const becomesFinal = async (upTo?: number) => {
    const raw = await chain.publicClient.request({
      method: "eth_getBlockByNumber",
      params: [upTo === undefined ? "latest" : `0x${upTo.toString(16)}`, false],
    });
    const final = { ...raw, number: raw?.number ?? "0x0" } as Parameters<typeof endOf>[0];
    await client.query(
      "INSERT INTO one._ponder_checkpoint (finalized_checkpoint) SELECT '' WHERE NOT EXISTS (SELECT FROM one._ponder_checkpoint)",
    );
    await client.query("UPDATE one._ponder_checkpoint SET finalized_checkpoint = $1", [
      await endOf(final, settings.chainId),
    ]);
  };
  await becomesFinal(block);
  return {
    lines,
    becomesFinal,
    /** Until it comes to rest. */
    async compareAll() {
      let outcome = await compare();
      while (outcome === "more") outcome = await compare();
      return outcome;
    },
  };
}
