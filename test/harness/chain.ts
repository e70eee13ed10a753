/** @module Local chains for the tests of a file. */
import * as demo from "../../demo/chain.ts";
import * as play from "../../demo/market/play.ts";
import { endsWithFile } from "./ending.ts";

export type { LocalChain } from "../../demo/chain.ts";

export const startChain = async (...parameters: Parameters<typeof demo.startChain>) =>
  endsWithFile(await demo.startChain(...parameters));

export const startDemoChain = async (...parameters: Parameters<typeof play.startDemoChain>) =>
  endsWithFile(await play.startDemoChain(...parameters));
