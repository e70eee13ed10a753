/** @module Values that a start leaves to the first request that needs them. */

/** Makes a value when it is first asked for, once. */
export function whenAsked<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
