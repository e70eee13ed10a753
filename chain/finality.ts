/**
 * When blocks become final, by the rule of the installed Ponder.
 * @module
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolder } from "../config/packages.ts";

/** Not Ponder's public interface. */
type FinalityModule = { getFinalityBlockCount(parameters: { chain: { id: number } }): number };

/** How many blocks become final together: 30 on BSC testnet, 65 on Sepolia. */
export async function finalityDepth(chainId: number): Promise<number> {
  const file = join(packageFolder("ponder"), "dist/esm/utils/finality.js");
  const { getFinalityBlockCount }: FinalityModule = await import(pathToFileURL(file).href);
  return getFinalityBlockCount({ chain: { id: chainId } });
}
