import { appendFile, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { chainSha256, type ObjectMetadata } from "../../src/archive/object.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, deadUrl, listen, sendJson } from "../support/http-server.ts";
import { answerNothingFound, FAKE, genuine, inputOf, lookalike, ndjson, REAL } from "../support/screening.ts";
import { lineOf, outcomesIn, verdictsIn } from "../support/verdicts.ts";
import { run, start } from "../support/weir.ts";

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}

const LINES = 6_000;

/** 5,000 events: one in fifty is broken, and one in seven is a lookalike. */
function manyEvents(): string {
  const events = Array.from({ length: LINES }, (_, i) => {
    if (i % 50 === 3) return "{broken";
    const address = i % 7 === 0 ? FAKE : `0x${(i + 1).toString(16).padStart(40, "5")}`;
    return { type: "address", chain_id: "1", address, user_addresses: [REAL], id: `event-${i + 1}` };
  });
  return ndjson(...events);
}

describe("a run that was killed", () => {
  const countIn = async (out: string) =>
    (await readFile(path.join(out, "verdicts.ndjson"), "utf8").catch(() => "")).split("\n").length - 1;

  test("a killed run continues where it stopped, with one verdict per line, no duplicates, and an archive without gaps", async () => {
    const { file, out } = await inputOf("events.ndjson", manyEvents());

    for (const enough of [500, 1_500]) {
      const running = start(["screen", file, "--out", out], { SERVICE_CONCURRENCY: "4" });
      await eventually(
        () => countIn(out),
        (count) => count >= enough,
        "verdicts of the run",
      );
      running.child.kill("SIGKILL");
      expect((await running.ended).status).toBe("SIGKILL");
      expect(await countIn(out)).toBeLessThan(LINES);
      await appendFile(path.join(out, "verdicts.ndjson"), '{"schema":"weir.verdict/1","verdict_id":"torn');
    }
    const before = await countIn(out);
    const { status, stdout } = await run(["screen", file, "--out", out]);

    const verdicts = await verdictsIn(out);
    expect(verdicts.map(lineOf)).toEqual(Array.from({ length: LINES }, (_, i) => i + 1));
    expect(new Set(verdicts.map(({ verdict_id, revision }) => `${verdict_id}/${revision}`)).size).toBe(LINES);
    expect(verdicts.filter(({ decision }) => decision === "UNKNOWN")).toHaveLength(LINES / 50);
    expect(status).toBe(2);
    expect(stdout).toContain(`resumed: ${before} of them were there before this run`);
    await expectArchiveOf(out);
  }, 120_000);

  test("a run that is killed in the middle has archived its full objects, and the next run archives the rest", async () => {
    const out = path.join(await emptyFolder(), "out");
    const running = start(["screen", "-", "--out", out]);
    running.child.stdin.write(manyEvents());
    await eventually(
      () => archivedIn(out),
      (names) => names.length > 0,
      "the first object of a run that goes on",
    );

    running.child.kill("SIGKILL");
    expect((await running.ended).status).toBe("SIGKILL");
    const before = await archivedIn(out);
    const { status } = await run(["screen", "-", "--out", out], {}, manyEvents());

    expect(before).toEqual(["00000000000000000000.meta.json"]);
    expect(status).toBe(2);
    expect(await expectArchiveOf(out)).toBe(2);
  }, 120_000);

  test("a finished run that runs again sends no request and adds nothing", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));
    await run(["screen", file, "--out", out]);
    const before = await readFile(path.join(out, "verdicts.ndjson"));

    const { status, stdout } = await run(["screen", file, "--out", out]);

    expect(await readFile(path.join(out, "verdicts.ndjson"))).toEqual(before);
    expect(stdout).toMatch(/^requests +0$/m);
    expect(stdout).toContain("(0 new objects)");
    expect(status).toBe(0);
  });

  test("a finished run with a grown input screens the new lines, and archives them after the rest", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    await appendFile(file, ndjson(lookalike));

    await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect(await expectArchiveOf(out)).toBe(2);
  });

  test("after a failure of its service, the run asks again, and the answer is the next revision", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike, genuine));
    let failures = 5;
    const url = await listen(
      answering((received, response) => {
        if (failures > 0 && received.body.includes(FAKE.toLowerCase())) {
          failures--;
          sendJson(response, 500, {});
        } else answerNothingFound(received, response);
      }),
    );
    const env = { SERVICE_URL: url, SERVICE_API_KEY: "k" };
    const first = await run(["screen", file, "--out", out], env);
    const again = await run(["screen", file, "--out", out], env);
    const third = await run(["screen", file, "--out", out], env);

    expect([first.status, again.status, third.status]).toEqual([1, 0, 0]);
    expect((await verdictsIn(out)).map(({ revision, decision, source }) => [source, revision, decision])).toEqual([
      [{ file: "events.ndjson", line: 1 }, 0, "ALLOW"],
      [{ file: "events.ndjson", line: 2 }, 0, "UNKNOWN"],
      // The service denies the lookalike, and the worker recognizes it.
      [{ file: "events.ndjson", line: 2 }, 1, "BLOCK"],
      [{ file: "events.ndjson", line: 3 }, 0, "ALLOW"],
    ]);
    expect(again.stdout).toContain("resumed: 2 of them were there before this run");
    await expectArchiveOf(out);
  }, 60_000);

  test("a run with a refused key completes no event, and continues with the right key", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));
    const url = await listen(
      answering((received, response) => {
        if (received.headers["x-api-key"] === "right") answerNothingFound(received, response);
        else sendJson(response, 401, {});
      }),
    );
    const wrong = await run(["screen", file, "--out", out], { SERVICE_URL: url, SERVICE_API_KEY: "wrong" });
    const none = await outcomesIn(out);
    const right = await run(["screen", file, "--out", out], { SERVICE_URL: url, SERVICE_API_KEY: "right" });

    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toMatch(
      /^weir: stopped: the API key is refused: check SERVICE_API_KEY .*the same command continues the run/m,
    );
    expect(none).toEqual([]);
    expect(right.status).toBe(0);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user"]);
  });

  test("a run with a service that died has at most the first failures of the service, and continues", async () => {
    const events = Array.from({ length: 200 }, (_, i) => ({
      ...genuine,
      address: `0x${String(i).padStart(40, "7")}`,
    }));
    const { file, out } = await inputOf("events.ndjson", ndjson(...events));
    const env = { SERVICE_URL: await deadUrl(), SERVICE_API_KEY: "k", SERVICE_PATIENCE: "500ms" };

    const dead = await run(["screen", file, "--out", out], env);
    const settled = (await outcomesIn(out)).length;
    const elsewhere = await run(["screen", file, "--out", out], { ...env, SERVICE_URL: await deadUrl() });
    const alive = await run(["screen", file, "--out", out], {});

    expect(dead.status).toBe(1);
    expect(dead.stderr).toMatch(
      /^weir: stopped: no request to the service succeeded for 1 s; last: .*the same command continues the run/m,
    );
    expect(settled).toBeLessThan(10);
    expect(elsewhere.stderr).toMatch(/^weir: stopped: no request to the service succeeded for /m);
    expect(alive.status).toBe(0);
    expect(alive.stdout).toMatch(/^ALLOW {2,}200$/m);
  }, 60_000);

  test("a run stops at once when its own service is killed, and continues later", async () => {
    const out = path.join(await emptyFolder(), "out");
    const running = start(["screen", "-", "--out", out], { LOG_LEVEL: "info" });
    await running.untilSaid(/"the service listens"/);
    const [child = 0] = await childrenOf(running.child.pid ?? 0);
    running.child.stdin.write(ndjson(genuine));
    await eventually(
      () => readFile(path.join(out, "verdicts.ndjson"), "utf8"),
      (text) => text.endsWith("\n"),
      "the first verdict",
    );
    process.kill(child, "SIGKILL");
    running.child.stdin.end(ndjson(lookalike));
    const { status, stderr } = await running.ended;
    const resumed = await run(["screen", "-", "--out", out], {}, ndjson(genuine, lookalike));

    expect(status).toBe(1);
    expect(stderr).toContain("weir: stopped: the embedded service ended (SIGKILL)");
    expect(resumed.status).toBe(0);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
  });

  test("a killed run takes its embedded service with it", async () => {
    const out = path.join(await emptyFolder(), "out");
    const running = start(["screen", "-", "--out", out], { LOG_LEVEL: "info" });
    const [, url = ""] = await running.untilSaid(/"url":"(http:[^"]+)"/);
    const isUp = () =>
      fetch(`${url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
    const before = await isUp();

    running.child.kill("SIGKILL");

    expect(before).toBe(true);
    await eventually(isUp, (up) => !up, "the service of a killed run");
  });
});

/** Names of the metadata of the archive objects. */
async function archivedIn(out: string): Promise<readonly string[]> {
  const names = await readdir(path.join(out, "archive"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".meta.json")).map((name) => path.basename(name));
}

/**
 * Checks that the archive objects tile the log, are chained by their hashes and hold the log's lines. @returns their
 * number.
 */
async function expectArchiveOf(out: string): Promise<number> {
  const root = path.join(out, "archive", "v1", "verdicts");
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".meta.json"));
  const sorted = names.sort((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1));
  let next = 0;
  let previous = "";
  const lines: Buffer[] = [];
  for (const name of sorted) {
    const metadata = JSON.parse(await readFile(path.join(root, name), "utf8")) as ObjectMetadata;
    const object = gunzipSync(await readFile(path.join(root, name.replace(".meta.json", ".ndjson.gz"))));
    expect(metadata).toMatchObject({ start: next, previous_sha256: previous, sha256: sha256(object) });
    expect(object.toString().split("\n").length - 1).toBe(metadata.count);
    next = metadata.end + 1;
    const key = `v1/verdicts/${name.replace(".meta.json", ".ndjson.gz")}`;
    previous = chainSha256({ key, metadata });
    lines.push(object);
  }
  expect(Buffer.concat(lines)).toEqual(await readFile(path.join(out, "verdicts.ndjson")));
  return sorted.length;
}
