/**
 * Whether clients can call themselves what they like, behind which no rate limit holds.
 * @module
 */
import { connect } from "node:net";
import { createClientNamer } from "../../api/http/client-address.ts";
import type { Settings } from "../../config/environment.ts";
import type { Ask } from "./ask.ts";
import type { Notes } from "./notes.ts";

/** Of a network for examples (RFC 5737): nobody's. */
const NOBODYS = "203.0.113.";
const PATH = "/v1/health";

type Parameters = { readonly ask: Ask; readonly timeout: number; readonly notes: Notes };

/** Sends an address of its own choice in X-Forwarded-For, and looks whose requests are counted. */
export async function examineClientNames(
  settings: Settings,
  { ask, timeout, notes }: Parameters,
): Promise<void> {
  const { rateLimit, trustedProxies, publicUrl } = settings;
  if (rateLimit === null || trustedProxies.length === 0) return;
  const invented = `${NOBODYS}${1 + Math.floor(Math.random() * 254)}`;
  const own = await addressTowards(new URL(publicUrl), timeout);
  const clientOf = createClientNamer(trustedProxies);
  const here = { headers: { "x-forwarded-for": invented }, socket: { remoteAddress: own ?? undefined } };
  // From a trusted address it is believed, and says nothing of others.
  if (own === null || clientOf(here) === invented) return;
  const plain = await leftOf(ask, {});
  const named = await leftOf(ask, { "x-forwarded-for": invented });
  notes.fact("rate limit", { perMinute: rateLimit, left: plain });
  if (plain === null || named === null || named !== rateLimit - 1 || plain >= named) return;
  const what = "believes clients who they are: the proxy passes their X-Forwarded-For on as it is";
  const remedy =
    "Have the proxy add the client's address at the end of X-Forwarded-For ($proxy_add_x_forwarded_for in nginx).";
  notes.problem("TRUSTED_PROXIES", what, remedy);
}

/** Requests that the client has left. */
async function leftOf(ask: Ask, headers: Record<string, string>): Promise<number | null> {
  const response = await ask(PATH, { headers });
  const left = /\br=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1];
  return left === undefined ? null : Number(left);
}

/** The address of this machine that a server sees. */
function addressTowards({ hostname, port, protocol }: URL, timeout: number): Promise<string | null> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80), timeout });
    const end = (address: string | null) => {
      socket.destroy();
      resolve(address);
    };
    socket.once("connect", () => end(socket.localAddress ?? null));
    socket.once("error", () => end(null));
    socket.once("timeout", () => end(null));
  });
}
