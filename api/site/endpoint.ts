/** @module Snippets, and an operation of the API reference, as parts of a page. */

export type Snippet = { label: string; language: string; text: string };

/** The same in several languages, of which the reader sees one. Each tab is named by its snippet's label. */
export type Tabs = {
  id: string;
  label: string;
  snippets: readonly Snippet[];
};

/** Texts have code in backticks. */
export type Endpoint = {
  method: string;
  /** from the root, perhaps with parameters in braces */
  path: string;
  description: string;
  parameters: readonly PropertyList[];
  /** by status, with what each means and the types of its body */
  answers: PropertyList;
  request: Tabs;
  /** the recorded request, a path from the root for a browser to open; null if it cannot be opened everywhere */
  open: string | null;
  /** complete; null if none is recorded */
  answer: Snippet | null;
  /** what of the answer is not shown */
  leftOut: string | null;
};

export type PropertyList = {
  title: string;
  properties: readonly Property[];
};

export type Property = {
  name: string;
  /** in words, such as "list of Listing"; empty if the name says it */
  type: string;
  /** where its type is described */
  href?: string | undefined;
  isOptional?: boolean;
  /** what it means; code in backticks */
  text: string;
  /** bounds, default, values; code in backticks */
  limits?: string;
};
