/** @module A number with its unit. */

/** Such as "1 day" or "2,000 days". @param units a plural formed with a simple s */
export function counted(number: number, units: string): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? units.replace(/s$/, "") : units}`;
}

/** Whole days, such as "less than a day" for none. */
export function countedDays(days: number): string {
  return days === 0 ? "less than a day" : counted(days, "days");
}
