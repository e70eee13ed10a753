/** @module The endpoints that have left something out lately, for `/v1/health`. */

/** Milliseconds after which an endpoint that has left nothing out since is well again. */
const LASTS = 600_000;

export type Omissions = {
  /** @param host without credentials, path and query */
  note(host: string): void;
  /** in alphabetical order */
  current(): string[];
};

export function createOmissions(lasts = LASTS): Omissions {
  const noted = new Map<string, number>();
  return {
    note: (host) => void noted.set(host, performance.now()),
    current() {
      for (const [host, at] of noted) if (performance.now() - at > lasts) noted.delete(host);
      return [...noted.keys()].sort();
    },
  };
}
