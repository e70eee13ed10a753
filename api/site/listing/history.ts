/** @module The history of a raise: its events, newest first, one page at a time, perhaps of one group. */
import { placeInBlock } from "../../../src/fold/event-id.ts";
import type { EventKind } from "../../../src/fold/vocabulary.ts";
import type { LedgerEvent } from "../../ledger/schema.ts";
import { links, linkTo, paragraph, section, table } from "../blocks.ts";
import type { Section } from "../page.ts";
import { blockCode, clock, text, txCode } from "../value.ts";
import { eventSentences } from "./event-sentences.ts";

export const EVENTS_A_PAGE = 50;

/** The events in the groups that readers ask for, `?events=`. Each kind is in one group. */
export const EVENT_GROUPS = {
  subscriptions: { label: "Subscriptions", kinds: ["subscribed"] },
  refunds: { label: "Refunds", kinds: ["refunded"] },
  repayments: { label: "Repayments", kinds: ["drawn_down", "repaid", "payout_claimed"] },
  reserve: { label: "Reserve", kinds: ["reserve_changed"] },
  lifecycle: {
    label: "Milestones",
    kinds: [
      "listing_created",
      "listing_terms_updated",
      "listing_closed",
      "listing_settled",
      "listing_cancelled",
      "listing_voided",
      "unmapped",
    ],
  },
  desk: { label: "Resales", kinds: ["offer_created", "offer_filled", "offer_cancelled"] },
} as const satisfies Record<string, { label: string; kinds: readonly EventKind[] }>;

export type EventGroup = keyof typeof EVENT_GROUPS;

export function isEventGroup(word: string): word is EventGroup {
  return Object.hasOwn(EVENT_GROUPS, word);
}

type Part = { events?: EventGroup | null; before?: string | null };

/** The address of a part of the history. @param path of the listing's page */
export function historyPath(path: string, { events, before }: Part): string {
  const query = new URLSearchParams();
  if (events) query.set("events", events);
  if (before) query.set("before", before);
  return `${path}${query.size === 0 ? "" : `?${query}`}#history`;
}

export type History = {
  events: readonly LedgerEvent[];
  /** their group; null for all */
  group: EventGroup | null;
  /** cursor to older events; null at the end */
  nextCursor: string | null;
  isOlder: boolean;
};

/** @param path of the listing's page */
export function historySection({ events, group, nextCursor, isOlder }: History, path: string): Section {
  const tab = (label: string, own: EventGroup | null) => ({
    ...linkTo(label, historyPath(path, { events: own })),
    isCurrent: own === group,
  });
  const of = group === null ? "" : `: ${EVENT_GROUPS[group].label.toLowerCase()}`;
  return section("history", "What happened", [
    {
      kind: "links",
      look: "choices",
      label: "Show",
      links: [
        tab("All", null),
        ...Object.entries(EVENT_GROUPS).map(([own, { label }]) => tab(label, own as EventGroup)),
      ],
    },
    table({
      caption: `${isOlder ? "Older events" : "Newest first"}${of}. Times are in UTC`,
      items: events,
      keyOf: (event) => `${event.blockNumber}.${placeInBlock(event)}`,
      columns: [
        ["blockTime", "Time", ({ blockTime }) => clock(blockTime)],
        ["words", "What happened", (event) => text(eventSentences(event))],
        ["blockNumber", "Block", ({ blockNumber }) => blockCode(blockNumber), "end"],
        ["txHash", "Transaction", ({ txHash }) => txCode(txHash)],
        ["finality", "Finality", ({ finality }) => ({ kind: "finality", finality })],
      ],
      empty: emptyWords(isOlder, group),
      look: "timeline",
    }),
    paragraph("Final events cannot be reversed; pending ones still can."),
    links([
      ...(isOlder ? [linkTo("Newest events", historyPath(path, { events: group }))] : []),
      ...(nextCursor === null
        ? []
        : [linkTo("Older events", historyPath(path, { events: group, before: nextCursor }))]),
    ]),
  ]);
}

function emptyWords(isOlder: boolean, group: EventGroup | null): string {
  if (isOlder) return "There are no older events.";
  return group === null ? "Nothing has happened on the chain yet." : "Nothing of this kind has happened yet.";
}
