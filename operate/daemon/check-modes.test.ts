import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { warnOfModes } from "./check-environment.ts";

const folder = temporaryFolder();

it.each<[number, string | null]>([
  [0o600, null],
  [0o640, null],
  [0o660, null],
  [0o644, "can be read by every user of this machine (mode 644): it holds keys and passwords"],
  [0o602, "can be changed by every user of this machine (mode 602): it holds keys and passwords"],
  [0o666, "can be read and changed by every user of this machine (mode 666): it holds keys and passwords"],
])("the check of a file with the mode %o says %j", (mode, warning) => {
  const file = join(folder, "settings");
  writeFileSync(file, "");
  chmodSync(file, mode);
  const expected = warning === null ? [] : [{ variable: file, warning, remedy: `chmod 600 ${file}` }];
  expect(warnOfModes([file])).toEqual(expected);
});

it("says nothing of a file that is not there", () => {
  expect(warnOfModes([join(folder, "nowhere")])).toEqual([]);
});
