/**
 * Valid values that probably make no sense together, and unknown names.
 * @module
 */
import { type Environment, MEMORY, type Settings } from "../../config/environment.ts";
import type { Warning } from "../../config/problems.ts";
import { strayVariables } from "../../config/stray.ts";
import { isLoopbackHost } from "../../config/values.ts";
import type { VariableName } from "../../config/variables.ts";

/** @param env the source of the settings */
export function warnOfEnvironment(env: Environment, settings: Settings): Warning[] {
  const { publicUrl, host, database, rateLimit, trustedProxies, metricsPort } = settings;
  const isPublic = !isLoopbackHost(new URL(publicUrl).hostname);
  const isSet = (name: VariableName) => Boolean(env[name]?.trim());
  const warnings = warnOfStray(env);
  const warn = (variable: VariableName, warning: string, remedy: string) =>
    void warnings.push({ variable, warning, remedy });

  if (isPublic && !isSet("APP_URL")) {
    const remedy = "Set it to the app where people sign.";
    warn("APP_URL", "is not set: no page says where to subscribe and sign", remedy);
  }
  if (!isPublic && !isLoopbackHost(host)) {
    const warning = `leads every visitor to their own machine, and HOST (${host}) lets others in`;
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
  if (database.kind === "postgres" && isSet("RAISEBOOK_DATA_DIR"))
    warn("RAISEBOOK_DATA_DIR", "is ignored, as DATABASE_URL is set", "Take one of the two out.");
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
    const warning = "trusts every address: a client can claim any address, and RATE_LIMIT has no effect";
    warn("TRUSTED_PROXIES", warning, "Name only the addresses of your own proxies.");
  }
  return warnings;
}

/** Whether a proxy answers at PUBLIC_URL: the service has no TLS, and a single port. */
function isBehindProxy({ publicUrl, port }: Settings): boolean {
  const url = new URL(publicUrl);
  return url.protocol === "https:" || (Number(url.port) || 80) !== port;
}

/** Only a proxy on this machine can reach a service that listens on loopback. */
function trustsItsProxy({ host, trustedProxies }: Settings): boolean {
  const isTheirs = (network: string) =>
    !isLoopbackHost(host) || isLoopbackHost(network.replace(/\/.*/, "")) || network.endsWith("/0");
  return trustedProxies.some(isTheirs);
}

/** Also for settings that are invalid. */
export function warnOfStray(env: Environment): Warning[] {
  return strayVariables(env).map(({ name, meant }) => ({
    variable: name,
    warning: `is set, but nothing reads it${meant === null ? "" : `; did you mean ${meant}?`}`,
    remedy: meant === null ? `Take ${name} out.` : `Call it ${meant}, or take it out.`,
  }));
}
