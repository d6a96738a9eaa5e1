/** Sources that are mutated together, and the tests for each of their mutants. */
export interface Group {
  readonly name: string;
  readonly files: string;
  /** Run one after the other, until one fails. */
  readonly tests: readonly (readonly string[])[];
  /** Percent of mutants that must be killed; otherwise `--min`. */
  readonly min?: number;
}

/** Every file of src/worker is in one group, or in `leftOut`. */
export const groups: readonly Group[] = [
  {
    name: "findings",
    files: "src/worker/decide/{decide,kept-reasons,findings/**/*}.ts",
    tests: [["test/unit/worker/decide", "test/property/worker/decide"]],
    min: 100,
  },
  {
    name: "decide",
    files: "src/worker/decide/!(decide|kept-reasons).ts",
    tests: [["test/unit/worker/decide", "test/property/worker/decide"], ["test/unit/worker/screening"]],
  },
  {
    name: "solana-judge",
    files: "src/worker/decide/solana-judge/**/*.ts",
    tests: [["test/unit/worker/decide/solana-judge"]],
  },
  {
    name: "tron-judge",
    files: "src/worker/decide/tron-judge/*.ts",
    tests: [["test/unit/worker/decide/tron-judge"]],
  },
  {
    name: "offsets",
    files: "src/worker/offsets/*.ts",
    tests: [["test/unit/worker/offsets", "test/property/worker/offsets"]],
  },
  {
    name: "screening",
    files: "src/worker/screening/*.ts",
    tests: [["test/unit/worker/screening"], ["test/unit/worker/plan"]],
  },
  {
    name: "answers",
    files: "src/worker/answers/*.ts",
    tests: [
      ["test/unit/worker/answers", "test/property/worker/answers"],
      ["test/unit/worker/batching", "test/unit/worker/screening"],
    ],
  },
  {
    name: "plan",
    files: "src/worker/plan/**/*.ts",
    tests: [["test/unit/worker/plan", "test/property/worker/plan"], ["test/unit/worker/simulation"]],
  },
  {
    name: "checks",
    files: "src/worker/checks/*.ts",
    tests: [["test/unit/worker/checks"], ["test/unit/worker/screening", "test/unit/worker/plan"]],
  },
  {
    name: "retry",
    files: "src/kernel/retry.ts",
    tests: [["test/unit/kernel/retry.test.ts", "test/unit/worker/rate-limit"]],
  },
  {
    name: "rate-limit",
    files: "src/worker/rate-limit/**/!(health-probe).ts",
    tests: [
      ["test/unit/worker/rate-limit"],
      ["test/property/worker/rate-limit", "test/unit/worker/batching/poisoning-batcher.test.ts"],
    ],
  },
  { name: "consumer", files: "src/worker/consumer/**/*.ts", tests: [["test/unit/worker/consumer"]] },
  {
    name: "simulation",
    files: "src/worker/simulation/*.ts",
    tests: [
      ["test/unit/worker/simulation", "test/property/worker/simulation"],
      ["test/unit/worker/plan/plan-solana.test.ts"],
    ],
  },
  {
    name: "estimate",
    files: "src/worker/estimate/*.ts",
    tests: [["test/unit/worker/estimate", "test/unit/cli/estimate"]],
  },
  {
    name: "batching",
    files: "src/worker/batching/**/!(canary-pairs.generated).ts",
    tests: [["test/unit/worker/batching"], ["test/property/worker/batching"]],
  },
];

/** Files of src/worker without a group, each with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  "src/worker/rate-limit/gate/health-probe.ts": "one question, and another would do",
  "src/worker/observer.ts": "a port, and one that does nothing",
  "src/worker/ports.ts": "types only",
  "src/worker/worker.ts": "puts the parts together; the types say which, and the tests of the program run it",
  "src/worker/batching/calibration/canary-pairs.generated.ts": "generated data; tools/make/make-canaries.ts makes it",
};
