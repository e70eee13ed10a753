/** @module The reasons for the service to be degraded: their codes, what to do about each, and since when each holds. */

/** Stable codes: alerts and other programs name them. */
export const TROUBLES = [
  "node_silent",
  "database_silent",
  "endpoints_disagree",
  "finality_stalled",
  "logs_incomplete",
  "endpoint_unfit",
  "index_stalled",
  "registry_refused",
  "audit_red",
] as const;

export type Trouble = (typeof TROUBLES)[number];

/** For the operator. Public: they name no host and no file. */
export const REMEDIES: Record<Trouble, string> = {
  node_silent: "Check the RPC endpoints and their quotas; the log has their errors.",
  database_silent: "Check that PostgreSQL runs and accepts connections.",
  endpoints_disagree:
    "The log names the endpoints on each side. One that is behind recovers; remove one that is wrong from RPC_URLS.",
  finality_stalled:
    "The log names the endpoints whose `finalized` block does not advance. If an explorer shows the same, wait: finality continues by depth.",
  logs_incomplete:
    "An endpoint left logs out, which were fetched again. `completeness` names it: ask its operator, or remove it from RPC_URLS.",
  endpoint_unfit:
    "`unfitEndpoints` names an RPC endpoint that lacks what the indexer needs. Add one that keeps all blocks and logs (an archive node), start from a ledger file (LEDGER), or remove it from RPC_URLS.",
  index_stalled:
    "The daemon restarts an indexer that followed the chain. If it stalls again, or before, check the RPC endpoints and the indexer's log, and restart the service.",
  registry_refused:
    "Fix the document: `raisebook registry check` shows what is wrong and where. It is then reloaded without a restart.",
  audit_red:
    "Do not trust the figures that /v1/audit lists. Run `raisebook audit --logs` against another provider's endpoint.",
};

export type OpenTrouble = {
  code: Trouble;
  /** chain time (unix seconds) of the newest known block when it began, as far as this process saw; null before any block was known */
  since: bigint | null;
};

/** Notes when each trouble begins. The result lists the current ones, and is to be called often enough to notice. */
export function createTroubleLog(
  holds: () => Record<Trouble, boolean>,
  /** chain time of the newest known block */
  now: () => bigint | null,
): () => OpenTrouble[] {
  const open = new Map<Trouble, bigint | null>();
  return () => {
    const current = holds();
    for (const code of TROUBLES) {
      if (!current[code]) open.delete(code);
      else if (!open.has(code)) open.set(code, now());
    }
    return TROUBLES.flatMap((code) => {
      const since = open.get(code);
      return since === undefined ? [] : [{ code, since }];
    });
  };
}
