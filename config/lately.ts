/** @module Values noted lately, such as endpoints that have left something out. */

/** Milliseconds after which a value that was not noted again is forgotten. */
const LASTS = 600_000;

export type Lately<Value> = {
  note(value: Value): void;
  /** in alphabetical order of their keys */
  current(): Value[];
};

/** @param keyOf the same for equal values */
export function rememberLately<Value>(keyOf: (value: Value) => string): Lately<Value> {
  const noted = new Map<string, { value: Value; at: number }>();
  return {
    note: (value) => void noted.set(keyOf(value), { value, at: performance.now() }),
    current() {
      for (const [key, { at }] of noted) if (performance.now() - at > LASTS) noted.delete(key);
      return [...noted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, { value }]) => value);
    },
  };
}
