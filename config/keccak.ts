/**
 * Keccak-256 in WebAssembly, whose 64-bit rotations are single instructions: several times as quick as in JavaScript. Proving a
 * history hashes every receipt of its blocks, and a registry is hashed whole. The module is small enough to be written here, instruction by instruction, from the
 * permutation's definition (The Keccak reference, 1.2 and 2.3).
 * @module
 */

/** Bytes of a block of the input, with a capacity of 512 bits. */
const RATE = 136;
const LANES = 25;
const ROUNDS = 24;
const HASH_BYTES = 32;
/** Addresses: the state is at 0. */
const CONSTANTS_AT = 256;
const INPUT_AT = 512;
const MEMORY = 65_536;
const BLOCKS_AT_ONCE = Math.floor((MEMORY - INPUT_AT) / RATE);
/** The first byte after the input and the last bit of its last block, as Ethereum pads; SHA-3 has another first byte. */
const PAD_FIRST = 0x01;
const PAD_LAST = 0x80;

type Hasher = { state: Uint8Array; input: Uint8Array; absorb(blocks: number): void };

/** The exports of the WebAssembly module. */
type Exports = { memory: { buffer: ArrayBuffer }; absorb(blocks: number): void };

type Sum = {
  update(bytes: Uint8Array): void;
  /** The hash of what was given since the last one. */
  digest(): Uint8Array;
};

let shared: Sum | null = null;

export function keccak(bytes: Uint8Array): Uint8Array {
  shared ??= createKeccak();
  shared.update(bytes);
  return shared.digest();
}

/** For an input in parts, between which others may be hashed. */
export function createKeccak(): Sum {
  const { state, input, absorb } = start();
  /** bytes of the input that wait */
  let waiting = 0;
  return {
    update(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const part = bytes.subarray(from, from + input.length - waiting);
        input.set(part, waiting);
        waiting += part.length;
        from += part.length;
        if (waiting < input.length) continue;
        absorb(BLOCKS_AT_ONCE);
        waiting = 0;
      }
    },
    digest() {
      const blocks = Math.floor(waiting / RATE) + 1;
      const end = blocks * RATE;
      input.fill(0, waiting, end);
      input[waiting] = PAD_FIRST;
      input[end - 1] = (input[end - 1] ?? 0) | PAD_LAST;
      absorb(blocks);
      const hash = state.slice(0, HASH_BYTES);
      state.fill(0);
      waiting = 0;
      return hash;
    },
  };
}

type Code = number[];

/** Instructions with what they take. */
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const i32 = (value: number): Code => [0x41, ...signed(BigInt(value))];
const i64 = (value: bigint): Code => [0x42, ...signed(value)];
const load = (offset: number): Code => [0x29, 3, ...unsigned(offset)];
const store = (offset: number): Code => [0x37, 3, ...unsigned(offset)];
const rotated = (value: Code, bits: number): Code =>
  bits === 0 ? value : [...value, ...i64(BigInt(bits)), 0x89];
/** Runs the body until its last value is zero. */
const repeated = (body: Code): Code => [0x03, 0x40, ...body, 0x0d, 0, 0x0b];
const ADD = 0x6a;
const SUBTRACT = 0x6b;
const IS_LESS = 0x49;
const XOR = 0x85;
const AND = 0x83;

/** Places of the function's locals: the number of blocks, where the next one is, eight times the round, and the lanes. */
const [BLOCKS, NEXT, ROUND] = [0, 1, 2];
const lane = (x: number, y: number) => 3 + (x % 5) + 5 * (y % 5);
const moved = (x: number, y: number) => LANES + lane(x, y);
const column = (x: number) => 3 + 2 * LANES + (x % 5);
const parity = (x: number) => column(x) + 5;
const LOCALS = 2 * LANES + 10;

const FIVE = [0, 1, 2, 3, 4];
const PLACES = FIVE.flatMap((y) => FIVE.map((x) => [x, y] as const));

/** One round: theta, rho and pi, chi, iota. */
function round(): Code {
  const columns = FIVE.flatMap((x) => [
    ...get(lane(x, 0)),
    ...[1, 2, 3, 4].flatMap((y) => [...get(lane(x, y)), XOR]),
    ...set(column(x)),
  ]);
  const parities = FIVE.flatMap((x) => [
    ...get(column(x + 4)),
    ...rotated(get(column(x + 1)), 1),
    ...[XOR, ...set(parity(x))],
  ]);
  const bits = rotations();
  const moves = PLACES.flatMap(([x, y]) => [
    ...rotated([...get(lane(x, y)), ...get(parity(x)), XOR], bits.get(lane(x, y)) ?? 0),
    ...set(moved(y, 2 * x + 3 * y)),
  ]);
  const mixed = PLACES.flatMap(([x, y]) => [
    ...get(moved(x, y)),
    ...[...get(moved(x + 1, y)), ...i64(-1n), XOR, ...get(moved(x + 2, y)), AND, XOR],
    ...set(lane(x, y)),
  ]);
  const constant = [...get(lane(0, 0)), ...get(ROUND), ...load(CONSTANTS_AT), XOR, ...set(lane(0, 0))];
  return [...columns, ...parities, ...moves, ...mixed, ...constant];
}

/** Bits by which each lane is rotated. */
function rotations(): Map<number, number> {
  const bits = new Map<number, number>();
  let [x, y] = [1, 0];
  for (let step = 1; step < LANES; step += 1) {
    bits.set(lane(x, y), ((step * (step + 1)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return bits;
}

/** The constant of each round, by a linear feedback shift register. */
function roundConstants(): bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let power = 0; power < 7; power += 1) {
      if (register & 1) constant |= 1n << BigInt(2 ** power - 1);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    return constant;
  });
}

let compiled: WebAssembly.Module | null = null;

/** The memory of a new module, and its function that absorbs this many blocks of the input into the state. */
function start(): Hasher {
  compiled ??= compile();
  const { exports } = new WebAssembly.Instance(compiled);
  const { memory, absorb } = exports as unknown as Exports;
  const { buffer } = memory;
  new BigUint64Array(buffer, CONSTANTS_AT, ROUNDS).set(roundConstants());
  const state = new Uint8Array(buffer, 0, 8 * LANES);
  return { state, input: new Uint8Array(buffer, INPUT_AT, BLOCKS_AT_ONCE * RATE), absorb };
}

function compile(): WebAssembly.Module {
  const lanes = PLACES.map(([x, y]) => lane(x, y));
  const body = [
    ...lanes.flatMap((local, index) => [...i32(0), ...load(8 * index), ...set(local)]),
    ...repeated([
      ...lanes
        .slice(0, RATE / 8)
        .flatMap((local, index) => [
          ...get(local),
          ...get(NEXT),
          ...load(INPUT_AT + 8 * index),
          XOR,
          ...set(local),
        ]),
      ...[...i32(0), ...set(ROUND)],
      ...repeated([...round(), ...[...get(ROUND), ...i32(8), ADD, 0x22, ROUND, ...i32(8 * ROUNDS), IS_LESS]]),
      ...[...get(NEXT), ...i32(RATE), ADD, ...set(NEXT)],
      ...[...get(BLOCKS), ...i32(1), SUBTRACT, 0x22, BLOCKS],
    ]),
    ...lanes.flatMap((local, index) => [...i32(0), ...get(local), ...store(8 * index)]),
    0x0b,
  ];
  const [I32, I64] = [0x7f, 0x7e];
  const code = [2, 2, I32, LOCALS, I64, ...body];
  const sections: [number, Code][] = [
    [1, [1, 0x60, 1, I32, 0]],
    [3, [1, 0]],
    [5, [1, 0, 1]],
    [7, [2, ...named("memory"), 2, 0, ...named("absorb"), 0, 0]],
    [10, [1, ...unsigned(code.length), ...code]],
  ];
  const bytes = sections.flatMap(([id, content]) => [id, ...unsigned(content.length), ...content]);
  return new WebAssembly.Module(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...bytes]));
}

function named(name: string): Code {
  return [name.length, ...new TextEncoder().encode(name)];
}

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): Code {
  const low = Number(BigInt.asUintN(7, value));
  const isLast = value >= -64n && value < 64n;
  return isLast ? [low] : [low | 0x80, ...signed(value >> 7n)];
}
