/** @module The participants. Each has the local chain's account of the same position. */
import type { KybStatus } from "../../api/registry/schema.ts";

type Business = {
  readonly publicId: string;
  readonly legalName: string;
  /** ISO 3166-1 alpha-2 */
  readonly jurisdiction: string;
  readonly kybStatus: KybStatus;
  /** A file next to the registry. */
  readonly logo?: string;
  readonly description?: string;
  readonly website?: string;
};

/** Their grades follow from the courses of their raises (`raises-*.ts`). */
const PROFILES = {
  /** A: many raises, all repaid on time. */
  meridian: {
    publicId: "org_meridian_cold_chain",
    legalName: "Meridian Cold Chain Pte. Ltd.",
    jurisdiction: "SG",
    kybStatus: "approved",
    description:
      "Meridian runs refrigerated trucks and depots for vaccines and fresh food in Singapore and Johor. Founded in 2011; 140 people; 62 trucks.",
    website: "https://meridian-cold-chain.example",
  },
  /** B: equally clean, but with a short record. */
  kilele: {
    publicId: "org_kilele_solar",
    legalName: "Kilele Solar Ltd",
    jurisdiction: "KE",
    kybStatus: "approved",
    logo: "pictures/kilele-solar.svg",
    description:
      "Kilele sells and services solar home systems and mini grids in rural Kenya, paid for in small amounts by mobile phone.",
    website: "https://kilele-solar.example",
  },
  /** C: part of one raise was written off within the last year. */
  alpenhof: {
    publicId: "org_alpenhof",
    legalName: "Alpenhof Käserei GmbH",
    jurisdiction: "AT",
    kybStatus: "approved",
    logo: "pictures/alpenhof.svg",
    description:
      "A cheese dairy in the Bregenz Forest, owned by forty-one farms. It ages mountain cheese for up to two years, which ties up money before the first sale.",
    website: "https://alpenhof.example",
  },
  /** D: one raise is more than 30 days late, another used the reserve. */
  bluewater: {
    publicId: "org_bluewater",
    legalName: "Bluewater Aquaculture Inc.",
    jurisdiction: "CA",
    kybStatus: "approved",
    description:
      "Bluewater farms mussels and kelp off Vancouver Island, and sells to restaurants and to makers of feed.",
  },
  /** E: one raise is in default, unsettled. */
  nordhavn: {
    publicId: "org_nordhavn_freight",
    legalName: "Nordhavn Freight ApS",
    jurisdiction: "DK",
    kybStatus: "approved",
    description: "Nordhavn loads and stores containers and project cargo in three Danish ports.",
    website: "https://nordhavn-freight.example",
  },
  /** NR: verification is in progress. Its texts go from right to left: "Tierra Ceramics", a workshop in Cairo. */
  tierra: {
    publicId: "org_tierra_ceramics",
    legalName: "شركة تييرا للخزف ش.م.م",
    jurisdiction: "EG",
    kybStatus: "in_review",
    description:
      "ورشة خزف في الفسطاط بالقاهرة منذ عام 1974: 38 عاملًا و3 أفران. نصنع أواني المائدة والبلاط للفنادق والأسواق.",
    website: "https://tierra-ceramics.example",
  },
  /** NR: no raise has ended yet. */
  lumen: {
    publicId: "org_lumen_books",
    legalName: "Lumen & Daughter Books Ltd",
    jurisdiction: "GB",
    kybStatus: "approved",
    description: "Two bookshops and a mail-order service in Leeds, family owned since 1974.",
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
