// The checksum of a part of a large file, in a separate thread (columns-file.ts). Plain JavaScript: a thread has no loader for types.
import { readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { crc32 } from "node:zlib";

const { fd, start, end } = workerData;
const part = Buffer.allocUnsafeSlow(4 * 1024 * 1024);
let sum = 0;
for (let at = start, count = 1; at < end && count > 0; at += count) {
  count = readSync(fd, part, 0, Math.min(part.length, end - at), at);
  sum = crc32(part.subarray(0, count), sum);
}
parentPort.postMessage(sum);
