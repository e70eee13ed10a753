/** @module Proofs of the raises of `proven.ts`, and the verdict of a reader on one. */
import { compileModule } from "../../../src/contracts/compile.ts";
import { provenProofs } from "../proven-app.ts";
import foreign from "./module.ts";
import { FOREIGN_STORY } from "./proven.ts";

export async function foreignProofs() {
  /** The answers of the contract's views, by the data of the call. */
  const answers = new Map<string, string>();
  const problems: string[] = [];
  const contracts = compileModule(foreign, problems);
  if (problems.length > 0) throw new Error(problems.join());
  const views = (data: string) => answers.get(data) ?? null;
  const { listings, ...proofs } = await provenProofs({ story: FOREIGN_STORY, contracts, views });
  const [listing] = listings;
  if (listing === undefined) throw new Error("there is no listing");
  return { ...proofs, listing, answers };
}

/** Sets a field that its type does not have, or not with such a value. */
export function set(target: unknown, name: string, value: unknown): void {
  Reflect.set(target as object, name, value);
}
