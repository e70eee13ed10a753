/** @module The places of entries in their source, as one text: a million short ones would take as much memory as the entries. */

/** @returns a place by the index of its entry; undefined for an entry without one */
export function packedPlaces(places: readonly string[]): (index: number) => string | undefined {
  if (places.length === 0) return () => undefined;
  const text = Buffer.from(places.join("\n"));
  const starts = new Uint32Array(places.length + 1);
  for (let index = 0; index < places.length; index++)
    starts[index + 1] = (starts[index] ?? 0) + Buffer.byteLength(places[index] ?? "") + 1;
  return (index) => {
    const [start, end] = [starts[index], starts[index + 1]];
    if (start === undefined || end === undefined || end - start === 1) return undefined;
    return text.toString("utf8", start, end - 1);
  };
}
