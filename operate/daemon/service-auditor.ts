/** @module The audit of the tables by the indexer, or by the reader that does it in its place. */
import { createPublicClient, fallback } from "viem";
import type { Database } from "../../api/database/checkpoint.ts";
import type { Auditor, AuditorState } from "../../api/health/audit.ts";
import { publicSettingsOf } from "../../config/public-settings.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { audit, createAuditor } from "../audit/audit.ts";
import { readIndexedState } from "../audit/indexed-state.ts";
import type { ServiceParameters } from "./service.ts";

/** Audits the tables on demand and on schedule. */
export function createServiceAuditor(
  parameters: Pick<ServiceParameters, "settings" | "tables" | "log" | "metrics"> & {
    database: Database;
    onChange?: (state: AuditorState) => void;
  },
): Auditor {
  const { settings, database, tables, log, metrics, onChange } = parameters;
  const transport = fallback(settings.rpcUrls.map((url) => metrics.http(url)));
  const client = createPublicClient({ transport });
  const { followsHolders } = publicSettingsOf(settings);
  const escrows = settings.escrows.map(({ address }) => address);
  const { unknowable } = contractsOf(settings);
  const readState = () => readIndexedState(database, tables, unknowable);
  return createAuditor({
    audit: (onProgress) =>
      audit({
        ...{ readState, client, escrows, followsHolders, onProgress },
        contracts: contractsOf(settings),
      }),
    ...{ every: settings.auditEvery, log, onChange },
  });
}
