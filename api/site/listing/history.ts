/**
 * The history of a raise: its ledger events, newest first, one page at a time.
 * @module
 */
import type { LedgerEvent } from "../../ledger/schema.ts";
import { links, linkTo, paragraph, section, table } from "../blocks.ts";
import type { Section } from "../page.ts";
import { code, shortCode, text, time } from "../value.ts";
import { eventSentences } from "./event-sentences.ts";

/** Events on a page. */
export const EVENTS_A_PAGE = 50;

export type History = {
  /** newest first */
  events: readonly LedgerEvent[];
  /** cursor to older events; null when there are none */
  nextCursor: string | null;
  /** whether there are newer events on another page */
  isOlder: boolean;
};

/** @param path of the listing's page */
export function historySection({ events, nextCursor, isOlder }: History, path: string): Section {
  return section("history", "History", [
    table({
      caption: `${isOlder ? "Older events" : "What happened on the chain"}, newest first`,
      items: events,
      keyOf: ({ blockNumber, logIndex }) => `${blockNumber}.${logIndex}`,
      columns: [
        ["blockTime", "Time", ({ blockTime }) => time(blockTime)],
        ["words", "What happened", (event) => text(eventSentences(event))],
        ["blockNumber", "Block", ({ blockNumber }) => code(blockNumber), "end"],
        ["txHash", "Transaction", ({ txHash }) => shortCode(txHash)],
        ["finality", "Finality", ({ finality }) => ({ kind: "finality", finality })],
      ],
      empty: isOlder ? "There are no older events." : "Nothing has happened on the chain yet.",
    }),
    paragraph(
      "Final means that no reorganisation of the chain can revert the event any more; a pending event can still be reverted.",
    ),
    links([
      ...(isOlder ? [linkTo("Newest events", `${path}#history`)] : []),
      ...(nextCursor === null ? [] : [linkTo("Older events", `${path}?before=${nextCursor}#history`)]),
    ]),
  ]);
}
