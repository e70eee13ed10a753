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
  /** by the number of members, of the last object with so many: almost all have the same */
  const last = new Map<number, number>();
  /** Without values. V8 makes a hash table of an object whose members are added by name, and none of a copy. */
  const empty = new Map<Shape, Members>();

  const numberOf = (object: object): number => {
    const shape = shapeOf(object);
    const key = keyOf(shape);
    const number = numbers.get(key) ?? all.push(shape) - 1;
    numbers.set(key, number);
    return number;
  };
  const emptyOf = (shape: Shape): Members => {
    const known = empty.get(shape);
    if (known !== undefined) return known;
    const names = shape.map((member) => (typeof member === "string" ? member : member[0]));
    const made = Object.fromEntries(names.map((name) => [name, null]));
    empty.set(shape, made);
    return made;
  };
  const made = (shape: Shape, values: Values, at: { place: number }): Members => {
    const object = { ...emptyOf(shape) };
    for (const member of shape) {
      if (typeof member === "string") object[member] = values[at.place++];
      else object[member[0]] = made(member[1], values, at);
    }
    return object;
  };
  return {
    pack(object) {
      const names = Object.keys(object);
      const values = Object.values(object);
      const known = last.get(names.length);
      if (known !== undefined && isFlat(all[known] as Shape, names, values)) return [known, ...values];
      const number = numberOf(object);
      last.set(names.length, number);
      return [number, ...(values.some(isObject) ? valuesIn(values) : values)];
    },
    unpack: (values) => made(all[values[0]] ?? [], values, { place: 1 }),
    all,
  };
}

/** Whether an object without inner ones is of a shape. */
function isFlat(shape: Shape, names: readonly string[], values: readonly unknown[]): boolean {
  for (let at = 0; at < names.length; at++) if (names[at] !== shape[at] || isObject(values[at])) return false;
  return true;
}

const valuesIn = (values: readonly unknown[]): unknown[] =>
  values.flatMap((value) => (isObject(value) ? valuesIn(Object.values(value)) : [value]));

/** A text that is equal for equal shapes alone: no name has a comma or a brace. */
const keyOf = (shape: Shape): string =>
  shape
    .map((member) => (typeof member === "string" ? `${member},` : `${member[0]}{${keyOf(member[1])}}`))
    .join("");

const shapeOf = (object: object): Shape =>
  Object.entries(object).map(([name, value]) => (isObject(value) ? [name, shapeOf(value)] : name));

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
