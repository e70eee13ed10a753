/** @module PUBLIC_URL as others find it: this service, its certificate, and what a proxy or a cache makes of its answers. */

import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Health } from "../../api/health/schema.ts";
import { createClientNamer } from "../../api/http/client-address.ts";
import type { Settings } from "../../config/environment.ts";
import { countedDays } from "../../config/format/counted.ts";
import { SECONDS_A_DAY } from "../../config/format/time.ts";
import { bareHost } from "../../config/values.ts";
import { type Answer, type Ask, createAsk, failureOf } from "./ask.ts";
import { examineCaching } from "./caching.ts";
import { createNotes, type Notes } from "./notes.ts";
import { healthIn, type Running } from "./service.ts";

/** Days before the end of a certificate: Let's Encrypt's are renewed 30 days before. */
const SOON = 14;

type Parameters = { readonly timeout: number; readonly now: () => number; readonly running: Running | null };

export async function examinePublicAddress(
  settings: Settings,
  { timeout, now, running }: Parameters,
): Promise<Notes> {
  const notes = createNotes("public address");
  const { publicUrl } = settings;
  const ask = createAsk(publicUrl, timeout);
  const url = new URL(publicUrl);
  const isTrusted = url.protocol === "http:" || (await examineCertificate(url, { timeout, now }, notes));
  const health = await findService(settings, { ask, running, notes, isTrusted });
  if (health === null) return notes;
  const others = running === null ? "" : differences(health, running.health);
  if (running !== null && others !== "") {
    const what = `leads to another service than the one that listens on ${running.url} (${others})`;
    notes.problem("PUBLIC_URL", what, `Have the proxy there pass requests on to ${running.url}.`);
    return notes;
  }
  try {
    await examineLinksHome(ask, publicUrl, notes);
    await examineCaching(ask, notes);
    if (running !== null && running.url !== publicUrl)
      await examineClientNames(settings, { ask, timeout, notes });
  } catch (error) {
    const what = `answers some requests and not others (${failureOf(error)})`;
    notes.warn("PUBLIC_URL", what, "Look into the log of the proxy, and at its time limits.");
  }
  return notes;
}

/** Whether the service there makes its links with this address. */
async function examineLinksHome(ask: Ask, publicUrl: string, notes: Notes): Promise<void> {
  const sitemap = await ask("/sitemap.txt");
  const [link = ""] = sitemap.text.split("\n");
  if (sitemap.status !== 200 || !URL.canParse(link)) return;
  const { origin } = new URL(link);
  if (origin === publicUrl) return;
  const what = `is not what the service there calls itself, which is ${origin}`;
  const remedy = "Start the service again with this value, or set it to that address.";
  notes.problem("PUBLIC_URL", what, remedy, { PUBLIC_URL: origin });
}

/** Whether clients trust it. */
async function examineCertificate(
  url: URL,
  { timeout, now }: Pick<Parameters, "timeout" | "now">,
  notes: Notes,
): Promise<boolean> {
  const certificate = await certificateOf(url, timeout);
  // A missing answer is found out later.
  if (certificate === null) return true;
  const days = Math.floor((certificate.validTo - now()) / SECONDS_A_DAY);
  notes.fact("certificate", { daysLeft: days });
  const isOver = days < 0;
  if (isOver || certificate.refusal !== null) {
    const what = isOver
      ? `shows a certificate that expired ${countedDays(Math.floor((now() - certificate.validTo) / SECONDS_A_DAY))} ago`
      : `shows a certificate that clients do not trust (${certificate.refusal})`;
    const remedy = isOver
      ? "Renew the certificate, and have the proxy load it."
      : "Give the proxy a certificate of a public authority for this name, with its whole chain.";
    notes.problem("PUBLIC_URL", what, remedy);
  } else if (days < SOON) {
    const remedy = "Renew it now, and see why that did not happen by itself.";
    notes.warn("PUBLIC_URL", `shows a certificate that expires in ${countedDays(days)}`, remedy);
  }
  return !isOver && certificate.refusal === null;
}

type Finding = { ask: Ask; running: Running | null; notes: Notes; isTrusted: boolean };

/** The health of the service there; null when there is none, which is noted. */
async function findService(
  { publicUrl, host, port }: Settings,
  { ask, running, notes, isTrusted }: Finding,
): Promise<Health | null> {
  const id = `doctor-${crypto.randomUUID()}`;
  const local = running?.url ?? `http://${host}:${port}`;
  let response: Answer;
  try {
    response = await ask("/v1/health", { headers: { "x-request-id": id } });
  } catch (error) {
    if (!isTrusted) return null;
    const what = `does not answer (${failureOf(error)})`;
    const remedy =
      failureOf(error) === "ENOTFOUND"
        ? "Make a DNS record for this name, or correct the name."
        : publicUrl === local
          ? "Start the service."
          : `Start the service, and the proxy that passes ${publicUrl} on to ${local}.`;
    notes.warn("PUBLIC_URL", what, remedy);
    return null;
  }
  if (response.status >= 300 && response.status < 400) {
    const location = response.headers.get("location") ?? "";
    const { origin } = URL.canParse(location, publicUrl)
      ? new URL(location, publicUrl)
      : { origin: "nowhere" };
    const what = `redirects /v1/health to ${origin}: programs that do not follow it find nothing`;
    const proposal = origin.startsWith("https:") && origin !== publicUrl ? { PUBLIC_URL: origin } : undefined;
    notes.problem("PUBLIC_URL", what, "Set it to where it leads, or have the proxy answer here.", proposal);
    return null;
  }
  if ([502, 503, 504].includes(response.status)) {
    const what = `is a proxy that reaches no service (${response.status})`;
    notes.warn("PUBLIC_URL", what, `Start the service, or have the proxy pass requests on to ${local}.`);
    return null;
  }
  const health = healthIn(response.text);
  if (health === null) {
    const what = `is something else than this service: it answers /v1/health with ${response.status}`;
    notes.problem("PUBLIC_URL", what, `Have the proxy pass all paths on to ${local}, unchanged.`);
    return null;
  }
  if (response.headers.get("x-request-id") !== id) {
    const what = "is behind a cache that keeps answers which must not be kept (Cache-Control: no-store)";
    notes.warn("PUBLIC_URL", what, "Have the cache honour Cache-Control, or take it out.");
  }
  notes.fact(publicUrl, { status: health.status, version: health.version });
  return health;
}

/** The facts that a service does not change from one moment to the next. */
const STEADY = ["chainId", "version"] as const;

function differences(one: Health, other: Health): string {
  const registries = one.registry.version === other.registry.version ? [] : ["registry"];
  return [...STEADY.filter((name) => one[name] !== other[name]), ...registries].join(", ");
}

type Certificate = {
  /** seconds since the epoch, after which it is not valid */
  readonly validTo: number;
  /** why it is not trusted, in OpenSSL's words; null: it is */
  readonly refusal: string | null;
};

/** Null when the address does not speak TLS in time. */
function certificateOf({ hostname, port }: URL, timeout: number): Promise<Certificate | null> {
  const host = bareHost(hostname);
  return new Promise((resolve) => {
    // Refused ones are looked at too.
    const options = { host, port: Number(port) || 443, servername: host, rejectUnauthorized: false, timeout };
    const socket = connectTls(options, () => {
      const { valid_to } = socket.getPeerCertificate();
      const refusal = socket.authorized ? null : String(socket.authorizationError);
      socket.destroy();
      resolve(valid_to === undefined ? null : { validTo: Date.parse(valid_to) / 1000, refusal });
    });
    const fail = () => {
      socket.destroy();
      resolve(null);
    };
    for (const event of ["error", "timeout", "close"]) socket.once(event, fail);
  });
}

/** A network for examples (RFC 5737), in which no client is. */
const EXAMPLE_NETWORK = "203.0.113.";
const PATH = "/v1/health";

/** Sends an arbitrary address in X-Forwarded-For, and looks whose requests are counted. */
async function examineClientNames(
  settings: Settings,
  { ask, timeout, notes }: { ask: Ask; timeout: number; notes: Notes },
): Promise<void> {
  const { rateLimit, trustedProxies, publicUrl } = settings;
  if (rateLimit === null || trustedProxies.length === 0) return;
  const invented = `${EXAMPLE_NETWORK}${1 + Math.floor(Math.random() * 254)}`;
  const own = await addressTowards(new URL(publicUrl), timeout);
  const clientOf = createClientNamer(trustedProxies);
  const here = { headers: { "x-forwarded-for": invented }, socket: { remoteAddress: own ?? undefined } };
  // From a trusted address it is believed, and says nothing of others.
  if (own === null || clientOf(here) === invented) return;
  const plain = await leftOf(ask, {});
  const named = await leftOf(ask, { "x-forwarded-for": invented });
  notes.fact("rate limit", { perMinute: rateLimit, left: plain });
  if (plain === null || named === null || named !== rateLimit - 1 || plain >= named) return;
  const what =
    "trusts the address that clients claim to have: the proxy passes their X-Forwarded-For on as it is";
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
  const host = bareHost(hostname);
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
