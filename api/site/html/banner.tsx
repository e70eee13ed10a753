/** @jsxImportSource hono/jsx */
/** What a page says of its own figures: that they lag behind the chain, and on paper their time. @module */
import type { Sync } from "../system/sync.ts";
import { formatTime } from "../times.ts";

/** Contains a capital letter, so that it never equals an anchor of the knowledge base. */
const SYNC_ID = "syncState";

/** Shown while the figures lag behind the chain's head. It is on every page, so that the refresh finds it. */
export function Banner({ sync }: { sync: Sync }) {
  return (
    <div id={SYNC_ID} class="banner" data-state={sync.state} role="status">
      {sync.state !== "ok" && (
        <>
          <p>{sync.text}</p>
          {sync.percent !== null && sync.percent < 100 && (
            <progress max={100} value={sync.percent} aria-label="Blocks indexed">
              {sync.percent}%
            </progress>
          )}
        </>
      )}
    </div>
  );
}

/** The URL of a print, and the time of its figures, ISO 8601; null where they are not of the chain. */
export type Printed = { url: string; asOf: string | null };

/** On paper only. */
export function PrintNote({ url, asOf }: Printed) {
  return (
    <p class="print-note" data-markdown-ignore="">
      {url}
      {asOf !== null && ` · figures as of ${formatTime(asOf)}, by the time of the blockchain`}
    </p>
  );
}
