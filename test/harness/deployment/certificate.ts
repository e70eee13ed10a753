/** @module A certificate that signs itself, by openssl, for a test. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Certificate = { host: string; pem: string };

/** Writes `fullchain.pem` and `privkey.pem`, as certbot names them. */
export function certificateFor(host: string, folder: string): Certificate {
  const file = join(folder, "fullchain.pem");
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", file];
  execFileSync("openssl", ["req", "-x509", ...key, "-days", "2", ...names, ...files], { stdio: "ignore" });
  return { host, pem: readFileSync(file, "utf8") };
}
