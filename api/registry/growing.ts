/** @module Columns of numbers and digests in typed arrays that double: a list of a million numbers would be copied at the end. */

/** Bytes of a sha256. */
export const DIGEST = 32;
const FIRST_LENGTH = 64;

export function growingNumbers() {
  let values = new Uint32Array(FIRST_LENGTH);
  let length = 0;
  return {
    length: () => length,
    push(value: number) {
      if (length === values.length) {
        const larger = new Uint32Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    values: () => values.slice(0, length),
  };
}

export function growingDigests() {
  let bytes = new Uint8Array(FIRST_LENGTH * DIGEST);
  let length = 0;
  return {
    push(digest: Uint8Array) {
      if (length + DIGEST > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(digest, length);
      length += DIGEST;
    },
    bytes: () => bytes.slice(0, length),
  };
}
