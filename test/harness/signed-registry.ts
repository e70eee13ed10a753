/** @module Signs a registry as a wallet does, step by step as EIP-712 and RFC 8785 have it, with nothing of the code under test. */
import { concat, type Hex, keccak256, numberToHex, stringToHex } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";

export const OPERATOR_KEY: Hex = `0x${"0a".repeat(32)}`;
export const OPERATOR = privateKeyToAddress(OPERATOR_KEY).toLowerCase() as Hex;
export const STRANGER_KEY: Hex = `0x${"0b".repeat(32)}`;
export const STRANGER = privateKeyToAddress(STRANGER_KEY).toLowerCase() as Hex;

const word = (number: number | bigint): Hex => numberToHex(number, { size: 32 });
const hashOf = (text: string): Hex => keccak256(stringToHex(text));

/** Keys in the order of their UTF-16 code units, nothing between the tokens. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(",")}}`;
}

export function documentHash(whole: object): Hex {
  const { signature: _, ...document } = whole as { signature?: unknown };
  return hashOf(canonical(document));
}

/** The `PUBLIC_URL` of the services that tests start. */
export const DEPLOYMENT = "http://raises.localhost";
/** The domain of earlier versions, which names no service. */
export const NO_DEPLOYMENT = { name: "Raisebook registry", version: "1", chainId: 97 };

export const domainOf = (publicUrl: string, chainId = 97) => ({
  ...{ name: `Raisebook registry of ${publicUrl}`, version: "2", chainId },
});

export function digestOf(hash: Hex, revision: number | bigint, of = domainOf(DEPLOYMENT)): Hex {
  const domain = keccak256(
    concat([
      hashOf("EIP712Domain(string name,string version,uint256 chainId)"),
      hashOf(of.name),
      hashOf(of.version),
      word(of.chainId),
    ]),
  );
  const message = keccak256(concat([hashOf("Registry(bytes32 hash,uint64 revision)"), hash, word(revision)]));
  return keccak256(concat(["0x1901", domain, message]));
}

/** The document with its signature, which replaces one that it has. */
export async function signed<Document extends object>(
  document: Document,
  revision = 1,
  privateKey: Hex = OPERATOR_KEY,
  domain = domainOf(DEPLOYMENT),
): Promise<Document & { revision: number; signature: Hex }> {
  const whole = { ...document, revision };
  const hash = digestOf(documentHash(whole), revision, domain);
  return { ...whole, signature: await sign({ hash, privateKey, to: "hex" }) };
}
