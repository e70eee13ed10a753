/**
 * A ledger file: every final event of some contracts, from which a new server folds its tables without reading them from the
 * chain (docs/decisions/0032-ledger-file.md).
 *
 * It is gzipped text with one JSON value per line: a header, then the events in the order of the chain, then their number and
 * the SHA-256 of all lines before. The same ledger gives the same text.
 * @module
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { type FiledEvent, fromLine, hexOf, LedgerFileError, problemIn, toLine } from "./ledger-line.ts";

const FORMAT = "raisebook-ledger";
const VERSION = 1;

const blockNumber = z.int().min(0);
const contract = z.strictObject({ address: hexOf(20), startBlock: blockNumber });
const headerSchema = z.strictObject({
  format: z.literal(FORMAT, "is no ledger file"),
  version: z.literal(VERSION, `is of another version than ${VERSION}`),
  chainId: z.int(),
  escrows: z.array(contract),
  escrowFactory: contract.nullable(),
  desk: contract.nullable(),
  /** identifies the recorded events (`ledgerKey` in `earlier.ts`) */
  ledgerKey: z.string(),
  /** the last block whose events are included */
  last: z.strictObject({ number: blockNumber, hash: hexOf(32) }),
  /** the factory's escrows, with the block of their announcement, in the order of the chain */
  escrowChildren: z.array(z.tuple([hexOf(20), blockNumber])),
  events: z.int().min(0),
});
const trailerSchema = z.strictObject({ events: z.int(), sha256: z.string() });

export type LedgerFileHeader = Omit<z.output<typeof headerSchema>, "format" | "version">;

export type LedgerFile = {
  header: LedgerFileHeader;
  /**
   * Reads the events; can be called more than once.
   * @throws {LedgerFileError} if an event is invalid or out of place
   */
  events(): AsyncGenerator<FiledEvent>;
};

/** Bytes. A reference number on the chain may be long, and the first line has each announced escrow in some 56 bytes. */
const LONGEST_LINE = 16_000_000;
const LONGEST_FIRST_LINE = 256_000_000;
const LINES_AT_ONCE = 1_000;
const LINE_FEED = 0x0a;
const CUT_OFF = "it ends too early: it was cut off";

/**
 * The text of a file with these events, before gzip.
 *
 * @throws if there are more or fewer events than the header says
 */
export async function* ledgerFileText(
  header: LedgerFileHeader,
  events: AsyncIterable<FiledEvent>,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let text = `${JSON.stringify({ format: FORMAT, version: VERSION, ...header })}\n`;
  let count = 0;
  for await (const event of events) {
    text += `${toLine(event)}\n`;
    count += 1;
    if (count % LINES_AT_ONCE > 0) continue;
    hash.update(text);
    yield text;
    text = "";
  }
  if (count !== header.events)
    throw new Error(`the ledger has ${header.events} events, and ${count} with their blocks`);
  const sha256 = hash.update(text).digest("hex");
  yield `${text}${JSON.stringify({ events: count, sha256 })}\n`;
}

/**
 * Reads a file to its end and compares it with its own SHA-256.
 *
 * @param open returns the bytes; called once for each reading
 * @throws {LedgerFileError} if it is not a ledger file, has another version, or is damaged or cut off
 */
export async function openLedgerFile(open: () => AsyncIterable<Uint8Array>): Promise<LedgerFile> {
  const hash = createHash("sha256");
  let header: LedgerFileHeader | null = null;
  let before: Buffer | null = null;
  let lines = 0;
  for await (const line of linesOf(open())) {
    header ??= headerOf(line);
    if (before !== null) hash.update(before).update("\n");
    before = line;
    lines += 1;
  }
  const trailer = before === null ? undefined : trailerSchema.safeParse(jsonOf(before)).data;
  if (header === null || trailer === undefined) throw new LedgerFileError(CUT_OFF);
  const events = lines - 2;
  if (trailer.sha256 !== hash.digest("hex") || trailer.events !== events || header.events !== events)
    throw new LedgerFileError("it is not what was exported: its SHA-256 is another");
  const known = header;
  return { header, events: () => eventsIn(open(), known) };
}

/** `openLedgerFile` for a file on disk. @throws the reason of the signal, also while events are read */
export function openLedgerFileAt(path: string, signal?: AbortSignal): Promise<LedgerFile> {
  return openLedgerFile(() => createReadStream(path, { signal }));
}

async function* eventsIn(
  bytes: AsyncIterable<Uint8Array>,
  header: LedgerFileHeader,
): AsyncGenerator<FiledEvent> {
  const checkPlace = createPlaceCheck(header);
  let number = 0;
  for await (const line of linesOf(bytes)) {
    number += 1;
    if (number === 1) continue;
    if (number > header.events + 1) return;
    let event: FiledEvent;
    try {
      event = fromLine(line.toString());
      checkPlace(event);
    } catch (error) {
      if (error instanceof LedgerFileError) error.message = `line ${number}: ${error.message}`;
      throw error;
    }
    yield event;
  }
}

/** Creates a function that checks each event in turn. */
function createPlaceCheck(header: LedgerFileHeader): (event: FiledEvent) => void {
  const { chainId, escrows, desk, escrowChildren, last } = header;
  const logOfChain = new RegExp(`^\\d{10}${`${chainId}`.padStart(16, "0")}\\d{32}5\\d{16}$`);
  // The start block of a listed escrow also applies if the factory announces it.
  const startOf = new Map<string, number>([
    ...escrowChildren,
    ...escrows.map(({ address, startBlock }) => [address, startBlock] as const),
  ]);
  let before: FiledEvent | null = null;

  const problemWith = ({ row, blockHash }: FiledEvent): string | null => {
    const { eventId, blockNumber, blockTime, escrowAddress, args } = row;
    if (!logOfChain.test(eventId)) return `is no log of chain ${chainId}`;
    if (blockNumber > BigInt(last.number)) return "is after the last block";
    // A log of the desk that could not be mapped is under the desk's own address.
    const isOfDesk = row.kind === "unmapped" && escrowAddress === desk?.address;
    const start = isOfDesk ? desk.startBlock : startOf.get(escrowAddress);
    if (start === undefined) return "is of another escrow";
    if ("desk" in args ? args.desk !== desk?.address : blockNumber < BigInt(start))
      return "is of another desk, or before the first block of its escrow";
    if (before === null) return null;
    const { row: earlier, blockHash: earlierHash } = before;
    if (eventId <= earlier.eventId || blockNumber < earlier.blockNumber)
      return "is not after the one before it";
    if (blockNumber > earlier.blockNumber) return null;
    return blockHash === earlierHash && blockTime === earlier.blockTime
      ? null
      : "has another block than its number";
  };
  return (event) => {
    const problem = problemWith(event);
    if (problem !== null) throw new LedgerFileError(`event ${event.row.eventId} ${problem}`);
    before = event;
  };
}

function headerOf(line: Buffer): LedgerFileHeader {
  const parsed = headerSchema.safeParse(jsonOf(line));
  if (!parsed.success) throw new LedgerFileError(`line 1: ${problemIn(parsed.error)}`);
  const { format, version, ...header } = parsed.data;
  const { escrowFactory, escrowChildren, last } = header;
  const isPossible = ([, block]: readonly [string, number]) =>
    escrowFactory !== null && block >= escrowFactory.startBlock && block <= last.number;
  if (!escrowChildren.every(isPossible))
    throw new LedgerFileError("line 1: an escrow was not announced by the factory in the blocks of the file");
  return header;
}

function jsonOf(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return null;
  }
}

/** The lines of a gzipped file, without their line feeds; each must have one. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let longest = LONGEST_FIRST_LINE;
  for await (const chunk of unpacked(bytes)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      yield size === 0 ? part : Buffer.concat([...parts, part]);
      [parts, size] = [[], 0];
      start = end + 1;
      longest = LONGEST_LINE;
    }
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > longest) throw new LedgerFileError("it has a line without end");
  }
  if (size > 0) throw new LedgerFileError(CUT_OFF);
}

async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const source = Readable.from(bytes);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw new LedgerFileError(CUT_OFF);
    if (code?.startsWith("Z_"))
      throw new LedgerFileError(`it cannot be unpacked (${message}): it is damaged, or no ledger file`);
    throw error;
  } finally {
    source.destroy();
  }
}
