/**
 * A contract that emits any log and answers any view, and the events of the markets of `module.ts` and `three-events.ts` as calls of it.
 * @module
 */
import { fileURLToPath } from "node:url";
import {
  type Abi,
  type AbiEvent,
  concatHex,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  hexToNumber,
  keccak256,
  numberToHex,
  parseAbiItem,
  slice,
} from "viem";
import type { LocalChain } from "../../../demo/chain.ts";
import foreign from "./module.ts";
import threeEvents from "./three-events.ts";

export const THREE_EVENTS_MODULE = fileURLToPath(new URL("three-events.ts", import.meta.url));
export const FOREIGN_MODULE = fileURLToPath(new URL("module.ts", import.meta.url));

const MOST_TOPICS = 4;
const byte = (value: number) => value.toString(16).padStart(2, "0");

/**
 * The code of the contract. Its call data is the log: one byte with the number of topics, the topics, the data. It copies the data to
 * memory, leaves number and length on the stack, and jumps to the branch of that number. Other call data is that of a view, whose answer
 * is in storage under the hash of the data.
 */
export const EMITTER: Hex = (() => {
  const guardLength = 13;
  const head = "60003560f81c806020026001018036038091600037";
  const [most, jumpLength] = [MOST_TOPICS, 8];
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  const branches = numbers.map((topics) => {
    const places = Array.from({ length: topics }, (_, index) => 1 + 32 * (topics - 1 - index));
    const pushed = places.map((place) => `60${byte(place)}35`).join("");
    return `5b${pushed}${byte(0x80 + topics)}6000${byte(0xa0 + topics)}00`;
  });
  const view = "5b366000600037366000205460005260206000f3";
  const before = guardLength + head.length / 2 + jumpLength * most + 1;
  const startOf = (index: number) => before + branches.slice(0, index).join("").length / 2;
  const place = (index: number) => startOf(index).toString(16).padStart(4, "0");
  const jumps = numbers.map((topics, index) => `8160${byte(topics)}1461${place(index)}57`);
  // More topics than a log can have: a view.
  const guard = `60003560f81c60${byte(most)}1061${place(most)}57`;
  return `0x${guard}${head}${jumps.join("")}00${branches.join("")}${view}`;
})();

type Item = string | Abi[number];

/** Makes calls of the emitter for events of an ABI, by name; of overloaded ones by their number of parameters too. */
export function logsOf(abi: readonly Item[]) {
  const items = abi.map((item) => (typeof item === "string" ? parseAbiItem(item) : item) as AbiEvent);
  /** @param args in the order of the event's parameters */
  return (name: string, ...args: readonly unknown[]): Hex => {
    const abiItem = items.find((item) => item.name === name && item.inputs.length === args.length);
    if (abiItem === undefined) throw new Error(`there is no ${name} of ${args.length} arguments`);
    const values = abiItem.inputs.map((input, index) => ({ input, value: args[index] }));
    const named = Object.fromEntries(values.map(({ input, value }) => [input.name, value]));
    const topics = encodeEventTopics({ abi: [abiItem], eventName: name, args: named }) as Hex[];
    const plain = values.filter(({ input }) => input.indexed !== true);
    const data = encodeAbiParameters(
      plain.map(({ input }) => input),
      plain.map(({ value }) => value),
    );
    return concatHex([numberToHex(topics.length, { size: 1 }), ...topics, data]);
  };
}

/** The call of the emitter for an event of `module.ts`. */
export const logOf = logsOf(foreign.escrow.abi as readonly Item[]);

/** The same for the market of `three-events.ts`. */
export const logOfThree = logsOf([...threeEvents.escrow.abi, threeEvents.factory.event]);
/** Has the contract answer a view. @param value an address is a number too */
export async function answer(chain: LocalChain, address: Hex, data: Hex, value: bigint): Promise<void> {
  // Such a call would be one for a log.
  if (hexToNumber(slice(data, 0, 1)) <= MOST_TOPICS) throw new Error(`${data} is no call of a view`);
  const slot = keccak256(data);
  await chain.testClient.setStorageAt({ address, index: slot, value: numberToHex(value, { size: 32 }) });
}

/** Sends each log in its own transaction, in this order. */
export async function send(chain: LocalChain, address: Hex, ...logs: readonly Hex[]): Promise<void> {
  for (const data of logs) await chain.walletClient(0).sendTransaction({ to: address, data, gas: 200_000n });
}
