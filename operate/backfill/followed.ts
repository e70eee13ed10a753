/**
 * The contracts whose logs count: those of the settings, and those that earlier logs announce. The rules are those of
 * `ponder.config.ts` and `src/handlers.ts`.
 * @module
 */
import { erc20Abi, getAbiItem, type Hex, toEventSelector } from "viem";
import { escrowFactoryEventsAbi } from "../../abis/EscrowFactoryEvents.ts";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import type { Settings } from "../../config/environment.ts";

/** A log as endpoints return it: numbers in hex. */
export type RawLog = {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly logIndex: Hex;
};

/** A log with its numbers, and its addresses in lowercase. */
export type Log = {
  readonly raw: RawLog;
  readonly address: Hex;
  readonly topic: Hex | undefined;
  readonly block: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
};

/** Addresses by the block in which they were announced. */
type Children = ReadonlyMap<Hex, number>;

export type Followed = {
  /** with events of their own; grows at the end alone */
  readonly contracts: readonly Hex[];
  /** whose transfers are followed; grows at the end alone */
  readonly tokens: readonly Hex[];
  readonly escrowChildren: Children;
  readonly tokenChildren: Children;
  /** Takes contracts whose announcement was seen earlier. */
  know(escrowChildren: Children, tokenChildren?: Children): void;
  /** Takes the contract that a log announces. */
  learn(log: Log): void;
  /** Whether a log is an event of ours, once all logs before it are learned. */
  counts(log: Log): boolean;
};

type FollowedSettings = Pick<Settings, "escrows" | "escrowFactory" | "desk" | "holders">;

const selectors = (abi: readonly { type: "event" }[]): Hex[] =>
  abi.map((item) => toEventSelector(item as Parameters<typeof toEventSelector>[0]));

const ESCROW_TOPICS = selectors(listingEscrowEventsAbi);
const DESK_TOPICS = selectors(secondaryDeskEventsAbi);
export const [DEPLOYED] = selectors(escrowFactoryEventsAbi);
/** The topic of the logs that announce a token. */
export const CREATED = toEventSelector(getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" }));
export const TRANSFER = toEventSelector(getAbiItem({ abi: erc20Abi, name: "Transfer" }));

/** The topics of the followed contracts' own events. */
export const CONTRACT_TOPICS: readonly (Hex | undefined)[] = [DEPLOYED, ...ESCROW_TOPICS, ...DESK_TOPICS];

const escrowTopics = new Set<Hex | undefined>(ESCROW_TOPICS);
const deskTopics = new Set<Hex | undefined>(DESK_TOPICS);

export function createFollowed({ escrows, escrowFactory, desk, holders }: FollowedSettings): Followed {
  const listedFrom = new Map<Hex, number>(escrows.map(({ address, startBlock }) => [address, startBlock]));
  const configured = [...listedFrom.keys(), escrowFactory?.address, desk?.address];
  const asked = new Set(configured.filter((address) => address !== undefined));
  const contracts = [...asked];
  const tokens: Hex[] = [];
  const escrowChildren = new Map<Hex, number>();
  const tokenChildren = new Map<Hex, number>();

  const announce = (children: Map<Hex, number>, list: Hex[], child: Hex, block: number) => {
    const known = children.get(child);
    if (known === undefined && !(list === contracts && asked.has(child))) list.push(child);
    if (known === undefined || block < known) children.set(child, block);
  };
  const counts = ({ address, topic, block }: Log): boolean => {
    if (escrowTopics.has(topic)) {
      // A listed escrow's own start block holds for what the factory announces too.
      const from = listedFrom.get(address) ?? escrowChildren.get(address);
      return from !== undefined && block >= from;
    }
    if (deskTopics.has(topic)) return address === desk?.address && block >= desk.startBlock;
    return topic === TRANSFER && block >= (tokenChildren.get(address) ?? Number.POSITIVE_INFINITY);
  };
  return {
    contracts,
    tokens,
    escrowChildren,
    tokenChildren,
    counts,
    know(escrows, tokensOf = new Map()) {
      for (const [child, block] of escrows) announce(escrowChildren, contracts, child, block);
      for (const [child, block] of tokensOf) announce(tokenChildren, tokens, child, block);
    },
    learn(log) {
      const { topics } = log.raw;
      if (log.topic === DEPLOYED) {
        if (log.address !== escrowFactory?.address || log.block < escrowFactory.startBlock) return;
        if (topics[1] !== undefined) announce(escrowChildren, contracts, addressOf(topics[1]), log.block);
      } else if (holders && log.topic === CREATED && topics[3] !== undefined && counts(log)) {
        announce(tokenChildren, tokens, addressOf(topics[3]), log.block);
      }
    },
  };
}

function addressOf(topic: Hex): Hex {
  return `0x${topic.slice(26).toLowerCase()}`;
}
