/** @module The holders of a token, by its `Transfer` events alone. */
import { decodeEventLog, type Hex, toEventSelector } from "viem";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { type RawLog, sum } from "./chain-log.ts";

export type Transfer = {
  /** lowercase, like the addresses of both */
  token: string;
  from: string;
  to: string;
  /** base units */
  value: bigint;
};

export const TRANSFER: Hex = toEventSelector("event Transfer(address indexed, address indexed, uint256)");

export function toTransfer({ address, data, topics }: RawLog): Transfer {
  const { args } = decodeEventLog({ abi: listingTokenAbi, eventName: "Transfer", data, topics });
  return {
    token: address.toLowerCase(),
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    value: args.value,
  };
}

/**
 * Balances above zero, base units, by holder: of a token that keeps its books, which never lets anybody give what
 * they do not have. The zero address, where tokens come from, has given more than it got and so is no holder.
 */
export function balancesOf(transfers: readonly Transfer[], token: string): Map<string, bigint> {
  const own = transfers.filter((transfer) => transfer.token === token.toLowerCase());
  const people = new Set(own.flatMap(({ from, to }) => [from, to]));
  const balances = [...people].map((one): [string, bigint] => [
    one,
    sum(own.filter(({ to }) => to === one).map(({ value }) => value)) -
      sum(own.filter(({ from }) => from === one).map(({ value }) => value)),
  ]);
  return new Map(balances.filter(([, balance]) => balance > 0n));
}
