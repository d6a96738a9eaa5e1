/** The consumer of README acts on the verdict that counts, in whatever order verdicts arrive. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { standing } from "../support/standing-verdict.ts";

interface Shown {
  readonly verdict_id: string;
  readonly event_id: string;
  readonly revision: number;
  readonly decision: "ALLOW" | "WARN" | "UNKNOWN" | "BLOCK";
  readonly unanswered?: true;
}

const source = readFileSync("examples/verdict-consumer.mjs", "utf8").replace(/^import .*$/m, "");
const actions = { ALLOW: "release", WARN: "review", BLOCK: "stop", UNKNOWN: "wait" };

/** The actions of the example on these verdicts. Its client of Kafka is a fake that hands them over. */
async function actionsOn(verdicts: readonly Shown[]): Promise<readonly string[]> {
  const printed: string[] = [];
  class Kafka {
    consumer() {
      return {
        connect: async () => undefined,
        subscribe: async () => undefined,
        run: async ({ eachMessage }: { eachMessage: (record: object) => Promise<void> }) => {
          for (const verdict of verdicts)
            await eachMessage({ message: { value: Buffer.from(JSON.stringify(verdict)) } });
        },
      };
    }
  }
  const run = new Function("Kafka", "process", `return (async () => {${source}})();`);
  await run(Kafka, { stdout: { write: (text: string) => printed.push(text.trim()) } });
  return printed;
}

const base = { verdict_id: "v", event_id: "e" };
const all: readonly Shown[] = [0, 1].flatMap((revision) => [
  { ...base, revision, decision: "UNKNOWN" as const, unanswered: true as const },
  ...(["ALLOW", "WARN", "UNKNOWN", "BLOCK"] as const).map((decision) => ({ ...base, revision, decision })),
]);

test("of any two verdicts on one event, the last action is that of the verdict that counts", async () => {
  expect(all).toHaveLength(10);
  for (const one of all)
    for (const other of all) {
      const printed = await actionsOn([one, other]);
      expect(printed.at(-1)).toBe(`${actions[standing([one, other])?.decision ?? "UNKNOWN"]} e`);
    }
});

test("verdicts on other events are acted on by themselves, and a copy is no action", async () => {
  const [first] = all;
  if (first === undefined) throw new Error("no verdict");

  expect(await actionsOn([first, { ...first, verdict_id: "w", event_id: "f" }, first])).toEqual(["wait e", "wait f"]);
});
