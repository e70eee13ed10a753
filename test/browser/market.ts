/** @module The market that the pages are looked at with: every status, and third parties who write what breaks pages. */
import { toBidEvents } from "../../api/market/bids.ts";
import { metadataHash } from "../../api/market/metadata.ts";
import { pairKey, type Registry } from "../../api/registry/schema.ts";
import type { LedgerRow, MoneyDeltas } from "../../src/fold/state.ts";
import { business } from "../harness/market.ts";
import {
  DAY,
  DOLLAR,
  type EntryDraft,
  entryDraft,
  everyState,
  HEAD,
  listingRow,
  NOW,
  offerRow,
  registryOf,
  repaymentRow,
  tradeRow,
} from "../harness/rows.ts";
import { type TableDraft, tablesOf } from "../harness/snapshot.ts";

/** Runs if a page takes a third party's words for its own; the title of the window tells. */
const SCRIPT = `<script>document.title="taken over"</script><img src=x onerror="document.title='taken over'">`;
const MARKDOWN =
  "# No heading\n\n| a | b |\n|---|---|\n| [x](javascript:alert(1)) | ![](/x.png) |\n\n```\n*plain*";
const CONTROL = "\u0000\u0007\u001b[2J\u202Ebackwards\u2066\u{E0041}";
const UNBROKEN = "Donaudampfschifffahrtsgesellschaft".repeat(5);

/** By `onchainId`. */
const TEXTS: Readonly<Record<string, Partial<Pick<EntryDraft, "title" | "description">>>> = {
  1: { title: `</title>${SCRIPT}`, description: `</main>${SCRIPT}\n\n<style>*{display:none}</style>` },
  2: { title: '**Flour** & "oats" | <b>2026</b> {{x}}', description: MARKDOWN },
  3: { title: UNBROKEN, description: `${UNBROKEN} `.repeat(20) },
  4: { title: `Ovens${CONTROL} for two`, description: `One line\n${CONTROL}\r\nanother line` },
  5: { title: "パン工房の新しい窯 2号", description: "" },
  // From right to left; the second one as long as a title may be.
  6: { title: "24 فرنًا، 3!", description: "نخبز 3 أنواع (rye).\n\nمنذ 1974: 5%" },
  7: { title: "٤٠ سيارة مبردة لتوزيع الخبز والألبان ".repeat(6).slice(0, 200).trim() },
};

/** The name of the originator without an approval: read as Markdown, it would be a list of links. */
const NAMES = {
  org_northwind: `Northwind ${SCRIPT} & Sons`,
  org_unverified: "Tide\u202EPools [x](javascript:alert(1)) <https://evil.example>",
  org_fustat: "شركة فخار الفسطاط (1974) ش.م.م",
};

const AUCTION = listingRow({ onchainId: 2n });

export function hostileMarket(): { tables: TableDraft; registry: Registry } {
  const { rows } = everyState();
  const drafts = rows.slice(0, 8).map(({ onchainId }) => {
    const id = onchainId.toString();
    const isFromRight = onchainId === 6n || onchainId === 7n;
    const originator = onchainId <= 2n ? "org_unverified" : isFromRight ? "org_fustat" : "org_northwind";
    return entryDraft({ onchainId: id, originator, ...TEXTS[id] });
  });
  const listings = rows.map((row) => {
    const draft = drafts.find(({ onchainId }) => onchainId === row.onchainId.toString());
    if (draft === undefined) return row;
    // An auction. The chain says otherwise of its text: its page must tell.
    if (row.onchainId === AUCTION.onchainId) return { ...row, pricingMode: "auction" as const };
    const terms = row.onchainId === 8n ? { targetAmount: 123_456_789_012_345n * DOLLAR + 678_900n } : {};
    return { ...row, ...terms, metadataHash: metadataHash(draft) };
  });
  const token = rows[2]?.token;
  if (token === undefined || token === null) throw new Error("the third listing has a token");
  const ofThird = { onchainId: 3n, token };
  return {
    tables: {
      listings,
      bids: new Map([[pairKey(AUCTION), toBidEvents(hostileEvents().toReversed())]]),
      repayments: [repaymentRow({ onchainId: 4n, principal: 80_000n * DOLLAR, interest: 5_000n * DOLLAR })],
      offers: [offerRow(ofThird), offerRow({ ...ofThird, offerId: 2n, priceBps: 10_150n })],
      trades: [tradeRow(ofThird), tradeRow({ ...ofThird, blockTime: NOW - 3n * DAY })],
      holders: new Map([[token, 3]]),
    },
    registry: registryOf(drafts, [
      business({
        legalName: NAMES.org_northwind,
        description: `${MARKDOWN}\n\n${SCRIPT}${CONTROL}`,
        website: "https://northwind.example/?a=1&b=%3Cscript%3E",
      }),
      business({
        publicId: "org_unverified",
        legalName: NAMES.org_unverified,
        kybStatus: "in_review",
        addresses: [],
      }),
      business({
        publicId: "org_fustat",
        legalName: NAMES.org_fustat,
        jurisdiction: "EG",
        description: "ورشة خزف منذ 1974: 38 عاملًا و3 أفران (Cairo).",
        website: "https://fustat.example",
        addresses: [],
      }),
    ]),
  };
}

/** Bids for listing 2, newest first; the newest is not final yet. */
export function hostileEvents(): (LedgerRow & Pick<MoneyDeltas, "committed">)[] {
  const { escrowAddress } = repaymentRow();
  return Array.from({ length: 5 }, (_, index) => {
    const before = BigInt(index) * 20n;
    const backer = `0x${"b1".repeat(20)}`;
    const amount = (16_000n * DOLLAR).toString();
    const totalRaised = (BigInt(5 - index) * 16_000n * DOLLAR).toString();
    return {
      escrowAddress,
      onchainId: 2n,
      eventId: (1_000 - index).toString().padStart(75, "0"),
      kind: "subscribed",
      blockNumber: HEAD.number - before,
      blockTime: NOW - before,
      txHash: `0x${"7a".repeat(32)}`,
      logIndex: index,
      part: 0,
      args: { backer, payer: backer, amount, bidRateBps: 1_400 - 20 * index, totalRaised },
      committed: BigInt(amount),
    };
  });
}

/** A head that the indexer has not come to: a third of the way is behind it. */
export function halfIndexed(draft: TableDraft) {
  const number = HEAD.number / 3n;
  const head = { number, timestamp: HEAD.timestamp - 90n * DAY };
  return tablesOf({ ...draft, backfilled: false, head, finalized: head });
}
