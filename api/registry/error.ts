/** @module The error of a registry that cannot be used. */

const MOST_PROBLEMS = 20;

/** Each problem begins with its path in the document, if it has one. None has a URL, and none the folder of a file: they reach `/v1/health`. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  /** The first 20 problems. */
  readonly problems: readonly string[];
  readonly total: number;

  /** @param total if more problems were found than are named */
  constructor(problems: readonly string[], total = problems.length) {
    const named = problems.slice(0, MOST_PROBLEMS);
    const rest = total - named.length;
    super([...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"));
    this.problems = named;
    this.total = total;
  }

  /** The first problem and the number of others, on one line. */
  get summary(): string {
    const [first = "unknown problem"] = this.problems;
    return this.total > 1 ? `${first} (and ${this.total - 1} more)` : first;
  }
}
