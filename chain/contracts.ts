/**
 * The contracts whose logs count: those of the settings, and those that earlier logs announce, such as a factory's escrows. The rules are those of
 * `ponder.config.ts` and `src/handlers.ts`.
 * @module
 */
import { erc20Abi, getAbiItem, type Hex, toEventSelector } from "viem";
import { escrowFactoryEventsAbi } from "../abis/EscrowFactoryEvents.ts";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../abis/SecondaryDeskEvents.ts";
import type { Settings } from "../config/environment.ts";
import type { Log } from "./logs.ts";

/** Addresses by the block in which they were announced. */
type Children = ReadonlyMap<Hex, number>;

export type FollowedContracts = {
  /** those with events of their own; grows at the end only */
  readonly contracts: readonly Hex[];
  /** those whose transfers are followed; grows at the end only */
  readonly tokens: readonly Hex[];
  readonly escrowChildren: Children;
  readonly tokenChildren: Children;
  /** Takes contracts whose announcement was seen earlier. */
  know(escrowChildren: Children, tokenChildren?: Children): void;
  /** Takes the contract that a log announces. */
  learn(log: Log): void;
  /** Whether a log is an event that is indexed, once all logs before it are learned. */
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

export function followContracts(settings: FollowedSettings): FollowedContracts {
  const { escrows, escrowFactory, desk, holders } = settings;
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

/** The first block with an event that counts, at the earliest. */
export function firstBlockOf({ escrows, escrowFactory, desk }: Omit<FollowedSettings, "holders">): number {
  const contracts = [...escrows, escrowFactory, desk].filter((contract) => contract !== null);
  return Math.min(...contracts.map(({ startBlock }) => startBlock));
}

function addressOf(topic: Hex): Hex {
  return `0x${topic.slice(26).toLowerCase()}`;
}
