/**
 * Which error a contract gave.
 *
 * @module
 */
import { type Abi, type Address, BaseError, decodeErrorResult, type Hex, numberToHex } from "viem";
import { expect } from "vitest";
import { escrowFactoryAbi } from "../../abis/EscrowFactory.ts";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { secondaryDeskAbi } from "../../abis/SecondaryDesk.ts";
import type { LocalChain } from "../../demo/chain.ts";

/** A call that a contract refused, with the error that the contract gave. */
class ContractRevert extends Error {
  constructor(
    readonly errorName: string,
    readonly errorArgs: readonly unknown[],
  ) {
    super(`reverted with ${errorName}(${errorArgs.join(", ")})`);
  }
}

const everyError = [listingEscrowAbi, listingTokenAbi, secondaryDeskAbi, escrowFactoryAbi].flatMap((abi) =>
  abi.filter((item) => item.type === "error"),
);

/** Makes the call again at the block that refused it, as a receipt does not say why. */
export async function revertOf(
  chain: LocalChain,
  call: { from: Address; to: Address; data: Hex },
  blockNumber: bigint,
) {
  try {
    await chain.publicClient.request({ method: "eth_call", params: [call, numberToHex(blockNumber)] });
  } catch (error) {
    const carrier = error instanceof BaseError ? error.walk((cause) => "data" in (cause as object)) : null;
    const data = (carrier as { data?: unknown } | null)?.data;
    if (typeof data !== "string" || !data.startsWith("0x")) return error;
    const { errorName, args } = decodeErrorResult({ abi: everyError as Abi, data: data as Hex });
    return new ContractRevert(errorName, args ?? []);
  }
  return new Error("the transaction reverted and the same call does not");
}

/** Expects the error of that name, and its arguments where they are given. */
export async function refuses(attempt: Promise<unknown>, errorName: string, args?: readonly unknown[]) {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, `expected ${errorName}, and the call went through`).toBeDefined();
  if (!(error instanceof ContractRevert)) throw error;
  expect(error.errorName).toBe(errorName);
  if (args) expect(error.errorArgs).toEqual(args);
}
