/**
 * The part of the system page on the registry: the facts that are not on the chain.
 * @module
 */
import type { Health } from "../../health/schema.ts";
import type { Fact, Section } from "../page.ts";
import { code, count, text, word } from "../value.ts";

const UPDATE_WORDS: Record<Health["registry"]["status"], { text: string; note: string }> = {
  ok: { text: "Accepted", note: "The copy in use is the operator's latest." },
  refused: { text: "Refused", note: "It was not valid; the copy before it is in use." },
};

export function registrySection({ registry, unpublished, unprojectable }: Health): Section {
  const { status, version, originators, listings, problem } = registry;
  const facts: Fact[] = [
    {
      key: "registry.status",
      label: "Last update",
      value: word(UPDATE_WORDS[status].text, status),
      note: UPDATE_WORDS[status].note,
    },
    {
      key: "registry.version",
      label: "Version",
      value: code(version),
      note: "The beginning of the document's hash.",
    },
    { key: "registry.originators", label: "Businesses named", value: count(originators) },
    { key: "registry.listings", label: "Raises named", value: count(listings) },
    ...(problem === null ? [] : [{ key: "registry.problem", label: "Problem", value: text(problem) }]),
    {
      key: "unpublished",
      label: "Not published",
      value: count(unpublished),
      note: "Raises on the chain that the registry does not name: they are not shown.",
    },
    {
      key: "unprojectable",
      label: "Left out",
      value: count(unprojectable),
      note: "Raises that the registry names but that cannot be shown.",
    },
  ];
  return {
    id: "registry",
    title: "Registry",
    blocks: [
      {
        kind: "paragraph",
        text: "Names, titles and descriptions are not on the chain: the operator publishes them in a registry.",
      },
      { kind: "facts", look: "grid", facts },
    ],
  };
}
