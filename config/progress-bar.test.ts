import { expect, it, vi } from "vitest";
import { progressBar } from "./progress-bar.ts";

it("changes no setting of the terminal, which Ctrl-C would leave changed", () => {
  const stderr = process.stderr;
  const isTerminal = stderr.isTTY;
  const write = vi.spyOn(stderr, "write").mockReturnValue(true);
  stderr.isTTY = true;
  const bar = progressBar("Reading the chain");
  bar.update(1, 2);
  const written = write.mock.calls.map(([text]) => String(text)).join("");
  bar.end();
  stderr.isTTY = isTerminal;
  write.mockRestore();
  expect(written).toContain("Reading the chain");
  // Such as the cursor's visibility and the wrapping of lines.
  expect(written).not.toContain("\u001b[?");
});
