/** @module The actors of a history: the addresses, their dollars, and how each originator pays back. */
import { type Address, encodeFunctionData, type Hex, maxUint256, numberToHex } from "viem";
import { testDollarAbi } from "../../../abis/TestDollar.ts";

/** How an originator's raises are repaid. */
export type Habit = "prompt" | "mixed" | "slow" | "never";

export type CastOriginator = {
  publicId: string;
  legalName: string;
  jurisdiction: string;
  kybStatus: string;
  habit: Habit;
  /** raises of up to 2^128, which drown the rest of the originator's record */
  huge: boolean;
  addresses: readonly Address[];
};

/** Sent by an address, which the chain lets act without a key. */
export type Call = { from: Address; to: Address; data: Hex };

export const originators: readonly CastOriginator[] = [
  originator(0, "org_Meridian-1", "Meridian \u202eCold Chain\u202c Pte. Ltd.", "SG", "approved", "prompt"),
  originator(1, "org_alpine_dairy", 'Alpine Dairy <AG> & "Söhne"', "CH", "approved", "mixed"),
  originator(2, "org_Zephyr", "Zephyr\u0007 Wind\tCo-operative", "DK", "approved", "slow"),
  originator(3, "org_harbour", "Harbour Works S.A. \u{1f6a2}", "PA", "approved", "never"),
  originator(4, "org_0review", "Under Review 株式会社", "JP", "in_review", "prompt"),
  { ...originator(5, "org_whale", "Whale Holdings", "US", "approved", "mixed"), huge: true },
  originator(6, "org_expired", "Expired Papers GmbH", "DE", "expired", "mixed"),
  originator(7, "org_silent", "Silent Partner Ltd", "GB", "not_started", "prompt"),
];

export const backers: readonly Address[] = Array.from({ length: 12 }, (_, index) => person(0xbac0 + index));

/** In no registry entry. */
export const strangers: readonly Address[] = [person(0x57a0), person(0x57a1)];

/** More than any history spends, and little enough for the dollar's total supply. */
const ALLOWANCE = 1n << 249n;

/** Gives everyone dollars and lets the contracts take them. */
export function outfit(dollar: Address, contracts: readonly Address[]): Call[] {
  const people = [...backers, ...strangers, ...originators.flatMap(({ addresses }) => addresses)];
  return people.flatMap((from) => [
    {
      from,
      to: dollar,
      data: encodeFunctionData({ abi: testDollarAbi, functionName: "mint", args: [from, ALLOWANCE] }),
    },
    ...contracts.map((contract) => ({
      from,
      to: dollar,
      data: encodeFunctionData({ abi: testDollarAbi, functionName: "approve", args: [contract, maxUint256] }),
    })),
  ]);
}

function originator(
  index: number,
  publicId: string,
  legalName: string,
  jurisdiction: string,
  kybStatus: string,
  habit: Habit,
): CastOriginator {
  const addresses = [person(0x0716_0000 + 2 * index), person(0x0716_0001 + 2 * index)];
  return { publicId, legalName, jurisdiction, kybStatus, habit, huge: false, addresses };
}

/** Far from the precompiled contracts, which stand at the lowest addresses. */
function person(index: number): Address {
  return numberToHex(0xfee1_600d_0000_0000_0000_0000_0000_0000_0000_0000n + BigInt(index), { size: 20 });
}
