/**
 * Text that is valid in XML 1.0, on one line.
 * @module
 */
import { stripControl } from "../../../config/format/untrusted-text.ts";

/** `text` without control characters and characters that XML forbids; not escaped. */
export function textForXml(text: string): string {
  return stripControl(text.replace(/[\r\n\u2028\u2029]+/g, " "), { keepLineFeeds: false })
    .toWellFormed()
    .replaceAll(/[\uFFFE\uFFFF]/g, "");
}
