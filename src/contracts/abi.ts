/**
 * Items of an ABI: read from a module, and written as in Solidity.
 * @module
 */
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  parseAbiItem,
  toEventSelector,
  toEventSignature,
  toFunctionSelector,
} from "viem";

/** The events of an ABI. */
export function abiOf(items: readonly unknown[], place: string, problems: string[]): AbiEvent[] {
  return items.flatMap((item, index) => {
    const parsed = itemOf(item, `${place}[${index}]`, problems);
    return parsed?.type === "event" ? [parsed] : [];
  });
}

export function itemOf(item: unknown, place: string, problems: string[]): Abi[number] | null {
  try {
    const parsed = typeof item === "string" ? (parseAbiItem(item) as Abi[number]) : (item as Abi[number]);
    if (typeof Object(parsed).type !== "string") throw new Error("expected a text, or an object with a type");
    if (parsed.type === "event") toEventSelector(parsed);
    if (parsed.type === "function") toFunctionSelector(parsed);
    return parsed;
  } catch (error) {
    const [line = ""] = messageOf(error).split("\n");
    problems.push(`${place}: is no ABI item: ${line}`);
    return null;
  }
}

/** The event of this name, or of this signature where a name is overloaded. Null with a problem where the ABI has none, or several. */
export function eventNamed(
  abi: readonly AbiEvent[],
  name: string,
  place: string,
  problems: string[],
): AbiEvent | null {
  const items = abi.filter(
    (item) => item.name === name || toEventSignature(item) === name.replaceAll(" ", ""),
  );
  const [found] = items;
  const distinct = (of: (item: AbiEvent) => string) => new Set(items.map(of)).size;
  if (found === undefined) problems.push(`${place}: the ABI has no such event`);
  else if (distinct(toEventSelector) > 1)
    problems.push(
      `${place}: the ABI has several: name one by its signature, such as ${toEventSignature(found)}`,
    );
  else if (distinct(indexingOf) > 1)
    problems.push(
      `${place}: the ABI has it with different indexed parameters: keep the one that the contract emits`,
    );
  else return found;
  return null;
}

/** Which parameters are topics: the signature does not say it. */
function indexingOf({ inputs }: AbiEvent): string {
  return inputs.map(({ indexed }) => indexed === true).join();
}

/** An event as in Solidity, without the word. */
export function declarationOf({ name, inputs }: AbiEvent): string {
  return `${name}(${inputs.map(written).join(", ")})`;
}

/** A parameter as in Solidity. */
function written(parameter: AbiParameter & { indexed?: boolean | undefined }): string {
  const { type, name, indexed } = parameter;
  const components = "components" in parameter ? `(${parameter.components.map(written).join(", ")})` : null;
  const word = components === null ? type : type.replace("tuple", components);
  return [word, ...(indexed === true ? ["indexed"] : []), ...(name ? [name] : [])].join(" ");
}

/** Whether a parameter may take more than one word of a log's data. */
export function isWide({ type }: AbiParameter): boolean {
  return type === "tuple" || /\[\d+\]$/.test(type);
}

export function hasAddress(parameter: AbiParameter): boolean {
  const { type } = parameter;
  if ("components" in parameter && parameter.components.some(hasAddress)) return true;
  return type.startsWith("address");
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
