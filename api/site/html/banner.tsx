/** @jsxImportSource hono/jsx */
/** @module A page's note on its own figures: that they lag behind the chain, and on paper their time. */
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
          <p>
            <SyncText sync={sync} />
          </p>
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

/** A refresh must not have every new block number read out. */
function SyncText({ sync: { text, progress } }: { sync: Sync }) {
  if (progress === null) return <>{text}</>;
  const at = text.indexOf(progress);
  return (
    <>
      {text.slice(0, at)}
      <span aria-live="off">{progress}</span>
      {text.slice(at + progress.length)}
    </>
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
