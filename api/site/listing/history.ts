/**
 * The history of a raise on its page: events of the ledger, newest first, a page at a time.
 * @module
 */
import type { LedgerEvent } from "../../ledger/schema.ts";
import type { PageLink, Section } from "../page.ts";
import { code, shortCode, text, time } from "../value.ts";
import { eventSentences } from "./event-sentences.ts";

/** How many events a page has. */
export const EVENTS_A_PAGE = 50;

export type History = {
  /** newest first */
  events: readonly LedgerEvent[];
  /** the place below which older events are; null when there are none */
  nextCursor: string | null;
  /** whether newer events stand on another page */
  isOlder: boolean;
};

/** @param path of the listing's page */
export function historySection({ events, nextCursor, isOlder }: History, path: string): Section {
  const links: PageLink[] = [
    ...(isOlder ? [{ text: "Newest events", href: `${path}#history` }] : []),
    ...(nextCursor === null ? [] : [{ text: "Older events", href: `${path}?before=${nextCursor}#history` }]),
  ];
  return {
    id: "history",
    title: "History",
    blocks: [
      {
        kind: "table",
        table: {
          caption: `${isOlder ? "Older events" : "What happened on the chain"}, newest first`,
          columns: [
            { key: "blockTime", label: "Time" },
            { key: "words", label: "What happened" },
            { key: "blockNumber", label: "Block", align: "end" },
            { key: "txHash", label: "Transaction" },
            { key: "finality", label: "Finality" },
          ],
          rows: events.map((event) => ({
            key: `${event.blockNumber}.${event.logIndex}`,
            cells: [
              time(event.blockTime),
              text(eventSentences(event)),
              code(event.blockNumber),
              shortCode(event.txHash),
              { kind: "finality", finality: event.finality },
            ],
          })),
          empty: isOlder ? "There are no older events." : "Nothing has happened on the chain so far.",
        },
      },
      {
        kind: "paragraph",
        text: "Final means that no reorganisation of the chain can take the event away any more; a pending event still can be.",
      },
      ...(links.length === 0 ? [] : [{ kind: "links" as const, links }]),
    ],
  };
}
