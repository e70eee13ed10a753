/**
 * The root of the public site, which also names the service in the registry's signature.
 * @module
 */
import { z } from "zod";
import { DEFAULT_HOST, DEFAULT_PORT, VARIABLES } from "./variables.ts";

type Values = { PUBLIC_URL?: string | undefined; HOST?: string | undefined; PORT?: number | undefined };

export function publicUrlOf({ PUBLIC_URL, HOST = DEFAULT_HOST, PORT = DEFAULT_PORT }: Values): string {
  return PUBLIC_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

const schemas = z
  .object({
    PUBLIC_URL: VARIABLES.PUBLIC_URL.schema,
    HOST: VARIABLES.HOST.schema,
    PORT: VARIABLES.PORT.schema,
  })
  .partial();

/** The same from an environment whose other values may be invalid; null if one of these is. */
export function publicUrlIn(env: Readonly<Record<string, string | undefined>>): string | null {
  const set = Object.entries(env).filter(([, text]) => text?.trim());
  const { data } = schemas.safeParse(Object.fromEntries(set.map(([name, text]) => [name, text?.trim()])));
  return data === undefined ? null : publicUrlOf(data);
}
