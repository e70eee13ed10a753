/** @module A value on a page. Its text is made here only, so that HTML, Markdown and charts always agree. */
import { counted } from "../../config/format/counted.ts";
import { isolated, stripButIsolations, stripControl } from "../../config/format/untrusted-text.ts";
import type { Explored } from "../../config/url-values.ts";
import { formatAmount, formatRate } from "../market/amount.ts";
import type { Originator } from "../market/originator.ts";
import type { Finality, Grade, Listing, Status } from "../market/schema.ts";
import { rateWords } from "../market/sentences.ts";
import { countryName } from "../registry/countries.ts";
import { formatTime } from "./times.ts";

export type Tone = "good" | "busy" | "warn" | "bad" | "idle";

export type Value =
  /** may be a third party's, then isolated: both writers escape it */
  | { kind: "text"; text: string }
  /** base units, 18 decimals; `unit` is dollars by default, null where the column names it */
  | { kind: "amount"; baseUnits: string; unit?: string | null }
  /** `words` stand for a rate that is not fixed yet */
  | { kind: "rate"; basisPoints: number; words?: string }
  /** a share as a whole percentage, never rounded up, with what it is a share of, unless its column says that: "69% funded" */
  | { kind: "share"; basisPoints: number; of: string }
  /** base units: "27,271 of 39,250 committed"; without a word where something else says it */
  | { kind: "part"; part: string; whole: string; word: string }
  /** `unit` is a plural noun, such as "days" */
  | { kind: "count"; count: number; unit?: string }
  /** ISO 8601 in UTC; a clock time shows the day elsewhere, a date its time in small */
  | { kind: "time"; iso: string; isClock?: boolean; isDate?: boolean }
  | { kind: "status"; status: Status }
  | { kind: "grade"; grade: Grade }
  | { kind: "repayment"; repayment: Listing["repayment"] }
  /** `exact` is the API's word for `text` */
  | { kind: "word"; text: string; exact: string; tone?: Tone }
  | { kind: "finality"; finality: Finality }
  | { kind: "yes_or_no"; isYes: boolean }
  /** ISO 3166-1 alpha-2; shown as the country's name */
  | { kind: "country"; code: string }
  /** an address, a hash, an id: something to copy. A short one shows only its ends where space is tight; `explore`: a block explorer has a page for it, at `href` if one is configured */
  | { kind: "code"; text: string; isShort?: boolean; explore?: Explored; href?: string }
  /** `href` is a path from the root, or absolute; `isForeign`: a third party chose it */
  | { kind: "link"; text: string; href: string; isForeign?: boolean }
  | { kind: "none" };

export const text = (content: string): Value => ({ kind: "text", text: content });
export const amount = (baseUnits: string | null, unit?: string | null): Value =>
  baseUnits === null ? NONE : { kind: "amount", baseUnits, unit };
export const rate = (basisPoints: number | null): Value =>
  basisPoints === null ? NONE : { kind: "rate", basisPoints };
/** The rate of a raise, in an open auction with the rate at which it would close now. */
export const coupon = (listing: Listing, { isShort = false } = {}): Value => ({
  kind: "rate",
  basisPoints: listing.couponRateBps,
  ...(listing.couponIsMaximum ? { words: capitalised(rateWords(listing, { isShort })) } : {}),
});
export const share = (basisPoints: number | null, of: string): Value =>
  basisPoints === null ? NONE : { kind: "share", basisPoints, of };
export const part = (baseUnits: string, whole: string, word: string): Value => ({
  kind: "part",
  part: baseUnits,
  whole,
  word,
});
export const count = (number: number | null, unit?: string): Value =>
  number === null ? NONE : { kind: "count", count: number, unit };
export const time = (iso: string | null): Value => (iso === null ? NONE : { kind: "time", iso });
export const date = (iso: string | null): Value =>
  iso === null ? NONE : { kind: "time", iso, isDate: true };
export const clock = (iso: string): Value => ({ kind: "time", iso, isClock: true });
export const code = (content: string | null): Value =>
  content === null ? NONE : { kind: "code", text: content };
const explored = (value: Value, explore: Explored): Value =>
  value.kind === "code" ? { ...value, explore } : value;
export const shortCode = (content: string, explore?: Explored): Value => ({
  kind: "code",
  text: content,
  isShort: true,
  explore,
});
export const txCode = (hash: string): Value => shortCode(hash, "tx");
export const addressCode = (address: string | null): Value => explored(code(address), "address");
/** @param number decimal */
export const blockCode = (number: string | null): Value => explored(code(number), "block");
export const link = (content: string, href: string): Value => ({ kind: "link", text: content, href });
export const yesOrNo = (isYes: boolean): Value => ({ kind: "yes_or_no", isYes });
export const country = (isoCode: string): Value => ({ kind: "country", code: isoCode });
export const word = (content: string, exact: string, tone?: Tone): Value => ({
  kind: "word",
  text: content,
  exact,
  tone,
});
export const grade = (letter: Grade | null): Value =>
  letter === null ? NONE : { kind: "grade", grade: letter };
export const status = (of: Status): Value => ({ kind: "status", status: of });
export const repayment = (of: Listing["repayment"]): Value => ({ kind: "repayment", repayment: of });
export const pricing = (mode: Listing["pricingMode"]): Value => word(PRICING_WORDS[mode], mode);
export const outcome = (of: Listing["outcome"]): Value => (of === null ? NONE : word(OUTCOME_WORDS[of], of));
export const kyb = (status: Originator["kybStatus"]): Value => word(KYB_WORDS[status], status);
export const NONE: Value = { kind: "none" };

/** Words as the beginning of a cell or a line. */
export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const STATUS_WORDS: Record<Status, string> = {
  listed: "Listed",
  funding: "Funding",
  live: "Live",
  matured: "Matured",
  refunding: "Refunding",
  voided: "Voided",
  cancelled: "Cancelled",
};

export const REPAYMENT_WORDS: Record<Listing["repayment"], string> = {
  not_drawn: "Not drawn",
  current: "On time",
  grace: "In grace",
  late: "Late",
  default: "In default",
  repaid: "Repaid",
  written_off: "Written off",
};

const PRICING_WORDS: Record<Listing["pricingMode"], string> = { fixed: "Fixed", auction: "Auction" };

const OUTCOME_WORDS: Record<NonNullable<Listing["outcome"]>, string> = {
  repaid: "Repaid",
  repaid_with_reserve: "Repaid partly from the reserve",
  defaulted: "Defaulted",
  unknown: "Unknown",
};

const KYB_WORDS: Record<Originator["kybStatus"], string> = {
  not_started: "Not started",
  submitted: "Submitted",
  in_review: "In review",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired",
};

/** The text as shown, without markup. */
export function textOf(value: Value): string {
  switch (value.kind) {
    case "text":
    case "link":
    case "word":
      return stripButIsolations(value.text);
    case "code":
      // Token symbols come from the chain as they are.
      return isolated(value.isShort ? `${value.text.slice(0, 8)}…${value.text.slice(-6)}` : value.text);
    case "amount":
      return formatAmount(value.baseUnits, { unit: value.unit });
    case "rate":
      return value.words ?? formatRate(value.basisPoints);
    case "share":
      return `${Math.floor(value.basisPoints / 100).toLocaleString("en-US")}% ${value.of}`.trimEnd();
    case "part": {
      const [some, whole] = [value.part, value.whole].map((one) => formatAmount(one, { unit: null }));
      return `${some} of ${whole} ${value.word}`.trimEnd();
    }
    case "count":
      return value.unit === undefined
        ? value.count.toLocaleString("en-US")
        : counted(value.count, value.unit);
    case "time":
      return formatTime(value.iso);
    case "status":
      return STATUS_WORDS[value.status];
    case "grade":
      return value.grade;
    case "repayment":
      return REPAYMENT_WORDS[value.repayment];
    case "finality":
      return value.finality === "final" ? "Final" : "Pending";
    case "yes_or_no":
      return value.isYes ? "Yes" : "No";
    case "country":
      return countryName(value.code);
    case "none":
      return "–";
  }
}

/** The value as in the API, for programs to compare; null without a value. */
export function exactOf(value: Value): string | null {
  switch (value.kind) {
    case "amount":
      return value.baseUnits;
    case "part":
      return value.part;
    case "rate":
    case "share":
      return String(value.basisPoints);
    case "count":
      return String(value.count);
    case "time":
      return value.iso;
    case "status":
      return value.status;
    case "repayment":
      return value.repayment;
    case "word":
      return value.exact;
    case "finality":
      return value.finality;
    case "yes_or_no":
      return String(value.isYes);
    case "country":
      return value.code;
    case "code":
      return value.text;
    case "none":
      return null;
    default:
      return stripControl(textOf(value), { keepLineFeeds: false });
  }
}
