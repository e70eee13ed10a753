/** @module Objects as lists of their values, with the names of their members once for all of a shape: so they are read much faster. */

/** The names of the members, and of those of a member that is an object. Lists are values. */
export type Shape = readonly (string | readonly [name: string, inner: Shape])[];

/** The number of a shape, and the values in its order. */
export type Values = readonly [shape: number, ...values: unknown[]];

export type Shapes = {
  pack(object: object): Values;
  unpack(values: Values): object;
  /** by number; it grows */
  readonly all: readonly Shape[];
};

type Members = Record<string, unknown>;

/** @param known those of the values that are there already */
export function createShapes(known: readonly Shape[] = []): Shapes {
  const all = [...known];
  const numbers = new Map(all.map((shape, number) => [keyOf(shape), number]));
  /** of the last objects by their number of members: almost all with as many have the same */
  const last = new Map<number, number>();
  /** Objects of each shape: V8 copies one faster than it makes another. */
  const empty = new Map<Shape, Members>();

  const numberOf = (object: object): number => {
    const shape = shapeOf(object);
    const key = keyOf(shape);
    const number = numbers.get(key) ?? all.push(shape) - 1;
    numbers.set(key, number);
    return number;
  };
  const made = (shape: Shape, values: Values, at: { place: number }): Members => {
    const known = empty.get(shape);
    const object: Members = known === undefined ? {} : { ...known };
    for (const member of shape) {
      if (typeof member === "string") object[member] = values[at.place++];
      else object[member[0]] = made(member[1], values, at);
    }
    if (known === undefined) empty.set(shape, { ...object });
    return object;
  };
  return {
    pack(object) {
      const members = Object.keys(object);
      const likely = last.get(members.length) ?? -1;
      const values: [number, ...unknown[]] = [likely];
      const shape = all[likely];
      if (shape !== undefined && collect(object as Members, { members, shape, values })) return values;
      const number = numberOf(object);
      last.set(members.length, number);
      const own: [number, ...unknown[]] = [number];
      collect(object as Members, { members, shape: all[number] as Shape, values: own });
      return own;
    },
    unpack: (values) => made(all[values[0]] ?? [], values, { place: 1 }),
    all,
  };
}

/** Appends the values. @returns false for an object of another shape */
function collect(
  object: Members,
  { members, shape, values }: { members: readonly string[]; shape: Shape; values: unknown[] },
): boolean {
  if (members.length !== shape.length) return false;
  for (const [at, member] of shape.entries()) {
    const name = members[at] as string;
    const value = object[name];
    if (typeof member === "string") {
      if (name !== member || isObject(value)) return false;
      values.push(value);
    } else {
      const [expected, inner] = member;
      if (name !== expected || !isObject(value)) return false;
      if (!collect(value, { members: Object.keys(value), shape: inner, values })) return false;
    }
  }
  return true;
}

/** A text that is equal for equal shapes alone: no name has a comma or a brace. */
const keyOf = (shape: Shape): string =>
  shape
    .map((member) => (typeof member === "string" ? `${member},` : `${member[0]}{${keyOf(member[1])}}`))
    .join("");

const shapeOf = (object: object): Shape =>
  Object.entries(object).map(([name, value]) => (isObject(value) ? [name, shapeOf(value)] : name));

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
