/** @module The differences of two JSON values, path by path, so that a mismatch of two long answers can be read. */

/** One line for each path; empty when the values are equal. The order of keys does not count, that of lists does. */
export function differences(expected: unknown, actual: unknown, path = "$"): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const longer = Math.max(expected.length, actual.length);
    return Array.from({ length: longer }, (_, index) => index).flatMap((index) =>
      differences(expected[index], actual[index], `${path}[${labelled(index, expected[index])}]`),
    );
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => differences(expected[key], actual[key], `${path}.${key}`));
  }
  if (Object.is(expected, actual)) return [];
  return [`${path}: expected ${shown(expected)}, got ${shown(actual)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function labelled(index: number, item: unknown): string {
  return isObject(item) && typeof item.publicId === "string" ? `${index} ${item.publicId}` : `${index}`;
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
