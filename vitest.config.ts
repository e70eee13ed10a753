import { defineConfig } from "vitest/config";

/** Quick and pure, and those that need a chain: `npm run test:unit` runs the first, `npm test` both. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/harness/summary-reporter.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["{api,audit,client,config,daemon,src}/**/*.test.ts", "test/{unit,model}/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "integration",
          include: ["test/{contracts,integration,conformance}/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each file has a chain and an indexer of its own; two cores carry one at a time.
          fileParallelism: false,
        },
      },
    ],
  },
});
