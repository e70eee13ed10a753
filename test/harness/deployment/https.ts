/** @module A client of HTTP/2 over TLS that believes one certificate. */
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from "node:http2";
import { connect as connectTcp } from "node:net";
import { buffer } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import type { Certificate } from "./certificate.ts";

export type HttpsAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export type HttpsClient = {
  ask(path: string, headers?: Record<string, string>, body?: string): Promise<HttpsAnswer>;
  /** Reads an answer, which need not end, until this text has come, and leaves. */
  readUntil(path: string, text: string): Promise<string>;
  [Symbol.dispose](): void;
};

/** @param localAddress by which the server knows the client */
export function httpsClient(port: number, { host, pem }: Certificate, localAddress: string): HttpsClient {
  const session: ClientHttp2Session = connect(`https://${host}:${port}`, {
    createConnection: () =>
      connectTls({
        socket: connectTcp({ host: "127.0.0.1", port, localAddress }),
        servername: host,
        ca: pem,
        ALPNProtocols: ["h2"],
      }),
  });
  // Its streams end with the same error.
  session.on("error", () => {});
  return {
    async ask(path, headers = {}, body) {
      const stream = session.request({
        [constants.HTTP2_HEADER_METHOD]: body === undefined ? "GET" : "POST",
        [constants.HTTP2_HEADER_PATH]: path,
        ...headers,
      });
      const answered = new Promise<IncomingHttpHeaders>((resolve, reject) => {
        stream.once("response", resolve).once("error", reject);
      });
      stream.end(body);
      const [received, read] = await Promise.all([answered, buffer(stream)]);
      return { status: Number(received[":status"]), headers: received, body: read };
    },
    async readUntil(path, text) {
      let read = "";
      for await (const piece of session.request({ [constants.HTTP2_HEADER_PATH]: path })) {
        read += piece;
        if (read.includes(text)) break;
      }
      return read;
    },
    [Symbol.dispose]: () => session.destroy(),
  };
}
