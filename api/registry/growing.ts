/** @module Columns of numbers and digests in typed arrays that double: a list of a million numbers would be copied at the end. */

/** Bytes of a sha256. */
export const DIGEST = 32;
const FIRST_LENGTH = 64;

export const growingNumbers = () => growing((length) => new Uint32Array(length), 1);
export const growingDigests = () => growing((length) => new Uint8Array(length), DIGEST);

/** @param width how many numbers are pushed at once */
function growing<Column extends Uint8Array | Uint32Array>(
  ofLength: (length: number) => Column,
  width: number,
) {
  let values = ofLength(FIRST_LENGTH * width);
  let length = 0;
  return {
    length: () => length / width,
    push(value: number | Uint8Array) {
      if (length === values.length) {
        const larger = ofLength(values.length * 2);
        larger.set(values);
        values = larger;
      }
      if (typeof value === "number") values[length] = value;
      else values.set(value, length);
      length += width;
    },
    values: () => values.slice(0, length) as Column,
  };
}
