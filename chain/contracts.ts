/**
 * The contracts whose logs count: those of the settings, and those that earlier logs announce, such as a factory's escrows. The rules are those of
 * `ponder.config.ts` and `src/handlers.ts`.
 * @module
 */
import type { Hex } from "viem";
import type { Settings } from "../config/environment.ts";
import { contractsOf, TRANSFER } from "../src/contracts/contracts.ts";
import type { Log } from "./logs.ts";

/** Addresses by the block in which they were announced. */
type Children = ReadonlyMap<Hex, number>;

export type FollowedContracts = {
  /** of the contracts' own events */
  readonly topics: readonly (Hex | undefined)[];
  /** those with events of their own; grows at the end only */
  readonly contracts: readonly Hex[];
  /** those whose transfers are followed; grows at the end only */
  readonly tokens: readonly Hex[];
  readonly escrowChildren: Children;
  readonly tokenChildren: Children;
  /** the listed escrows and those announced so far; a factory may be one of them */
  escrows(): readonly Hex[];
  /** Takes contracts whose announcement was seen earlier. */
  know(escrowChildren: Children, tokenChildren?: Children): void;
  /** Takes the contract that a log announces. */
  learn(log: Log): void;
  /** Whether a log is an event that is indexed, once all logs before it are learned. */
  counts(log: Log): boolean;
};

type FollowedSettings = Pick<Settings, "contracts" | "escrows" | "escrowFactory" | "desk" | "holders">;

export function followContracts(settings: FollowedSettings): FollowedContracts {
  const { escrows, escrowFactory, desk, holders } = settings;
  const { escrow, factory, desk: deskContract } = contractsOf(settings);
  const token = holders ? escrow.token : null;
  const escrowTopics = new Set<Hex | undefined>(escrow.events.map(({ topic }) => topic));
  const deskTopics = new Set<Hex | undefined>(deskContract?.events.map(({ topic }) => topic));
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
  const isOfEscrow = ({ address, block }: Log): boolean => {
    // A listed escrow's own start block holds for what the factory announces too.
    const from = listedFrom.get(address) ?? escrowChildren.get(address);
    return from !== undefined && block >= from;
  };
  const counts = (log: Log): boolean => {
    const { address, topic, block } = log;
    if (escrowTopics.has(topic)) return isOfEscrow(log);
    if (deskTopics.has(topic)) return address === desk?.address && block >= desk.startBlock;
    return topic === TRANSFER && block >= (tokenChildren.get(address) ?? Number.POSITIVE_INFINITY);
  };
  return {
    topics: [...new Set([factory?.topic, token?.topic, ...escrowTopics, ...deskTopics])].filter(
      (topic) => topic !== undefined,
    ),
    contracts,
    tokens,
    escrowChildren,
    tokenChildren,
    counts,
    escrows: () => [...new Set([...listedFrom.keys(), ...escrowChildren.keys()])],
    know(escrows, tokensOf = new Map()) {
      for (const [child, block] of escrows) announce(escrowChildren, contracts, child, block);
      for (const [child, block] of tokensOf) announce(tokenChildren, tokens, child, block);
    },
    learn(log) {
      if (factory !== null && log.topic === factory.topic && log.address === escrowFactory?.address) {
        const child = log.block < escrowFactory.startBlock ? null : factory.addressIn(log.raw);
        if (child !== null) announce(escrowChildren, contracts, child, log.block);
      }
      if (token !== null && log.topic === token.topic && isOfEscrow(log)) {
        const child = token.addressIn(log.raw);
        if (child !== null) announce(tokenChildren, tokens, child, log.block);
      }
    },
  };
}

/** The first block with an event that counts, at the earliest. */
export function firstBlockOf({ escrows, escrowFactory, desk }: Omit<FollowedSettings, "holders">): number {
  const contracts = [...escrows, escrowFactory, desk].filter((contract) => contract !== null);
  return Math.min(...contracts.map(({ startBlock }) => startBlock));
}
