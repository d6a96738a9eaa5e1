import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { genuine, inputOf, lookalike, ndjson } from "../support/screening.ts";
import { outcomesIn } from "../support/verdicts.ts";
import { run, start } from "../support/weir.ts";

describe("one directory belongs to one run", () => {
  test("a second run is refused while the first one lives", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    const first = start(["screen", "-", "--out", out], { LOG_LEVEL: "info" });
    await first.untilSaid(/"the service listens"/);

    const second = await run(["screen", file, "--out", out]);
    first.child.stdin.end(ndjson(genuine));

    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(`^weir: .*out is in use by process ${first.child.pid}: wait for it, or choose another --out\n$`),
    );
    expect((await first.ended).status).toBe(0);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW"]);
  });

  test("a directory of another input is refused", async () => {
    const { folder, file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    const other = path.join(folder, "other.ndjson");
    await writeFile(other, ndjson(lookalike));

    const { status, stderr } = await run(["screen", other, "--out", out]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/holds the verdicts of "events\.ndjson", not of "other\.ndjson": choose another --out/);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW"]);
  });

  test("a directory with an archive but without its verdicts is refused", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));
    await run(["screen", file, "--out", out]);
    await rm(path.join(out, "verdicts.ndjson"));

    const { status, stderr } = await run(["screen", file, "--out", out]);

    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^weir: the archive's v1\/verdicts\/dt=\S+\.ndjson\.gz does not hold the verdicts that stand in their place now: choose another --out$/m,
    );
  });

  test("another input of the same name is refused before anything is screened", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, genuine));
    await run(["screen", file, "--out", out]);
    await writeFile(file, ndjson(genuine, lookalike, lookalike));

    const { status, stderr } = await run(["screen", file, "--out", out]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^weir: .*line 2 .*choose another --out/m);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 ALLOW"]);
  });
});

describe("a run continues under the conditions of its start", () => {
  test("an input that lost lines is refused", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike, genuine));
    await run(["screen", file, "--out", out]);
    await writeFile(file, ndjson(genuine));

    const { status, stderr } = await run(["screen", file, "--out", out]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^weir: no longer in the input, though screened here before: 2 lines .*choose another/m);
  });

  test("another policy and another service are refused", async () => {
    const { folder, file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    const policy = path.join(folder, "policy.json");
    await writeFile(policy, (await readFile("data/policy.json", "utf8")).replace('"WARN"', '"BLOCK"'));

    const other = await run(["screen", file, "--out", out], { POLICY_FILE: policy });
    const elsewhere = await run(["screen", file, "--out", out], {
      SERVICE_URL: "http://127.0.0.1:9",
      SERVICE_API_KEY: "k",
    });

    expect([other.status, elsewhere.status]).toEqual([1, 1]);
    expect(other.stderr).toMatch(
      /^weir: the verdicts here were begun with another policy file .*choose another --out/m,
    );
    expect(elsewhere.stderr).toMatch(/^weir: the verdicts here were begun by the service embedded, not http:/m);
  });

  test("the same policy in another notation is accepted", async () => {
    const { folder, file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    const policy = path.join(folder, "policy.json");
    const entries = Object.entries(JSON.parse(await readFile("data/policy.json", "utf8")) as object);
    await writeFile(policy, `${JSON.stringify(Object.fromEntries(entries.reverse()))}\n\n`);

    const { status, stderr } = await run(["screen", file, "--out", out], { POLICY_FILE: policy });

    expect(stderr).not.toContain("another policy");
    expect(status).toBe(0);
  });

  test("verdicts without the record of their conditions are refused", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    await rm(path.join(out, "run.json"));

    const { status, stderr } = await run(["screen", file, "--out", out]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^weir: .*out holds verdicts without run\.json: choose another --out$/m);
  });

  test("other labels are reported", async () => {
    const { folder, file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    const labels = path.join(folder, "labels.csv");
    await writeFile(labels, "chain,address,name,kind\n");

    const { status, stderr } = await run(["screen", file, "--out", out], { LABELS_FILES: labels });

    // The existing verdicts were compared with the earlier file.
    expect(status).toBe(2);
    expect(stderr).toMatch(/^weir: the label or list files have changed since this run was begun/m);
  });

  test("unreadable labels are reported, whichever service is configured", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    const env = { LABELS_FILES: "mine.csv", SERVICE_URL: "http://127.0.0.1:9", SERVICE_API_KEY: "k" };

    const { status, stderr } = await run(["screen", file, "--out", out], env);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^weir: LABELS_FILES names mine\.csv, which cannot be read/);
  });
});

describe("a signal", () => {
  test.each([
    ["SIGTERM", 1],
    ["SIGINT", 130],
  ] as const)(
    "%s stops a run that waits for its input, the run can continue later, and its status is %d",
    async (signal, expected) => {
      const out = path.join(await emptyFolder(), "out");
      const running = start(["screen", "-", "--out", out], { LOG_LEVEL: "info" });
      await running.untilSaid(/"the service listens"/);
      running.child.stdin.write(ndjson(genuine));
      await eventually(
        () => readFile(path.join(out, "verdicts.ndjson"), "utf8"),
        (text) => text.endsWith("\n"),
        "the first verdict",
      );

      running.child.kill(signal);
      const { status, stderr } = await running.ended;
      const resumed = await run(["screen", "-", "--out", out], {}, ndjson(genuine, lookalike));

      expect(status).toBe(expected);
      expect(stderr).toContain("weir: stopped; the same command continues the run");
      expect(resumed.status).toBe(0);
      expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    },
  );
});
