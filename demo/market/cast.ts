/**
 * The participants. Each has the local chain's account of the same position.
 * @module
 */

/** The businesses that raise money, described in `businesses.ts`. */
export const BUSINESS_NAMES = [
  "meridian",
  "kilele",
  "alpenhof",
  "bluewater",
  "nordhavn",
  "tierra",
  "lumen",
] as const;

export const BACKERS = [
  "Ada Lindqvist",
  "Ben Okafor",
  "Chiara Ricci",
  "Dmitri Volkov",
  "Elif Demir",
  "Farid Haddad",
  "Grace Mwangi",
  "Hiro Tanaka",
  "Ines Duarte",
  "Jonas Weber",
  "Kavya Iyer",
  "Liam Byrne",
  "Mei Chen",
  "Noor Rahman",
  "Olga Petrova",
  "Pablo Fuentes",
] as const;

export type BusinessName = (typeof BUSINESS_NAMES)[number];
export type Backer = (typeof BACKERS)[number];

/** `operator` owns the escrows and runs the listings; `treasury` receives the fees; `router` pays for others. */
export type Actor = "operator" | "treasury" | "router" | BusinessName | Backer;

export const ACTORS: readonly Actor[] = ["operator", "treasury", "router", ...BUSINESS_NAMES, ...BACKERS];

/** Index of an actor's account on the local chain. */
export function accountIndex(actor: Actor): number {
  return ACTORS.indexOf(actor);
}
