/** @module The columns of the archive, and the facts that they show of a row. */
import { isoTime } from "../../../config/format/time.ts";
import { type Grade, type Listing, REPAYMENTS, STATUSES } from "../schema.ts";
import type { Columns } from "./columns.ts";
import type { RowFacts, TimeName } from "./facts.ts";

export const AMOUNTS = ["targetAmount", "minRaise", "raisedAmount", "refundableAmount"] as const;
export type AmountName = (typeof AMOUNTS)[number];

export const COLUMNS = {
  born: "count",
  died: "count",
  textEnd: "number",
  searchEnd: "number",
  escrow: "count",
  originator: "count",
  status: "byte",
  repayment: "byte",
  isAuction: "byte",
  tenorDays: "count",
  subscriberCount: "count",
  couponRateBps: "number",
  updatedBlock: "number",
  madeAt: "number",
  createdAt: "number",
  changedAt: "number",
  goLiveAt: "number",
  closeAt: "number",
  maturityAt: "number",
  updatedAt: "number",
  /** block time of the last trade between two parties, unix seconds */
  tradedAt: "number",
  targetAmountHigh: "wide",
  minRaiseHigh: "wide",
  raisedAmountHigh: "wide",
  refundableAmountHigh: "wide",
  targetAmount: "wide",
  minRaise: "wide",
  raisedAmount: "wide",
  refundableAmount: "wide",
} as const;

export type FactColumns = {
  readonly at: Columns<typeof COLUMNS>["at"];
  /** public id, refnum, on-chain id */
  textsOf(row: number): string[];
  rowsWith(word: string): RowsWith;
  originatorOf(row: number): string;
  /** @param index of the column `escrow` */
  escrowOf(index: number): string;
  amountOf(name: AmountName, row: number): bigint;
};

/** A bit for each row that was there by then: whether its search text has a word. */
export type RowsWith = { bits: Uint8Array; rows: number };

export class ArchivedFacts implements RowFacts {
  row = 0;
  readonly #columns: FactColumns;
  readonly #gradeOf: (originator: string) => Grade;
  readonly #rowsWith = new Map<string, RowsWith>();

  constructor(columns: FactColumns, gradeOf: (originator: string) => Grade) {
    this.#columns = columns;
    this.#gradeOf = gradeOf;
  }

  get #at() {
    return this.#columns.at;
  }

  get publicId() {
    return this.#columns.textsOf(this.row)[0] as string;
  }
  get refnum() {
    return this.#columns.textsOf(this.row)[1] as string;
  }
  has(word: string) {
    let found = this.#rowsWith.get(word);
    if (found === undefined || this.row >= found.rows) {
      found = this.#columns.rowsWith(word);
      this.#rowsWith.set(word, found);
    }
    return ((found.bits[this.row >> 3] as number) & (1 << (this.row & 7))) !== 0;
  }
  get onchainId() {
    return this.#columns.textsOf(this.row)[2] as string;
  }
  get escrowAddress() {
    return this.#columns.escrowOf(this.#at.escrow[this.row] as number);
  }
  get createdAt() {
    return this.#at.createdAt[this.row] as number;
  }
  get changedAt() {
    return this.#at.changedAt[this.row] as number;
  }
  get originator() {
    return this.#columns.originatorOf(this.row);
  }
  get originatorGrade() {
    return this.#gradeOf(this.originator);
  }
  get status() {
    return STATUSES[this.#at.status[this.row] as number] as Listing["status"];
  }
  get repayment() {
    return REPAYMENTS[this.#at.repayment[this.row] as number] as Listing["repayment"];
  }
  get pricingMode() {
    return this.#at.isAuction[this.row] === 1 ? ("auction" as const) : ("fixed" as const);
  }
  get couponRateBps() {
    return this.#at.couponRateBps[this.row] as number;
  }
  get tenorDays() {
    return this.#at.tenorDays[this.row] as number;
  }
  get subscriberCount() {
    return this.#at.subscriberCount[this.row] as number;
  }
  get targetAmount() {
    return `${this.#columns.amountOf("targetAmount", this.row)}`;
  }
  get minRaise() {
    return `${this.#columns.amountOf("minRaise", this.row)}`;
  }
  get raisedAmount() {
    return `${this.#columns.amountOf("raisedAmount", this.row)}`;
  }
  get refundableAmount() {
    return `${this.#columns.amountOf("refundableAmount", this.row)}`;
  }
  get goLiveAt() {
    return isoTime(BigInt(this.#at.goLiveAt[this.row] as number));
  }
  get closeAt() {
    return this.#timeOf("closeAt");
  }
  get maturityAt() {
    return this.#timeOf("maturityAt");
  }
  get updatedAt() {
    return isoTime(BigInt(this.#at.updatedAt[this.row] as number));
  }
  get updatedBlock() {
    return `${this.lastBlock}`;
  }
  get lastBlock() {
    return this.#at.updatedBlock[this.row] as number;
  }
  // By `fitsArchive` and the end of the raise these are the same for all.
  get acceptsMoney() {
    return false;
  }
  get projectedAmount() {
    return null;
  }
  get outstandingPrincipal() {
    return "0";
  }
  secondsAt(name: TimeName) {
    const seconds = this.#at[name][this.row] as number;
    return Number.isNaN(seconds) ? null : BigInt(seconds);
  }
  #timeOf(name: TimeName) {
    const seconds = this.secondsAt(name);
    return seconds === null ? null : isoTime(seconds);
  }
}
