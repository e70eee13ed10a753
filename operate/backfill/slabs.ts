/** @module Pieces of bytes in few large buffers outside of the heap. */

/** Bytes of a buffer. */
const SLAB = 4 * 1024 * 1024;
/** A piece takes a multiple of this many bytes. */
const STEP = 16;
/** Bytes before each piece, which say how many it takes. */
const HEAD = 4;

/** A place that is given up is used again for a piece of the same size. */
export function createSlabs() {
  const slabs: Buffer[] = [];
  const free = new Map<number, number[]>();
  let filled = SLAB;
  const offsetOf = (place: number) => place % SLAB;
  const slabOf = (place: number) => slabs[Math.floor(place / SLAB)] as Buffer;

  const newPlace = (size: number): number => {
    if (filled + size > SLAB) {
      slabs.push(Buffer.allocUnsafeSlow(Math.max(SLAB, size)));
      filled = 0;
    }
    const place = (slabs.length - 1) * SLAB + filled;
    filled += size;
    return place;
  };

  return {
    /** Copies the bytes. @returns their place */
    put(bytes: Buffer): number {
      const size = Math.ceil((HEAD + bytes.length) / STEP) * STEP;
      const place = free.get(size)?.pop() ?? newPlace(size);
      const offset = offsetOf(place);
      slabOf(place).writeUInt32LE(size, offset);
      bytes.copy(slabOf(place), offset + HEAD);
      return place;
    },
    /** The buffer with the bytes of a place, and their offset in it; they mark their own end. */
    at: (place: number): readonly [Buffer, number] => [slabOf(place), offsetOf(place) + HEAD],
    free(place: number) {
      const size = slabOf(place).readUInt32LE(offsetOf(place));
      const places = free.get(size);
      if (places === undefined) free.set(size, [place]);
      else places.push(place);
    },
  };
}
