/** Sources that are mutated together, and what is run for each of their mutants. */
export interface Group {
  readonly name: string;
  readonly files: string;
  /** Run one after the other, until one fails. */
  readonly tests: readonly (readonly string[])[];
  /** Percent that must be killed; otherwise `--min`. */
  readonly min?: number;
}

/** Every file of src/worker is in one of them, or in `leftOut`. */
export const groups: readonly Group[] = [
  {
    name: "decide, findings",
    files: "src/worker/{decide,findings/*,kept-reasons}.ts",
    tests: [
      [
        "test/unit/worker/decide.test.ts",
        "test/unit/worker/kept-reasons.test.ts",
        "test/unit/worker/findings",
        "test/property/worker/decide.property.test.ts",
      ],
    ],
    min: 100,
  },
  {
    name: "ledger",
    files: "src/worker/ledger/*.ts",
    tests: [["test/unit/worker/ledger", "test/property/worker/ledger"]],
  },
  {
    name: "way of an event",
    files:
      "src/worker/{answers,check-entry,deadlines,fit-evidence,fit-verdict,held-bytes,json-size,lasting-answers,loop,next-ticket,outcome-entry,overdue-grace,owed-checks,question-key,record-identity,screener,screening,so-far,until-overdue,verdict-on,verdict-size,whole-record}.ts",
    tests: [
      [
        ...[
          "answers",
          "put-off",
          "screener",
          "screening",
          "so-far",
          "until-overdue",
          "deadlines",
          "overdue-grace",
          "owed-checks",
          "fit-evidence",
          "fit-verdict",
          "held-bytes",
          "json-size",
          "lasting-answers",
          "next-ticket",
        ].map(unitTest),
        "test/property/worker/fit-verdict.property.test.ts",
      ],
      [...["loop", "loop-tickets", "ask", "plan-evm"].map(unitTest)],
    ],
  },
  {
    name: "answer-cache",
    files: "src/worker/answer-cache.ts",
    tests: [[unitTest("answer-cache")], ["test/unit/worker/poisoning-pool/pool.test.ts"]],
  },
  {
    name: "plan",
    files:
      "src/worker/{addresses-within,plan,plan-*,refused-plan,required-checks,service-reach,unjudged-tron,subject,named-users,known-contracts,listed-entry,evm-reading,solana-reading,tron-reading}.ts",
    tests: [
      [
        ...["plan", "plan-evm", "plan-solana", "plan-tokens", "plan-tron", "service-reach", "subject"].map(unitTest),
        ...["listed-entry", "listed-evm", "listed-tron", "listed-solana"].map(unitTest),
        "test/property/worker/tron-integrity.property.test.ts",
      ],
      [
        "test/unit/worker/simulation-group",
        unitTest("evm-security"),
        unitTest("tron-security"),
        unitTest("solana-without-node"),
      ],
    ],
  },
  {
    name: "ask",
    files:
      "src/worker/{ask,ask-*,chain-prefixes,coalescer,failure-codes,imitators,leaving,recent-replies,service-errors,service-scales}.ts",
    tests: [
      [
        ...[
          "ask",
          "ask-harmless",
          "ask-parties",
          "ask-receivers",
          "ask-tokens",
          "coalescer",
          "evm-security",
          "imitators",
          "recent-replies",
        ].map(unitTest),
      ],
      [...["put-off", "screener", "solana-without-node"].map(unitTest)],
    ],
  },
  { name: "retry", files: "src/kernel/retry.ts", tests: [["test/unit/kernel/retry.test.ts", "test/unit/worker/pace"]] },
  {
    name: "poll",
    files: "src/worker/poll/*.ts",
    tests: [["test/unit/worker/poll", unitTest("loop-tickets"), unitTest("put-off")]],
  },
  {
    name: "pace",
    files: "src/worker/pace/*.ts",
    tests: [["test/unit/worker/pace"], ["test/property/worker/pace", "test/unit/worker/poisoning-pool/pool.test.ts"]],
  },
  { name: "group", files: "src/worker/group/*.ts", tests: [["test/unit/worker/group"]] },
  {
    name: "simulation-group",
    files: "src/worker/simulation-group/*.ts",
    tests: [["test/unit/worker/simulation-group", "test/property/worker/simulation-group"], [unitTest("plan-solana")]],
  },
  { name: "solana-judge", files: "src/worker/solana-judge/*.ts", tests: [["test/unit/worker/solana-judge"]] },
  {
    name: "forecast",
    files: "src/worker/forecast/*.ts",
    tests: [["test/unit/worker/forecast", "test/unit/cli/plan-report.test.ts"]],
  },
  {
    name: "poisoning-pool",
    files: "src/worker/poisoning-pool/!(canary-pairs.generated).ts",
    tests: [["test/unit/worker/poisoning-pool"], ["test/property/worker/poisoning-pool"]],
  },
];

/** What of src/worker is in no group, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  "src/worker/harmless-question.ts": "one question, and another would do",
  "src/worker/observer.ts": "a port, and one that does nothing",
  "src/worker/ports.ts": "types only",
  "src/worker/worker.ts": "puts the parts together; the types say which, and the tests of the program run it",
  "src/worker/poisoning-pool/canary-pairs.generated.ts": "generated data; scripts/make-canaries.ts makes it",
};

function unitTest(name: string): string {
  return `test/unit/worker/${name}.test.ts`;
}
