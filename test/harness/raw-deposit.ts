/** @module A raw log of a deposit, for modules that map it. */
import { encodeAbiParameters, type Hex, toEventSelector } from "viem";

export const ESCROW: Hex = `0x${"E1".repeat(20)}`;
export const ANNA: Hex = `0x${"Aa".repeat(20)}`;
export const PLACE = {
  address: ESCROW,
  blockNumber: 7n,
  blockTime: 70n,
  txHash: `0x${"7".repeat(64)}`,
  logIndex: 3,
} as const;

export const DEPOSITED = "event Deposited(uint256 indexed id, address indexed investor, uint256 amount)";
export const topics = [
  toEventSelector(DEPOSITED),
  `0x${"5".padStart(64, "0")}`,
  `0x${ANNA.slice(2).padStart(64, "0")}`,
] as Hex[];
export const deposit = (amount: bigint) => ({
  topics,
  data: encodeAbiParameters([{ type: "uint256" }], [amount]),
});
