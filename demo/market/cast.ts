/**
 * The participants. Each has the local chain's account of the same position.
 * @module
 */
import type { KybStatus } from "../../api/registry/schema.ts";

type Business = {
  readonly publicId: string;
  readonly legalName: string;
  /** ISO 3166-1 alpha-2 */
  readonly jurisdiction: string;
  readonly kybStatus: KybStatus;
  /** A file next to the registry. */
  readonly logo?: string;
};

/** Their grades follow from the courses of their raises (`raises-*.ts`). */
const PROFILES = {
  /** A: many raises, all repaid on time. */
  meridian: {
    publicId: "org_meridian_cold_chain",
    legalName: "Meridian Cold Chain Pte. Ltd.",
    jurisdiction: "SG",
    kybStatus: "approved",
  },
  /** B: equally clean, but with a short record. */
  kilele: {
    publicId: "org_kilele_solar",
    legalName: "Kilele Solar Ltd",
    jurisdiction: "KE",
    kybStatus: "approved",
    logo: "pictures/kilele-solar.svg",
  },
  /** C: part of one raise was written off within the last year. */
  alpenhof: {
    publicId: "org_alpenhof",
    legalName: "Alpenhof Käserei GmbH",
    jurisdiction: "AT",
    kybStatus: "approved",
    logo: "pictures/alpenhof.svg",
  },
  /** D: one raise is more than 30 days late, another used the reserve. */
  bluewater: {
    publicId: "org_bluewater",
    legalName: "Bluewater Aquaculture Inc.",
    jurisdiction: "CA",
    kybStatus: "approved",
  },
  /** E: one raise is in default, unsettled. */
  nordhavn: {
    publicId: "org_nordhavn_freight",
    legalName: "Nordhavn Freight ApS",
    jurisdiction: "DK",
    kybStatus: "approved",
  },
  /** NR: verification is in progress. */
  tierra: {
    publicId: "org_tierra_roja",
    legalName: "Tierra Roja Cerámica S.A. de C.V.",
    jurisdiction: "MX",
    kybStatus: "in_review",
  },
  /** NR: no raise has ended yet. */
  lumen: {
    publicId: "org_lumen_books",
    legalName: "Lumen & Daughter Books Ltd",
    jurisdiction: "GB",
    kybStatus: "approved",
  },
} satisfies Record<string, Business>;

export type BusinessName = keyof typeof PROFILES;
export const BUSINESSES: Readonly<Record<BusinessName, Business>> = PROFILES;
export const BUSINESS_NAMES = Object.keys(PROFILES) as BusinessName[];

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

export type Backer = (typeof BACKERS)[number];

/** `operator` owns the escrows and runs the listings; `treasury` receives the fees; `router` pays for others. */
export type Actor = "operator" | "treasury" | "router" | BusinessName | Backer;

export const ACTORS: readonly Actor[] = ["operator", "treasury", "router", ...BUSINESS_NAMES, ...BACKERS];

/** Index of an actor's account on the local chain. */
export function accountIndex(actor: Actor): number {
  return ACTORS.indexOf(actor);
}
