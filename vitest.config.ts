import { defineConfig } from "vitest/config";

/** A timeout is there to end what hangs; how fast a test or its set-up is, coverage and other work on the box decide. */
const within = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });
const fast = ["unit", "property", "golden", "contract", "architecture", "simulation"];

export default defineConfig({
  test: {
    // Vitest leaves one core to itself, which is half of a box with two.
    maxWorkers: "100%",
    projects: [
      { test: { name: "unit", include: fast.map((folder) => `test/${folder}/**/*.test.ts`), ...within(60_000) } },
      { test: { name: "integration", include: ["test/integration/**/*.test.ts"], ...within(60_000) } },
      {
        test: {
          name: "kafka",
          include: ["test/kafka/**/*.test.ts"],
          globalSetup: "test/servers/kafka-global-setup.ts",
          ...within(120_000),
          // Each file may start brokers of its own, and a broker that must wait for a core seems dead to the others.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "s3",
          include: ["test/s3/**/*.test.ts"],
          globalSetup: "test/servers/s3-global-setup.ts",
          ...within(120_000),
        },
      },
    ],
    coverage: {
      include: ["src/**/*.ts"],
      exclude: ["src/cli/**"],
      reporter: ["text-summary"],
      thresholds: { lines: 90, branches: 90 },
    },
  },
});
