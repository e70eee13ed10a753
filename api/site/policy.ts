/**
 * What a page of ours may do in a browser: load its own files, ask this very service, and run one inline script whose
 * bytes are known. http.md, "Pages".
 * @module
 */

/** @param scriptHash CSP source of the inline script */
export function pagePolicy(scriptHash: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHash}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
