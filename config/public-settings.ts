/** @module The operator's settings that appear in answers. */
import type { Settings } from "./environment.ts";
import { followsHolders } from "./sources.ts";
import type { Contact, EmbedOrigins, Explorer } from "./url-values.ts";

export type PublicSettings = {
  /** where the service is reached, without a trailing slash */
  publicUrl: string;
  /** where persons sign, without a trailing slash; null when no app is configured */
  appUrl: string | null;
  /** of the operator, in the API description; null: none */
  contact: Contact | null;
  /** page URLs of a block explorer; null: no links to one */
  explorer: Explorer | null;
  /** a node that pages offer to visitors who prove a raise; null: they name one */
  publicNode: string | null;
  /** origins of the sites that may show a raise in a frame; "*": every site */
  embedOrigins: EmbedOrigins;
  chainId: number;
  /** address of the secondary desk, null when none is followed */
  desk: `0x${string}` | null;
  /** the signer of the registry in use; null: it need not be signed */
  registrySigner: `0x${string}` | null;
  /** requests per minute and client; null: unlimited */
  rateLimit: number | null;
  /** streams open at a time in a process */
  maxStreams: number;
  /** whether the holders of an escrow's tokens are counted */
  followsHolders(escrowAddress: string): boolean;
};

export function publicSettingsOf(settings: Settings): PublicSettings {
  const { publicUrl, appUrl, contact, explorer, publicNode, embedOrigins } = settings;
  const { chainId, desk, registrySigner, rateLimit, maxStreams } = settings;
  return {
    ...{ publicUrl, appUrl, contact, explorer, publicNode, embedOrigins },
    ...{ chainId, desk: desk?.address ?? null, registrySigner, rateLimit, maxStreams },
    followsHolders: (escrowAddress) => followsHolders(settings, escrowAddress),
  };
}
