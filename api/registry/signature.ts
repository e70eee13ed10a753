/**
 * The operator's signature of a registry: EIP-712, by the key of an ordinary account. Contracts that sign (ERC-1271) would
 * need the chain to be asked, and are not supported.
 * @module
 */
import { type Hex, recoverTypedDataAddress } from "viem";
import { CHAIN_ID } from "../../config/environment.ts";
import { RegistryError } from "./parse.ts";
import type { Registry } from "./schema.ts";

type Signed = Pick<Registry, "hash" | "revision" | "signature">;

/** What a wallet is asked to sign. */
export function typedDataOf({ hash, revision }: { hash: Hex; revision: number }) {
  return {
    domain: { name: "Raisebook registry", version: "1", chainId: CHAIN_ID },
    types: {
      Registry: [
        { name: "hash", type: "bytes32" },
        { name: "revision", type: "uint64" },
      ],
    },
    primaryType: "Registry",
    message: { hash, revision: BigInt(revision) },
  } as const;
}

/** Who signed a document, in lowercase; null when nobody did. A signature that is none at all is nobody's. */
export async function signerOf({ hash, revision, signature }: Signed): Promise<Hex | null> {
  if (signature === null || revision === null) return null;
  try {
    const address = await recoverTypedDataAddress({ ...typedDataOf({ hash, revision }), signature });
    return address.toLowerCase() as Hex;
  } catch {
    return null;
  }
}

/**
 * @param signer in lowercase
 * @throws {RegistryError} unless this signer signed the document as it is
 */
export async function requireSigner(registry: Signed, signer: Hex): Promise<void> {
  if (registry.signature === null) {
    throw new RegistryError([`signature: is missing (REGISTRY_SIGNER is ${signer})`]);
  }
  if ((await signerOf(registry)) === signer) return;
  throw new RegistryError([
    `signature: is not by REGISTRY_SIGNER, ${signer}, or of another document: sign it again after each change`,
  ]);
}

/**
 * Requires what replaces a signed document to be a later one: whoever has an old document must not bring it back.
 *
 * @throws {RegistryError} when it is older, or another of the same revision
 */
export function requireLater(next: Signed, current: Signed): void {
  if (next.hash === current.hash || current.revision === null) return;
  if (next.revision !== null && next.revision > current.revision) return;
  throw new RegistryError([
    `revision: is ${next.revision}, and that of the document in use ${current.revision}: it must be higher`,
  ]);
}
