/**
 * The operator's signature of a registry: EIP-712, by the key of an ordinary account. Contracts that sign (ERC-1271) would
 * need the chain to be asked, and are not supported.
 * @module
 */
import { type Hex, recoverTypedDataAddress } from "viem";
import { DEFAULT_CHAIN_ID } from "../../config/defaults.ts";
import type { Settings } from "../../config/environment.ts";
import type { SignedFor } from "../../config/service-urls.ts";
import { RegistryError } from "./error.ts";
import type { Registry } from "./schema.ts";

type Signed = Pick<Registry, "hash" | "revision" | "signature">;

/** The required signer of a registry, in lowercase, and the service that it must be signed for. */
export type RequiredSigner = SignedFor & { readonly address: Hex };

/** Null: it need not be signed. */
export function requiredSigner({
  registrySigner: address,
  publicUrl,
  chainId,
}: Pick<Settings, "registrySigner" | "publicUrl" | "chainId">): RequiredSigner | null {
  return address === null ? null : { address, publicUrl, chainId };
}

type Domain = { name: string; version: string; chainId: number };

/** The domain names the service that the document is for: one signed for staging is invalid in production. */
export function typedDataOf(
  { hash, revision }: { hash: Hex; revision: number },
  { publicUrl, chainId }: SignedFor,
) {
  return typedDataIn({ name: `Raisebook registry of ${publicUrl}`, version: "2", chainId }, hash, revision);
}

/** Until 0033 was changed, the domain named no service, and the chain was always this one. */
const DOMAIN_BEFORE: Domain = { name: "Raisebook registry", version: "1", chainId: DEFAULT_CHAIN_ID };

function typedDataIn(domain: Domain, hash: Hex, revision: number) {
  return {
    domain,
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

/** In lowercase; null without a valid signature. A signature for another service yields some other address. */
export async function signerOf(
  { hash, revision, signature }: Signed,
  signedFor: SignedFor,
): Promise<Hex | null> {
  if (signature === null || revision === null) return null;
  return recovered(typedDataOf({ hash, revision }, signedFor), signature);
}

async function recovered(data: ReturnType<typeof typedDataOf>, signature: Hex): Promise<Hex | null> {
  try {
    const address = await recoverTypedDataAddress({ ...data, signature });
    return address.toLowerCase() as Hex;
  } catch {
    return null;
  }
}

/** @throws {RegistryError} unless this signer signed the document as it is, for this service */
export async function requireSigner(registry: Signed, signer: RequiredSigner): Promise<void> {
  const { address, publicUrl, chainId } = signer;
  const { hash, revision, signature } = registry;
  if (signature === null) {
    throw new RegistryError([`signature: is missing (REGISTRY_SIGNER is ${address})`]);
  }
  if ((await signerOf(registry, signer)) === address) return;
  const before = revision === null ? null : typedDataIn(DOMAIN_BEFORE, hash, revision);
  if (before !== null && (await recovered(before, signature)) === address) {
    throw new RegistryError([
      `signature: is by REGISTRY_SIGNER, but names no service, as all did in earlier versions: sign it again for ${publicUrl} (raisebook registry typed-data)`,
    ]);
  }
  throw new RegistryError([
    `signature: is not by REGISTRY_SIGNER, ${address}, or is for another document, another PUBLIC_URL than ${publicUrl} or another CHAIN_ID than ${chainId}: sign it again after each change`,
  ]);
}

/** An old document cannot be replayed. @throws {RegistryError} when it is older, or another of the same revision */
export function requireLater(next: Signed, current: Signed): void {
  if (next.hash === current.hash || current.revision === null) return;
  if (next.revision !== null && next.revision > current.revision) return;
  throw new RegistryError([
    `revision: is ${next.revision}, and that of the document in use ${current.revision}: it must be higher`,
  ]);
}
