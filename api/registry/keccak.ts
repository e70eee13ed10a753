/**
 * keccak256 of long inputs, in WebAssembly: in JavaScript the hash of a million entries takes minutes. The module is made here from the
 * steps of the specification (FIPS 202, section 3.2; Keccak's own padding).
 * @module
 */
import { bytesToHex } from "viem";

/** Bytes that are absorbed at a time, of 1,600 bits of state. */
const RATE = 136;
const LANES = 25;
const ROUNDS = 24;
/** Addresses in the memory: of the state, the round constants, and the input. */
const STATE = 0;
const CONSTANTS = 256;
const INPUT = 512;
const PAGE = 65_536;
const MOST_BLOCKS = Math.floor((PAGE - INPUT) / RATE);

/** Local variables: two parameters, the round, the state's lanes, those of the next step, and the parities of columns. */
const [POINTER, COUNT, ROUND, A] = [0, 1, 2, 3];
const B = A + LANES;
const C = B + LANES;
const LOCALS_64 = 2 * LANES + 5;

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const get = (local: number) => [0x20, ...unsigned(local)];
const set = (local: number) => [0x21, ...unsigned(local)];
const number32 = (value: number) => [0x41, ...signed(value)];
const number64 = (value: number) => [0x42, ...signed(value)];
const load64 = (offset: number) => [0x29, 3, ...unsigned(offset)];
const store64 = (offset: number) => [0x37, 3, ...unsigned(offset)];
const [ADD_32, SUBTRACT_32, MULTIPLY_32, LESS_32] = [[0x6a], [0x6b], [0x6c], [0x49]];
const [AND, XOR, ROTATE] = [[0x83], [0x85], [0x89]];
const NOT = [...number64(-1), ...XOR];
const LOOP = [0x03, 0x40];
const AGAIN_IF = [0x0d, 0];
const END = [0x0b];

const each = (count: number, code: (index: number) => number[]) =>
  Array.from({ length: count }, (_, index) => code(index)).flat();

/** By how much each lane is rotated, from the recurrence of section 3.2.2. */
function rotations(): number[] {
  const by = new Array<number>(LANES).fill(0);
  for (let t = 0, x = 1, y = 0; t < ROUNDS; t++) {
    by[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return by;
}

/** From the shift register of section 3.2.5. */
function roundConstants(): bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) constant |= 1n << ((1n << BigInt(bit)) - 1n);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    return constant;
  });
}

function round(): number[] {
  const by = rotations();
  const parities = each(5, (x) => [
    ...get(A + x),
    ...each(4, (y) => [...get(A + x + 5 * (y + 1)), ...XOR]),
    ...set(C + x),
  ]);
  const theta = each(LANES, (lane) => {
    const x = lane % 5;
    const turned = [...get(C + ((x + 1) % 5)), ...number64(1), ...ROTATE];
    return [...get(A + lane), ...get(C + ((x + 4) % 5)), ...XOR, ...turned, ...XOR, ...set(A + lane)];
  });
  const rhoAndPi = each(LANES, (lane) => {
    const [x, y] = [lane % 5, Math.floor(lane / 5)];
    return [
      ...get(A + lane),
      ...number64(by[lane] ?? 0),
      ...ROTATE,
      ...set(B + y + 5 * ((2 * x + 3 * y) % 5)),
    ];
  });
  const chi = each(LANES, (lane) => {
    const [x, row] = [lane % 5, lane - (lane % 5)];
    const [one, two] = [B + row + ((x + 1) % 5), B + row + ((x + 2) % 5)];
    return [...get(B + lane), ...get(one), ...NOT, ...get(two), ...AND, ...XOR, ...set(A + lane)];
  });
  const constant = [...get(ROUND), ...number32(8), ...MULTIPLY_32, ...load64(CONSTANTS)];
  return [...parities, ...theta, ...rhoAndPi, ...chi, ...get(A), ...constant, ...XOR, ...set(A)];
}

/** A module with its memory and `absorb(pointer, count)`, which takes so many blocks of the input into the state. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const body = [
    ...each(LANES, (lane) => [...number32(STATE), ...load64(8 * lane), ...set(A + lane)]),
    ...LOOP,
    ...each(RATE / 8, (lane) => [
      ...get(A + lane),
      ...get(POINTER),
      ...load64(8 * lane),
      ...XOR,
      ...set(A + lane),
    ]),
    ...[...number32(0), ...set(ROUND)],
    ...[...LOOP, ...round()],
    ...[...get(ROUND), ...number32(1), ...ADD_32, ...set(ROUND)],
    ...[...get(ROUND), ...number32(ROUNDS), ...LESS_32, ...AGAIN_IF, ...END],
    ...[...get(POINTER), ...number32(RATE), ...ADD_32, ...set(POINTER)],
    ...[...get(COUNT), ...number32(1), ...SUBTRACT_32, ...set(COUNT)],
    ...[...get(COUNT), ...AGAIN_IF, ...END],
    ...each(LANES, (lane) => [...number32(STATE), ...get(A + lane), ...store64(8 * lane)]),
    ...END,
  ];
  const [I32, I64, FUNCTION] = [0x7f, 0x7e, 0x60];
  const locals = [2, 1, I32, ...unsigned(LOCALS_64), I64];
  const name = (text: string) => [text.length, ...Buffer.from(text)];
  const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content];
  const code = [...locals, ...body];
  return Uint8Array.from([
    ...Buffer.from("\0asm"),
    ...[1, 0, 0, 0],
    ...section(1, [1, FUNCTION, 2, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name("memory"), 2, 0, ...name("absorb"), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

type Exports = { memory: WebAssembly.Memory; absorb(pointer: number, count: number): void };

let compiled: WebAssembly.Module | null = null;

/** A running keccak256. */
export function createKeccak() {
  compiled ??= new WebAssembly.Module(moduleBytes());
  const { memory, absorb } = new WebAssembly.Instance(compiled).exports as Exports;
  const bytes = new Uint8Array(memory.buffer);
  const words = new DataView(memory.buffer);
  for (const [index, constant] of roundConstants().entries())
    words.setBigUint64(CONSTANTS + 8 * index, constant, true);
  const input = bytes.subarray(INPUT, INPUT + MOST_BLOCKS * RATE);
  /** bytes of the input that wait */
  let waiting = 0;

  const flush = () => {
    const blocks = Math.floor(waiting / RATE);
    if (blocks === 0) return;
    absorb(INPUT, blocks);
    input.copyWithin(0, blocks * RATE, waiting);
    waiting -= blocks * RATE;
  };

  return {
    update(chunk: Uint8Array) {
      for (let start = 0; start < chunk.length; ) {
        const part = chunk.subarray(start, start + input.length - waiting);
        input.set(part, waiting);
        waiting += part.length;
        start += part.length;
        if (waiting === input.length) flush();
      }
    },
    /** Once, after the last `update`. */
    digest(): `0x${string}` {
      flush();
      input.fill(0, waiting, RATE);
      input[waiting] = 0x01;
      input[RATE - 1] = (input[RATE - 1] ?? 0) | 0x80;
      absorb(INPUT, 1);
      return bytesToHex(bytes.slice(STATE, STATE + 32));
    },
  };
}
