import { expect, it } from "vitest";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { warnOfFewFiles } from "./open-files.ts";

const LIMITS = (soft: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             95963                95963                processes
Max open files            ${soft.padEnd(21)}1048576              files
`;

it("warns when the process may open fewer files than its streams and other connections take", () => {
  const warned = (streams: number, limits: () => string) => {
    const { log, lines } = recordedLog();
    warnOfFewFiles(streams, log, limits);
    return lines;
  };
  expect(warned(10_000, () => LIMITS("12499"))).toMatchObject([{ limit: 12_499, needed: 12_500 }]);
  for (const soft of ["12500", "1048576", "unlimited"])
    expect(warned(10_000, () => LIMITS(soft))).toEqual([]);
  const nowhere = () => {
    throw new Error("no such file");
  };
  expect(warned(10_000, nowhere)).toEqual([]);
});
