/**
 * Who takes part: each has an account of the local chain, by position.
 * @module
 */

/** Businesses that raise money; `businesses.ts` says what is known about them. */
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

/** The account of the local chain that an actor has. */
export function accountIndex(actor: Actor): number {
  return ACTORS.indexOf(actor);
}
