/**
 * The certificate that a host shows.
 * @module
 */
import { connect } from "node:tls";

export type Certificate = {
  /** seconds since the epoch, after which it is not valid */
  readonly validTo: number;
  /** why it is not trusted, in OpenSSL's words; null: it is */
  readonly refusal: string | null;
};

/** Null when nobody there speaks TLS in time. */
export function certificateOf({ hostname, port }: URL, timeout: number): Promise<Certificate | null> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve) => {
    // Refused ones are looked at too.
    const options = { host, port: Number(port) || 443, servername: host, rejectUnauthorized: false, timeout };
    const socket = connect(options, () => {
      const { valid_to } = socket.getPeerCertificate();
      const refusal = socket.authorized ? null : String(socket.authorizationError);
      socket.destroy();
      resolve(valid_to === undefined ? null : { validTo: Date.parse(valid_to) / 1000, refusal });
    });
    for (const event of ["error", "timeout", "close"] as const) {
      socket.once(event, () => {
        socket.destroy();
        resolve(null);
      });
    }
  });
}
