/** @module A contracts module to start from: for each event of an ABI a mapping that its name suggests, or a comment. */
import { type Abi, type AbiEvent, parseAbiItem, toEventSignature } from "viem";
import { declarationOf } from "../../../src/contracts/abi.ts";

const AMOUNT = /amount|value|assets|total|sum/i;
/** The person of a subscription or a refund, apart from words of either. */
const PERSON =
  "backer|investor|lender|contributor|donor|funder|pledger|purchaser|buyer|user|account|who|owner";

type Suggestion = {
  name: RegExp;
  kind: string;
  /** of the market event, by what a parameter's name says */
  fields: Readonly<Record<string, RegExp>>;
  /** of which at least one has to be found */
  needs?: readonly string[];
};

/** By what an event's name says, in this order: a `RefundClaimed` is a refund. */
const SUGGESTIONS: readonly Suggestion[] = [
  {
    name: /refund|withdr|return/i,
    kind: "refunded",
    fields: { backer: new RegExp(`${PERSON}|payee|beneficiary|to|by`, "i"), amount: AMOUNT },
    needs: ["amount"],
  },
  { name: /cancel|abort/i, kind: "listing_cancelled", fields: {} },
  { name: /void|undone|revert/i, kind: "listing_voided", fields: {} },
  { name: /settle|matur|complet/i, kind: "listing_settled", fields: {} },
  {
    name: /repa(?:y|id)|payment/i,
    kind: "repaid",
    fields: { principal: /principal/i, interest: /interest|yield/i, amount: AMOUNT },
    needs: ["principal", "interest", "amount"],
  },
  {
    name: /claim|payout|distribut|collect/i,
    kind: "payout_claimed",
    fields: { holder: /holder|user|account|to|owner|investor|lender/i, amount: AMOUNT },
  },
  { name: /draw|disburs|borrow|lent/i, kind: "drawn_down", fields: { amount: AMOUNT, to: /to|borrower/i } },
  { name: /clos|finali[sz]|lock/i, kind: "listing_closed", fields: {} },
  {
    name: /subscri|deposit|invest|contribut|pledge|fund|donat|purchase|bought/i,
    kind: "subscribed",
    fields: { backer: new RegExp(`${PERSON}|beneficiary|sender|from`, "i"), amount: AMOUNT },
    needs: ["amount"],
  },
  {
    name: /creat|open|launch|listed/i,
    kind: "listing_created",
    fields: { originator: /originator|owner|borrower|creator|issuer/i, token: /token|receipt|share/i },
  },
];

const ID = /^_?(?:onchain|raise|loan|pool|tranche|listing|campaign|project|sale|offer|deal)?_?id_?$/i;

/** Types that viem decodes to hex. */
const HEX = /^(?:bytes\d+|address)$/;

/** The text of the module. @throws {Error} for an ABI without events */
export function starterModule(abi: Abi): string {
  const events = abi.filter((item): item is AbiEvent => item.type === "event" && item.anonymous !== true);
  if (events.length === 0) throw new Error("it has no events");
  const ids = events
    .filter(hasNames)
    .flatMap(({ inputs }) => inputs)
    .filter(({ name = "" }) => ID.test(name))
    .map(({ name, type }) => (HEX.test(type) ? `BigInt(args.${name})` : `args.${name}`));
  // The id that most events have: an event of a tranche has its pool's id too.
  const [id] = [...new Set(ids)].toSorted((a, b) => countOf(ids, b) - countOf(ids, a));
  const items = events.map((event) => `      ${JSON.stringify(itemOf(event))},`);
  return `// What the events of these contracts mean. Check each line, then run: raisebook contracts check
export default {
  name: "My market",
  escrow: {
    abi: [
${items.join("\n")}
    ],
    // Of the dollar: amounts are scaled to 18 decimals.
    decimals: 18,
    // The raise that a log is about.${id === undefined ? " No id was recognised: name it, or keep 1n if each raise has its own escrow." : ""}
    onchainId: ${id === undefined ? "() => 1n" : `({ args }) => ${id}`},
    events: {
${events.map((event) => handlerOf(event, events)).join("\n")}
    },
  },
};
`;
}

/** As in Solidity where that is read as the same event: some names, such as `error`, are words of Solidity to the parser. */
function itemOf(event: AbiEvent): string | AbiEvent {
  const declaration = `event ${declarationOf(event)}`;
  try {
    const read = parseAbiItem(declaration) as Abi[number];
    const isSame = read.type === "event" && declarationOf(read) === declarationOf(event);
    return isSame && toEventSignature(read) === toEventSignature(event) ? declaration : event;
  } catch {
    return event;
  }
}

function hasNames({ inputs }: AbiEvent): boolean {
  return inputs.every(({ name = "" }) => name !== "");
}

function handlerOf(event: AbiEvent, all: readonly AbiEvent[]): string {
  const isOverloaded = all.filter(({ name }) => name === event.name).length > 1;
  const key = isOverloaded ? JSON.stringify(toEventSignature(event)) : event.name;
  if (!hasNames(event))
    return `      // ${key}: not followed, as a parameter has no name: args is a list then (args[0], args[1], …).`;
  const suggestion = SUGGESTIONS.find(({ name }) => name.test(event.name));
  const found = fieldsOf(event, suggestion?.fields ?? {});
  if (suggestion === undefined || suggestion.needs?.every((field) => !found.has(field)) === true)
    return `      // ${key}: not followed. Add a handler if it changes a raise.`;
  const fields = [...found].map(([field, name]) => `${field}: args.${name}`);
  const text = [`kind: ${JSON.stringify(suggestion.kind)}`, ...fields].join(", ");
  return `      ${key}: (${fields.length === 0 ? "" : "{ args }"}) => ({ ${text} }),`;
}

/** Each parameter once, and of a payment its parts or its sum. */
function fieldsOf({ inputs }: AbiEvent, wanted: Readonly<Record<string, RegExp>>): Map<string, string> {
  const taken = new Set<string>();
  const found = new Map<string, string>();
  for (const [field, pattern] of Object.entries(wanted)) {
    const isAmount = /^(?:amount|principal|interest)$/.test(field);
    const input = inputs.find(
      ({ name = "", type }) =>
        name !== "" &&
        !taken.has(name) &&
        !ID.test(name) &&
        (isAmount ? /^uint\d*$/.test(type) : type === "address") &&
        pattern.test(name),
    );
    if (input?.name === undefined) continue;
    taken.add(input.name);
    found.set(field, input.name);
  }
  if (found.has("principal") && found.has("interest")) found.delete("amount");
  return found;
}

function countOf<Item>(items: readonly Item[], item: Item): number {
  return items.filter((one) => one === item).length;
}
