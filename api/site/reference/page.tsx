/** @jsxImportSource hono/jsx */
/**
 * The frame of the API reference: everything else is drawn by Swagger UI.
 * @module
 */
import type { Link } from "../../discovery/links.ts";
import { assetPath } from "./assets.ts";

export type ReferencePageParameters = {
  /** canonical address of the page */
  canonical: string;
  siteName: string;
  /** of the assets */
  hash: string;
  links: readonly Link[];
};

/** The document, without its first line. */
export function ReferencePage({ canonical, siteName, hash, links }: ReferencePageParameters) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`API reference – ${siteName}`}</title>
        <meta
          name="description"
          content={`Every operation of the read interface of ${siteName}, to read and to try.`}
        />
        <link rel="canonical" href={canonical} />
        {links.map(({ rel, href, type }) => (
          <link rel={rel} href={href} type={type} />
        ))}
        <link rel="stylesheet" href={assetPath(hash, "swagger-ui.css")} />
        <link rel="stylesheet" href={assetPath(hash, "reference.css")} />
        <script src={assetPath(hash, "reference.js")}></script>
        <script src={assetPath(hash, "swagger-ui-bundle.js")} defer></script>
      </head>
      <body>
        <header class="site-header">
          <a href="/">{siteName}</a>
          <a href="/developers">For developers</a>
        </header>
        <div id="reference">
          <noscript>
            <p class="without-script">
              The reference is drawn by a script. Without one, read <a href="/developers">the operations</a>{" "}
              or <a href="/openapi.json">the description itself, in OpenAPI</a>.
            </p>
          </noscript>
        </div>
      </body>
    </html>
  );
}
