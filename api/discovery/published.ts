/**
 * A file at a fixed path whose bytes change only with the service itself.
 * @module
 */
import { type Body, createBody } from "../http/body.ts";

export type PublishedFile = {
  path: string;
  body: Body;
  /** beside those that every file has */
  headers?: Readonly<Record<string, string>>;
};

export const MARKDOWN_TYPE = "text/markdown; charset=utf-8";
export const PLAIN_TYPE = "text/plain; charset=utf-8";

export function textBody(type: string, text: string): Body {
  return createBody(type, Buffer.from(text));
}

/** JSON with line breaks: these files are read by people too. */
export function prettyBody(type: string, value: unknown): Body {
  return textBody(type, `${JSON.stringify(value, null, 2)}\n`);
}
