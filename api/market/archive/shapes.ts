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

/** @param known those of the values that are there already */
export function createShapes(known: readonly Shape[] = []): Shapes {
  const all = [...known];
  const numbers = new Map(all.map((shape, number) => [keyOf(shape), number]));

  const pack = (object: object): Values => {
    const values: unknown[] = [];
    const key = collect(object, values);
    let number = numbers.get(key);
    if (number === undefined) {
      number = all.push(shapeOf(object)) - 1;
      numbers.set(key, number);
    }
    return [number, ...values];
  };
  return {
    pack,
    unpack(values) {
      let at = 1;
      const made = (shape: Shape): object => {
        const object: Record<string, unknown> = {};
        for (const member of shape) {
          if (typeof member === "string") object[member] = values[at++];
          else object[member[0]] = made(member[1]);
        }
        return object;
      };
      return made(all[values[0]] ?? []);
    },
    all,
  };
}

/** Appends the values. @returns a text that is equal for equal shapes alone: no name has a comma or a brace */
function collect(object: object, values: unknown[]): string {
  let key = "";
  for (const [name, value] of Object.entries(object)) {
    if (isObject(value)) {
      key += `${name}{${collect(value, values)}}`;
      continue;
    }
    key += `${name},`;
    values.push(value);
  }
  return key;
}

const keyOf = (shape: Shape): string =>
  shape
    .map((member) => (typeof member === "string" ? `${member},` : `${member[0]}{${keyOf(member[1])}}`))
    .join("");

const shapeOf = (object: object): Shape =>
  Object.entries(object).map(([name, value]) => (isObject(value) ? [name, shapeOf(value)] : name));

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
