/**
 * What a page of ours may do in a browser: load its own files, ask this very service, and run one inline script whose
 * bytes are known. http.md, "Pages".
 * @module
 */

/**
 * A console's program writes styles as it goes, which no hash can foresee, draws from data addresses, and makes workers
 * of texts of its own.
 *
 * @param scriptHash CSP source of the inline script
 */
export function pagePolicy(scriptHash: string, hasConsole: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHash}`,
    ...(hasConsole
      ? ["style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "font-src data:", "worker-src blob:"]
      : ["style-src 'self'", "img-src 'self'"]),
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
