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

/** Makes objects of a shape. V8 compiles a literal to one copy, while members that are added by name take ten times as long. */
function makerOf(shape: Shape): (values: Values) => object {
  let place = 1;
  const literalOf = (of: Shape): string => {
    const members = of.map((member) => {
      const [name, inner] = typeof member === "string" ? [member, null] : member;
      return `${JSON.stringify(name)}:${inner === null ? `values[${place++}]` : literalOf(inner)}`;
    });
    return `{${members.join(",")}}`;
  };
  return new Function("values", `return ${literalOf(shape)}`) as (values: Values) => object;
}

/** @param known those of the values that are there already */
export function createShapes(known: readonly Shape[] = []): Shapes {
  const all = [...known];
  const numbers = new Map(all.map((shape, number) => [keyOf(shape), number]));
  /** by the number of members, of the last object with so many: almost all have the same */
  const last = new Map<number, number>();
  /** by the number of a shape */
  const makers: ((values: Values) => object)[] = [];

  const numberOf = (object: object): number => {
    const shape = shapeOf(object);
    const key = keyOf(shape);
    const number = numbers.get(key) ?? all.push(shape) - 1;
    numbers.set(key, number);
    return number;
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
    unpack(values) {
      const [number] = values;
      makers[number] ??= makerOf(all[number] ?? []);
      return makers[number](values);
    },
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
