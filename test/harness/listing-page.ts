/** @module The page of a raise, as its answer's model: for tests of what stands on it. */

import type { Audit } from "../../api/health/audit.ts";
import type { LedgerQueries } from "../../api/ledger/read.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import { listingPage } from "../../api/site/listing/index.ts";
import { keepBids, keepSeries } from "../../api/site/listing/series.ts";
import type { Page, PageLink, PageResult, Section } from "../../api/site/page.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { describeContracts } from "../../src/contracts/describe.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { fixedLedger } from "./fixed-ledger.ts";
import { business } from "./market.ts";
import { entryDraft, HEAD, listingRow, NOW, registryOf, subscribedRow } from "./rows.ts";
import { SITE, snapshotOf, tablesOf } from "./snapshot.ts";

export const BACKER = `0x${"b1".repeat(20)}` as const;
export const PLACE = { blockNumber: HEAD.number - 5n, logIndex: 4 };

/** A subscription to listing 1 in the block `below` blocks below the head. */
export const subscription = (below: bigint): LedgerRow =>
  subscribedRow({ onchainId: 1n, blockNumber: HEAD.number - below, blockTime: NOW - below });

export type Asking = {
  id?: string;
  query?: string;
  ledger?: LedgerQueries;
  snapshot?: Snapshot | null;
  exposeAccounts?: boolean;
  audit?: Audit | null;
  registrySigner?: PublicSettings["registrySigner"];
};

export async function ask({
  id = "lst_1",
  query = "",
  ledger = fixedLedger(),
  exposeAccounts = false,
  audit = null,
  registrySigner = null,
  ...asked
}: Asking): Promise<PageResult> {
  const snapshot = asked.snapshot === undefined ? await snapshotOf(tablesOf()) : asked.snapshot;
  return listingPage(
    {
      ledger,
      exposeAccounts,
      series: keepSeries(),
      bids: keepBids(),
      contracts: describeContracts({ contracts: null }),
      audit: { state: () => ({ running: null, last: audit }) },
      publicSettings: { ...SITE, registrySigner },
    },
    { snapshot, query: new URLSearchParams(query) },
    id,
  );
}

export async function pageOf(asked: Asking): Promise<Page> {
  const found = await ask(asked);
  if (found.kind !== "page") throw new Error(`${found.kind} is no page`);
  return found.page;
}

/** A market of the one listing with these texts. */
export const snapshotWith = (draft: Parameters<typeof entryDraft>[0], addresses = business().addresses) =>
  snapshotOf(
    tablesOf({ listings: [listingRow()] }),
    registryOf([entryDraft(draft)], [business({ addresses })]),
  );

export function section({ sections }: Page, id: string): Section {
  const found = sections.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no section ${id}`);
  return found;
}
export const linksIn = ({ blocks }: Section): PageLink[] =>
  blocks.flatMap((block) =>
    block.kind === "links" ? block.links : block.kind === "action" ? [block.link] : [],
  );
/** The links to further parts of the history, without the tabs of its groups. */
export const partsIn = (page: Page) =>
  linksIn(section(page, "history")).filter(({ isCurrent }) => isCurrent === undefined);
export const tableIn = ({ blocks }: Section) =>
  blocks.flatMap((block) => (block.kind === "table" ? [block.table] : []))[0];
export const noticesIn = ({ blocks }: Section) =>
  blocks.flatMap((block) => (block.kind === "notice" ? [block.text] : []));

/** Everything that a page holds, its drawing too. */
export const textIn = (page: Page) =>
  JSON.stringify(page, (_, value) => (typeof value === "bigint" ? `${value}` : value));
