/** @module The URLs at which the service is reached, from its settings. */
import { z } from "zod";
import { DEFAULT_CHAIN_ID, DEFAULT_HOST, DEFAULT_PORT } from "./defaults.ts";
import { VARIABLES } from "./variables.ts";

type Values = { PUBLIC_URL?: string | undefined; HOST?: string | undefined; PORT?: number | undefined };

/** The root of the public site. */
export function publicUrlOf({ PUBLIC_URL, HOST = DEFAULT_HOST, PORT = DEFAULT_PORT }: Values): string {
  return PUBLIC_URL ?? `http://${hostInUrl(HOST)}:${PORT}`;
}

export function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

const EVERYWHERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** The URL, on this machine, of a service that listens at this host and port; without a trailing slash. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  return `http://${hostInUrl(EVERYWHERE[host] ?? host)}:${port}`;
}

const { CHAIN_ID, PUBLIC_URL, HOST, PORT } = VARIABLES;
const schemas = z
  .object({ CHAIN_ID: CHAIN_ID.schema, PUBLIC_URL: PUBLIC_URL.schema, HOST: HOST.schema, PORT: PORT.schema })
  .partial();

/** The service for which a registry is signed. */
export type SignedFor = { readonly publicUrl: string; readonly chainId: number };

/** The same from an environment whose other values may be invalid; null if one of these is. */
export function signedForIn(env: Readonly<Record<string, string | undefined>>): SignedFor | null {
  const set = Object.entries(env).filter(([, text]) => text?.trim());
  const { data } = schemas.safeParse(Object.fromEntries(set.map(([name, text]) => [name, text?.trim()])));
  if (data === undefined) return null;
  return { publicUrl: publicUrlOf(data), chainId: data.CHAIN_ID ?? DEFAULT_CHAIN_ID };
}
