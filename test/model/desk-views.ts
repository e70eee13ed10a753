/**
 * The model beside the desk and the tokens themselves: what their view functions say at a block, and the same figures
 * out of their logs.
 * @module
 */
import type { Address, PublicClient } from "viem";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { secondaryDeskAbi } from "../../abis/SecondaryDesk.ts";
import { inChainOrder, sum } from "./chain-log.ts";
import type { DeskLog } from "./desk-log.ts";
import { balancesOf, type Transfer } from "./holders.ts";
import { offersOf } from "./trading.ts";

/** The remainder of each offer, by its id: base units as decimal strings. */
export type Remainders = Record<string, string>;

/** By token: its supply, and what each holder has. Base units as decimal strings, addresses in lowercase. */
export type Holdings = Record<string, { supply: string; balances: Record<string, string> }>;

export async function viewRemainders(
  client: PublicClient,
  desk: Address,
  blockNumber: bigint,
): Promise<Remainders> {
  const contract = { address: desk, abi: secondaryDeskAbi, blockNumber } as const;
  const count = await client.readContract({ ...contract, functionName: "offerCount" });
  const remainders: Remainders = {};
  for (let id = 1n; id <= count; id++) {
    const [, , , remaining] = await client.readContract({ ...contract, functionName: "offers", args: [id] });
    remainders[`${id}`] = `${remaining}`;
  }
  return remainders;
}

export function modelRemainders(logs: readonly DeskLog[]): Remainders {
  const offers = offersOf(inChainOrder(logs));
  return Object.fromEntries(offers.map(({ id, remaining }) => [`${id}`, `${remaining}`]));
}

/** @param transfers name the tokens, and the people that are asked for */
export async function viewHoldings(
  client: PublicClient,
  transfers: readonly Transfer[],
  blockNumber: bigint,
): Promise<Holdings> {
  const holdings: Holdings = {};
  for (const token of tokensOf(transfers)) {
    const contract = { address: token as Address, abi: listingTokenAbi, blockNumber } as const;
    const people = new Set(transfers.flatMap((own) => (own.token === token ? [own.from, own.to] : [])));
    const balances: Record<string, string> = {};
    for (const holder of people) {
      const args = [holder as Address] as const;
      const balance = await client.readContract({ ...contract, functionName: "balanceOf", args });
      if (balance > 0n) balances[holder] = `${balance}`;
    }
    const supply = `${await client.readContract({ ...contract, functionName: "totalSupply" })}`;
    holdings[token] = { supply, balances };
  }
  return holdings;
}

/** The supply here is what all holders have together. */
export function modelHoldings(transfers: readonly Transfer[]): Holdings {
  return Object.fromEntries(
    tokensOf(transfers).map((token) => {
      const balances = balancesOf(transfers, token);
      const shown = [...balances].map(([holder, balance]) => [holder, `${balance}`]);
      return [token, { supply: `${sum([...balances.values()])}`, balances: Object.fromEntries(shown) }];
    }),
  );
}

function tokensOf(transfers: readonly Transfer[]): string[] {
  return [...new Set(transfers.map(({ token }) => token))];
}
