/** @module Executes steps on a local chain, several per block, at chosen times. */
import { type Hex, numberToHex } from "viem";
import type { LocalChain } from "../chain.ts";
import type { Step } from "./actions.ts";
import type { Call, CallableAction, MarketContracts } from "./contracts.ts";

/** Below the cap per transaction (2^24). An estimate would use another block's time. */
const GAS = numberToHex(16_700_000);

export type CallableStep = Step & { action: CallableAction };

/** Sends a call for the next block. The chain has the keys of its accounts. */
export function send(chain: LocalChain, call: Call): Promise<Hex> {
  const transaction = { ...call, gas: GAS };
  return chain.walletClient(0).request({ method: "eth_sendTransaction", params: [transaction] });
}

/**
 * Mines one block at `at` (unix seconds) with these steps, unless none of them needs a call. Automine must be off.
 *
 * @throws if the contracts refuse a step, with the step and the reason
 */
export async function playBlock(
  chain: LocalChain,
  contracts: Pick<MarketContracts, "callsOf">,
  at: number,
  steps: readonly CallableStep[],
): Promise<void> {
  const sent: { step: CallableStep; call: Call }[] = [];
  for (const step of steps) {
    for (const call of await contracts.callsOf(step.by, step.action)) {
      sent.push({ step, call });
      await send(chain, call);
    }
  }
  if (sent.length === 0) return;
  await mine(chain, at);
  const asked = { method: "eth_getBlockReceipts" as never, params: ["latest"] as never };
  const receipts = await chain.publicClient.request(asked);
  const statuses = (receipts as readonly { status: Hex }[]).map(({ status }) => status);
  const refused = sent.find((_, index) => statuses[index] !== "0x1");
  if (refused === undefined) return;
  const { step, call } = refused;
  throw new Error(`${step.by} could not ${describe(step.action)}: ${await reasonOf(chain, call)}`);
}

/** Mines one block, at the chain's own time by default. */
export async function mine(chain: LocalChain, at?: number): Promise<void> {
  const params = at === undefined ? [] : [{ timestamp: at }];
  await chain.publicClient.request({ method: "evm_mine" as never, params: params as never });
}

function describe(action: CallableAction): string {
  return "raise" in action
    ? `${action.kind} (${action.raise.escrow} escrow, id ${action.raise.onchainId})`
    : action.kind;
}

/** Why the contracts refuse a call, if they still do after the block. */
async function reasonOf(chain: LocalChain, { from, to, data }: Call): Promise<string> {
  try {
    await chain.publicClient.call({ account: from, to, data });
    return "the contracts refused it";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
