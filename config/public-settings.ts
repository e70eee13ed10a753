/**
 * The operator's settings that show in answers.
 * @module
 */
import type { Settings } from "./environment.ts";
import { followsHolders } from "./sources.ts";
import type { Explorer } from "./values.ts";

export type PublicSettings = {
  /** where the service is reached, without a slash at the end */
  publicUrl: string;
  /** where a person goes to sign, without a slash at the end; null when no app is configured */
  appUrl: string | null;
  /** pages of a block explorer; null: none is linked to */
  explorer: Explorer | null;
  chainId: number;
  /** address of the secondary desk, null when none is followed */
  desk: `0x${string}` | null;
  /** whose signature the registry in use has; null: it need not be signed */
  registrySigner: `0x${string}` | null;
  /** requests a minute of one client; null: no client is limited */
  rateLimit: number | null;
  /** whether the holders of an escrow's tokens are counted */
  followsHolders(escrowAddress: string): boolean;
};

export function publicSettingsOf(settings: Settings): PublicSettings {
  const { publicUrl, appUrl, explorer, chainId, desk, registrySigner, rateLimit } = settings;
  return {
    publicUrl,
    appUrl,
    explorer,
    chainId,
    desk: desk?.address ?? null,
    registrySigner,
    rateLimit,
    followsHolders: (escrowAddress) => followsHolders(settings, escrowAddress),
  };
}
