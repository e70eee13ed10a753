/** @module A stand-in for the app where people would sign: pages that explain what they stand in for. */
import { once } from "node:events";
import { createServer } from "node:http";
import { HOST } from "./chain.ts";

export type StandInParameters = {
  readonly port: number;
  /** The service's site, for the link back. */
  readonly siteUrl: string;
};

export type StandIn = {
  /** The value for `APP_URL`. */
  readonly url: string;
  stop(): Promise<void>;
};

const LISTING = /^\/listings\/lst_[A-Za-z0-9_-]{1,64}$/;

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'",
  "X-Robots-Tag": "noindex",
};

/** Listens on loopback. @throws if the port is taken */
export async function startStandIn({ port, siteUrl }: StandInParameters): Promise<StandIn> {
  const server = createServer(({ method, url = "/" }, response) => {
    const [path = "/"] = url.split("?");
    const isPage = path === "/" || LISTING.test(path);
    if (method !== "GET" && method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else {
      response
        .writeHead(isPage ? 200 : 404, HEADERS)
        .end(standInPage(isPage ? siteUrl + path : `${siteUrl}/`));
    }
  });
  server.listen(port, HOST);
  await once(server, "listening");
  return {
    url: `http://${HOST}:${port}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function standInPage(backUrl: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stand-in for the app</title>
<h1>This is a stand-in</h1>
<p>In a real deployment this is the app: here a person checks a raise, connects their own wallet, and signs, to subscribe or
to claim a refund. The demo has no such app. Nothing can be signed here, and no money moves.</p>
<p><a href="${backUrl}">Back to the open book</a></p>
</html>
`;
}
