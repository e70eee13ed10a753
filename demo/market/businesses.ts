/**
 * The demo's businesses. Their grades follow from the courses of their raises (`raises-*.ts`).
 * @module
 */
import type { KybStatus } from "../../api/registry/schema.ts";
import type { BusinessName } from "./cast.ts";

export type Business = {
  readonly publicId: string;
  readonly legalName: string;
  /** ISO 3166-1 alpha-2 */
  readonly jurisdiction: string;
  readonly kybStatus: KybStatus;
  /** A file next to the registry. */
  readonly logo?: string;
};

export const BUSINESSES: Readonly<Record<BusinessName, Business>> = {
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
};
