/** @module The board's inputs for a filter, from which its form, its links and its words derive. Pure. */
import { counted } from "../../config/format/counted.ts";

export type BoardInput = {
  name: string;
  order: number;
  label: string;
  /** the label of its field, where it is another */
  fieldLabel?: string;
  /** what it takes: a sentence */
  about: string;
  /** what an agent reads about its field; without it the form has no field and keeps a value from the address */
  hint?: string;
  /** the choice that does not filter */
  any?: string;
  /** the words that readers filter by, where they are not all */
  words?: readonly string[];
  /** for a number, in units that people use; without choices it is typed */
  number?: {
    form: RegExp;
    allowed: string;
    choices: readonly number[];
    labelOf(number: number): string;
    /** the filter's value. @param now time of the last indexed block, Unix seconds */
    valueOf(number: number, now: bigint): unknown;
  };
  /** an end of a range: the heading that its two ends share */
  range?: string;
  /** words as check boxes, the best first: a shortcut ticks all up to one, the last word aside */
  isRanked?: true;
  /** whether only open raises can match */
  isOfOpen?: true;
  /** whether it looks among all raises, unless the reader chose some of them */
  isOfAll?: true;
};

const ENDS = {
  from: { interest: "Lowest", term: "Shortest", label: "From", word: "from" },
  to: { interest: "Highest", term: "Longest", label: "To", word: "up to" },
} as const;

/** An end of the range of interest, in percent per year. */
export function interestInput(name: string, order: number, end: keyof typeof ENDS) {
  const { interest, label, word } = ENDS[end];
  return {
    name,
    order,
    label: "Interest",
    fieldLabel: label,
    about: `${interest} interest in percent per year.`,
    hint: `${interest} interest in percent per year; empty for all.`,
    range: "Interest, % a year",
    number: {
      form: /^\d{1,6}(\.\d{1,2})?$/,
      allowed: "a percentage such as 8 or 12.5",
      choices: [],
      labelOf: (percent: number) => `${word} ${percent}%`,
      valueOf: (percent: number) => Math.round(percent * 100),
    },
  } satisfies BoardInput;
}

/** An end of the range of terms, in days. */
export function termInput(name: string, order: number, end: keyof typeof ENDS) {
  const { term, label, word } = ENDS[end];
  return {
    name,
    order,
    label: "Term",
    fieldLabel: label,
    about: `${term} term in days.`,
    hint: `${term} term in days; empty for all.`,
    range: "Term, days",
    number: {
      form: /^[1-9]\d{0,8}$/,
      allowed: "a whole number of days, such as 180",
      choices: [],
      labelOf: (days: number) => `${word} ${counted(days, "days")}`,
      valueOf: (days: number) => days,
    },
  } satisfies BoardInput;
}
