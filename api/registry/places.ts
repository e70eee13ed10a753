/** @module The places of entries in their source, as one text: a million short ones would take as much memory as the entries. */

export type PackedPlaces = {
  readonly text: Uint8Array;
  /** of each place in the text, and the end */
  readonly starts: Uint32Array;
};

export function packPlaces(places: readonly string[]): PackedPlaces {
  if (places.length === 0) return { text: new Uint8Array(0), starts: new Uint32Array(0) };
  const text = Buffer.from(places.join("\n"));
  const starts = new Uint32Array(places.length + 1);
  for (let index = 0; index < places.length; index++)
    starts[index + 1] = (starts[index] ?? 0) + Buffer.byteLength(places[index] ?? "") + 1;
  return { text, starts };
}

/** Undefined for an entry without a place. */
export function placeAt({ text, starts }: PackedPlaces, index: number): string | undefined {
  const [start, end] = [starts[index], starts[index + 1]];
  if (start === undefined || end === undefined || end - start === 1) return undefined;
  return Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf8", start, end - 1);
}
