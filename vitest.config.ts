import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Quick and pure, those that need a chain, those that need a browser: `npm run test:unit` runs the first, `npm test` all. */
export default defineConfig({
  // As Node resolves it. Vite alone would take its ES modules: a second copy beside that of the packages that require it.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve("graphql")) }] },
  test: {
    reporters: ["default", "./test/harness/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{api,audit,client,config,daemon,src}/**/*.test.ts", "test/{unit,model}/**/*.test.ts"],
          testTimeout: 30_000,
          isolate: false,
          setupFiles: ["./test/harness/unit-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/{contracts,integration,conformance}/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each file has a chain and an indexer of its own; two cores carry one at a time.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A browser and a service at a time, as above.
          fileParallelism: false,
        },
      },
    ],
  },
});
