/** @module Reads an answer of `/v1/stream`, no further than a test wants. */
import { framesOf, type StreamedFrame } from "./streamed-chain.ts";

export type StreamReader = {
  /** everything so far */
  text(): string;
  /** the whole events so far */
  frames(): readonly StreamedFrame[];
  /** Reads on until it is there. @throws when the stream ends before */
  until(isThere: (frames: readonly StreamedFrame[]) => boolean): Promise<void>;
  /** Reads to the end. @throws when the connection breaks before */
  toEnd(): Promise<void>;
  close(): Promise<void>;
};

export function readStream(response: Response): StreamReader {
  if (response.status !== 200) throw new Error(`no stream but ${response.status}`);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const frames: StreamedFrame[] = [];
  let text = "";
  let parsed = 0;
  const take = async () => {
    const piece = await reader?.read();
    text += decoder.decode(piece?.value, { stream: true });
    const end = text.lastIndexOf("\n\n") + 2;
    if (end > parsed) frames.push(...framesOf(text.slice(parsed, end)));
    parsed = Math.max(parsed, end);
    return piece?.done !== true;
  };
  return {
    text: () => text,
    frames: () => frames,
    async until(isThere) {
      while (!isThere(frames)) if (!(await take())) throw new Error(`it ended after ${text.slice(-500)}`);
    },
    async toEnd() {
      while (await take());
    },
    close: async () => reader?.cancel(),
  };
}

/** The answer as it is when it breaks off after this many events, or after the first head. */
export async function brokenOff(response: Response, events: number): Promise<Response> {
  if (!response.ok) return response;
  const stream = readStream(response);
  await stream.until((frames) => frames.length >= events || has("head")(frames));
  await stream.close();
  const wholeEvents = new RegExp(`^((?::.*\\n\\n)*event(?:.+\\n)+\\n){1,${events}}`).exec(stream.text());
  return new Response(wholeEvents?.[0], response);
}

/** Whether this many events of a kind have arrived. */
export const has =
  (event: string, times = 1) =>
  (frames: readonly StreamedFrame[]): boolean =>
    frames.filter((frame) => frame.event === event).length >= times;
