/** @module Registries where a test or a bench cannot wait for one. The product reads a document in steps. */
import { createDraft, type Draft } from "../../api/registry/draft.ts";
import { addMembers, parseJson, setTop } from "../../api/registry/parse.ts";
import type { Parsed } from "../../api/registry/parsed.ts";
import type { Registry } from "../../api/registry/schema.ts";

/** @throws {RegistryError} unless the bytes are UTF-8 JSON that follows every rule of the registry */
export function parseRegistry(bytes: Uint8Array): Registry {
  const draft = createDraft();
  draft.setRaw(bytes);
  const json = parseJson(bytes);
  if (typeof json === "string") draft.problem(`the document ${json}`);
  else setTop(draft, addMembers(draft, json.value));
  return finishNow(draft).registry;
}

/** @throws {RegistryError} with the draft's problems */
export function finishNow(draft: Draft): Parsed {
  const steps = draft.finishing();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
