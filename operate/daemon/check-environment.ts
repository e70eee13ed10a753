/**
 * Values that can be used one by one, and together are probably not meant; and names that nothing reads.
 * @module
 */
import { type Environment, MEMORY, type Settings } from "../../config/environment.ts";
import type { Warning } from "../../config/problems.ts";
import { strayVariables } from "../../config/stray.ts";
import { isLoopbackHost } from "../../config/values.ts";
import type { VariableName } from "../../config/variables.ts";

/** @param env where the settings were read from */
export function warnOfEnvironment(env: Environment, settings: Settings): Warning[] {
  const { publicUrl, host, database, rateLimit, trustedProxies, metricsPort } = settings;
  const isPublic = !isLoopbackHost(new URL(publicUrl).hostname);
  const isSet = (name: VariableName) => Boolean(env[name]?.trim());
  const warnings = warnOfStray(env);
  const warn = (variable: VariableName, warning: string, remedy: string) =>
    void warnings.push({ variable, warning, remedy });

  if (isPublic && !isSet("APP_URL")) {
    const remedy = "Set it to the app where people sign.";
    warn("APP_URL", "is not set: nobody learns where to subscribe and sign", remedy);
  }
  if (!isPublic && !isLoopbackHost(host)) {
    const warning = `leads everybody to their own machine, and HOST (${host}) lets others in`;
    warn(
      "PUBLIC_URL",
      warning,
      "Set it to the address at which others reach the service, or HOST to 127.0.0.1.",
    );
  }
  if (database.kind === "pglite" && database.dataDirectory === MEMORY && isPublic) {
    const warning = "is memory://: each start reads the whole chain again";
    warn("RAISEBOOK_DATA_DIR", warning, "Name a directory, or a PostgreSQL database in DATABASE_URL.");
  }
  if (database.kind === "postgres" && isSet("RAISEBOOK_DATA_DIR")) {
    warn("RAISEBOOK_DATA_DIR", "is ignored, as DATABASE_URL is set", "Take one of the two out.");
  }
  if (database.kind === "pglite" && metricsPort !== null) {
    const warning = "is ignored without DATABASE_URL: the metrics are on OPERATOR_PORT";
    warn("METRICS_PORT", warning, "Take it out, and have Prometheus ask OPERATOR_PORT.");
  }
  if (rateLimit !== null && isBehindProxy(settings) && !trustsItsProxy(settings)) {
    const warning = "counts all clients as one: the proxy before the service is not in TRUSTED_PROXIES";
    warn(
      "RATE_LIMIT",
      warning,
      "Set TRUSTED_PROXIES to the address of the proxy, 127.0.0.1 on this machine.",
    );
  }
  if (trustedProxies.some((network) => network.endsWith("/0"))) {
    const warning =
      "trusts everybody: each client may call itself what it likes, and RATE_LIMIT limits nobody";
    warn("TRUSTED_PROXIES", warning, "Name the addresses of your own proxies alone.");
  }
  return warnings;
}

/** Whether something else answers at PUBLIC_URL: the service has no TLS, and one port. */
function isBehindProxy({ publicUrl, port }: Settings): boolean {
  const url = new URL(publicUrl);
  return url.protocol === "https:" || (Number(url.port) || 80) !== port;
}

/** Only a proxy of this machine reaches a service that listens on loopback. */
function trustsItsProxy({ host, trustedProxies }: Settings): boolean {
  const isTheirs = (network: string) =>
    !isLoopbackHost(host) || isLoopbackHost(network.replace(/\/.*/, "")) || network.endsWith("/0");
  return trustedProxies.some(isTheirs);
}

/** Of settings that cannot be read, too. */
export function warnOfStray(env: Environment): Warning[] {
  return strayVariables(env).map(({ name, meant }) => ({
    variable: name,
    warning: `is set, but nothing reads it${meant === null ? "" : `; did you mean ${meant}?`}`,
    remedy: meant === null ? `Take ${name} out.` : `Call it ${meant}, or take it out.`,
  }));
}
