import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { chainSha256, type ObjectMetadata } from "../../src/archive/object.ts";
import { sha256 } from "../../src/kernel/sha256.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../support/http-server.ts";
import { lineOf, outcomesIn, verdictsIn } from "../support/verdicts.ts";
import { type Env, run, start } from "../support/weir.ts";

const REAL = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";
const FAKE = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
const TRON_REAL = "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo";
const TRON_FAKE = "TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo";
const BRIDGE_FAKE = "0x3eE1855219fEA0fF5560966AA95a5e6Cf00Fa585";

const genuine = { type: "address", chain_id: "1", address: REAL, user_addresses: [REAL] };
const lookalike = { type: "address", chain_id: "1", address: FAKE, user_addresses: [REAL] };
const ndjson = (...events: readonly (object | string)[]) =>
  events.map((event) => `${typeof event === "string" ? event : JSON.stringify(event)}\n`).join("");

/** A folder with an input file; output goes to `out` in it. */
async function inputOf(name: string, content: string | Uint8Array) {
  const folder = await emptyFolder();
  const file = path.join(folder, name);
  await writeFile(file, content);
  return { folder, file, out: path.join(folder, "out") };
}

describe("every format of input gives verdicts, with the service that ships", () => {
  test("NDJSON", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));

    const { status, stdout } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
    expect(stdout).toContain("Every event was read and every required check answered.");
    const [allowed, blocked] = await verdictsIn(out);
    expect(allowed?.checks).toMatchObject([{ check: "poisoning", outcome: "ok", attempts: 1 }]);
    expect(blocked?.reasons[0]?.resembles).toBe(REAL.toLowerCase());
  });

  test("CSV", async () => {
    const csv = `chain,address,user_addresses\neth,${REAL},${REAL}\ntron,${TRON_FAKE},${TRON_REAL}\n`;
    const { file, out } = await inputOf("events.csv", csv);

    const { status } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["2 ALLOW", "3 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
  });

  test("a bare list with --chain and --user", async () => {
    const { file, out } = await inputOf("list.txt", `# paid last week\n${REAL}\n\n${FAKE}\n`);

    const { status } = await run(["screen", file, "--out", out, "--chain", "eth", "--user", REAL]);

    expect(await outcomesIn(out)).toEqual(["2 ALLOW", "4 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
  });

  test("standard input", async () => {
    const out = path.join(await emptyFolder(), "out");

    const { status } = await run(["screen", "-", "--out", out], {}, ndjson(genuine, lookalike));

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect((await verdictsIn(out))[0]?.source).toEqual({ file: "stdin", line: 1 });
    expect(status).toBe(0);
  });

  test("a packed file", async () => {
    const { file, out } = await inputOf("events.ndjson.gz", gzipSync(ndjson(genuine, lookalike)));

    const { status } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
  });

  test("an empty file", async () => {
    const { file, out } = await inputOf("events.ndjson", "");

    const { status, stdout } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual([]);
    expect(stdout).toContain("The input holds no events.");
    expect(status).toBe(0);
  });
});

test("what cannot be screened is UNKNOWN with its line and its reason, and the run goes on", async () => {
  const events = ndjson(
    '{"type":"address","chain_id"',
    { ...genuine, chain_id: "no-such-chain" },
    { ...genuine, address: REAL.replace("A", "a") },
    { ...genuine, user_addresses: [REAL, "nonsense"] },
    { type: "transaction", chain_id: "bitcoin", transaction: {} },
    { ...genuine, token_address: "0xdAC17F958D2ee523a2206206994597C13D831ec7" },
    { ...lookalike, token_address: "0xdAC17F958D2ee523a2206206994597C13D831ec7" },
    genuine,
  );
  const { file, out } = await inputOf("events.ndjson", events);

  const { status, stdout } = await run(["screen", file, "--out", out]);

  expect(await outcomesIn(out)).toEqual([
    "1 UNKNOWN EVENT_MALFORMED",
    "2 UNKNOWN CHAIN_UNSUPPORTED",
    "3 UNKNOWN ADDRESS_INVALID",
    "4 UNKNOWN USER_ADDRESS_INVALID",
    "5 UNKNOWN SUBJECT_UNSUPPORTED",
    "6 UNKNOWN CHECK_UNSUPPORTED",
    "7 BLOCK mimics_user is_poisoning CHECK_UNSUPPORTED",
    "8 ALLOW",
  ]);
  const [broken, , , user] = await verdictsIn(out);
  expect(broken?.reasons[0]?.detail).toBe("line 1: not valid JSON");
  expect(user?.reasons[0]?.detail).toMatch(/^user_addresses\[1\]: /);
  expect(status).toBe(2);
  expect(stdout).toContain("exit status 2");
});

test("a label file of one's own is known to the service that ships", async () => {
  const { folder, file, out } = await inputOf("list.txt", `0x1111a3c5e7f9b1d2c4e6f8a0b2d4c6e8f0a12222\n`);
  const labels = path.join(folder, "mine.csv");
  await writeFile(
    labels,
    "chain,address,name,kind\n1,0x1111b9d7f5e3c1a0b8d6f4e2c0a9b7d5f3e12222,Cold wallet,exchange\n",
  );

  await run(["screen", file, "--out", out, "--chain", "1"], { LABELS_FILES: labels });

  expect(await outcomesIn(out)).toEqual(["1 BLOCK mimics_exchange is_poisoning"]);
});

test("a quota for clients does not hold for the run that starts a service for itself", async () => {
  const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike, genuine, genuine));

  const { status } = await run(["screen", file, "--out", out], { SERVICE_RATE_LIMIT: "1/60min" });

  expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning", "3 ALLOW", "4 ALLOW"]);
  expect(status).toBe(0);
});

test("two screenings of one file decide the same, with the same verdict ids", async () => {
  const { folder, file } = await inputOf("events.ndjson", ndjson(genuine, lookalike, "{"));
  const outs = [path.join(folder, "a"), path.join(folder, "b")];

  for (const out of outs) await run(["screen", file, "--out", out]);

  const [first, second] = await Promise.all(outs.map(verdictsIn));
  expect(second?.map(({ verdict_id, decision }) => [verdict_id, decision])).toEqual(
    first?.map(({ verdict_id, decision }) => [verdict_id, decision]),
  );
});

describe("a service that does not answer as it should gives no ALLOW and exit status 1", () => {
  const screenWith = async (url: string) => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, { ...genuine, user_addresses: undefined }));
    const ended = await run(["screen", file, "--out", out], { SERVICE_URL: url, SERVICE_API_KEY: "hunter2-hunter2" });
    return { ...ended, outcomes: await outcomesIn(out) };
  };

  test.each<[string, () => Promise<string>, string]>([
    ["nobody listens", deadUrl, "SERVICE_UNAVAILABLE"],
    ["500", () => listen(answering((_request, response) => sendJson(response, 500, {}))), "SERVICE_UNAVAILABLE"],
    [
      "garbage",
      () => listen(answering((_request, response) => response.end("<html>welcome</html>"))),
      "SERVICE_UNAVAILABLE",
    ],
    [
      "success without data",
      () => listen(answering((_request, response) => sendJson(response, 200, { code: "0", status: "ok" }))),
      "SERVICE_UNAVAILABLE",
    ],
    ["another item", () => listen(answering(anotherItem)), "ANSWER_INVALID"],
  ])("%s", async (_name, url, code) => {
    const { status, stdout, stderr, outcomes } = await screenWith(await url());

    expect(outcomes).toEqual([`1 UNKNOWN ${code}`, `2 UNKNOWN ${code}`]);
    expect(status).toBe(1);
    expect(stdout).toContain(code);
    expect(stdout).toContain("The same command asks those again (exit status 1).");
    expect(stdout + stderr).not.toContain("hunter2");
  });
});

test("a quota that is used up costs patience, and no event its answer", async () => {
  const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));
  let limited = 0;
  const url = await listen(
    answering((received, response) => {
      limited++;
      if (limited > 3) answerNothingFound(received, response);
      else sendJson(response, 429, {}, { "retry-after": "0" });
    }),
  );

  const { status, stdout } = await run(["screen", file, "--out", out], { SERVICE_URL: url, SERVICE_API_KEY: "k" });

  expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 ALLOW"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^429s +3$/m);
}, 120_000);

/** Answers each question about somebody else, with nothing to report. */
function anotherItem({ body }: Received, response: Parameters<typeof sendJson>[0]): void {
  const flags = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
  const data = body.includes("user_addresses")
    ? { target_addresses: [{ chain_id: "1", address: FAKE, ...flags }], token_addresses: [] }
    : {
        target_address: flags,
        token_address: {},
        target_address_input: FAKE,
        user_address_input: "",
        token_address_input: "",
      };
  sendJson(response, 200, { code: "0", status: "ok", data });
}

/** Answers each question about whom it asks, with nothing to report. */
function answerNothingFound({ body }: Received, response: Parameters<typeof sendJson>[0]): void {
  const flags = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
  const { target_addresses: targets } = JSON.parse(body) as { target_addresses: object[] };
  const data = { target_addresses: targets.map((target) => ({ ...target, ...flags })), token_addresses: [] };
  sendJson(response, 200, { code: "0", status: "ok", data });
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}

test("a service elsewhere is asked with the key from a file, below a path of its own", async () => {
  const received: Received[] = [];
  const url = await listen(answering(anotherItem, received));
  const { folder, file, out } = await inputOf("list.txt", `${FAKE}\n`);
  const key = path.join(folder, "key");
  await writeFile(key, "key-from-file\n");

  const env = { SERVICE_URL: `${url}/base/`, SERVICE_API_KEY_FILE: key };
  const { status } = await run(["screen", file, "--out", out, "--chain", "1"], env);

  expect(await outcomesIn(out)).toEqual(["1 ALLOW"]);
  expect(status).toBe(0);
  expect(received.map(({ url: at, headers }) => [at, headers["x-api-key"]])).toEqual([
    ["/base/v2/svc/address-poisoning", "key-from-file"],
  ]);
});

const LINES = 5_000;

/** 5,000 events: one in fifty is broken, one in seven a lookalike. */
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

  test("goes on where it stopped: one verdict a line, none twice, and an archive that tiles", async () => {
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

  test("that is finished is run again without a request, and adds nothing", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));
    await run(["screen", file, "--out", out]);
    const before = await readFile(path.join(out, "verdicts.ndjson"));

    const { status, stdout } = await run(["screen", file, "--out", out]);

    expect(await readFile(path.join(out, "verdicts.ndjson"))).toEqual(before);
    expect(stdout).toMatch(/^requests +0$/m);
    expect(stdout).toContain("(0 new objects)");
    expect(status).toBe(0);
  });

  test("and whose input has grown since screens what is new, and archives it after the rest", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    await appendFile(file, ndjson(lookalike));

    await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect(await expectArchiveOf(out)).toBe(2);
  });

  test("and was failed by its service is asked again, and the answer is the next revision", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike, genuine));
    let failures = 5;
    const url = await listen(
      answering((received, response) => {
        if (failures > 0 && received.body.includes(FAKE.toLowerCase())) {
          failures--;
          sendJson(response, 503, {});
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
      [{ file: "events.ndjson", line: 2 }, 1, "ALLOW"],
      [{ file: "events.ndjson", line: 3 }, 0, "ALLOW"],
    ]);
    expect(again.stdout).toContain("resumed: 2 of them were there before this run");
    await expectArchiveOf(out);
  }, 60_000);

  test("because its key was refused has settled nothing, and goes on with the right one", async () => {
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
      /^weir: stopped: the API key is refused: check SERVICE_API_KEY .*the same command goes on/m,
    );
    expect(none).toEqual([]);
    expect(right.status).toBe(0);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 ALLOW"]);
  });

  test("because its service died has at most the first failures of it, and goes on", async () => {
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
    expect(dead.stderr).toMatch(/^weir: stopped: the service gave no answer for .*the same command goes on/m);
    expect(settled).toBeLessThan(10);
    expect(elsewhere.stderr).toMatch(/^weir: stopped: the service gave no answer for /m);
    expect(alive.status).toBe(0);
    expect(alive.stdout).toMatch(/^ALLOW {2,}200$/m);
  }, 60_000);

  test("because its own service was killed stops at once, and goes on", async () => {
    const out = path.join(await emptyFolder(), "out");
    const running = start(["screen", "-", "--out", out], { LOG_LEVEL: "info" });
    await running.untilSaid(/"listening"/);
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

  test("takes the service that ships with it", async () => {
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

/** The archive's objects tile the log, chain by their hashes and hold its lines. @returns how many there are. */
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

describe("one directory is one run's", () => {
  test("a second run is refused while the first one lives", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    const first = start(["screen", "-", "--out", out], { LOG_LEVEL: "info" });
    await first.untilSaid(/"listening"/);

    const second = await run(["screen", file, "--out", out]);
    first.child.stdin.end(ndjson(genuine));

    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(`^weir: .*out is in use by process ${first.child.pid}: wait for it, or choose another --out\n$`),
    );
    expect((await first.ended).status).toBe(0);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW"]);
  });

  test("another input is refused", async () => {
    const { folder, file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    const other = path.join(folder, "other.ndjson");
    await writeFile(other, ndjson(lookalike));

    const { status, stderr } = await run(["screen", other, "--out", out]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/holds the verdicts of "events\.ndjson", not of "other\.ndjson": choose another --out/);
    expect(await outcomesIn(out)).toEqual(["1 ALLOW"]);
  });

  test("whose verdicts were taken away, but not their archive, is refused", async () => {
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

describe("a run goes on under the conditions that it was begun under", () => {
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

  test("the same policy, written otherwise, is the same", async () => {
    const { folder, file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    const policy = path.join(folder, "policy.json");
    const entries = Object.entries(JSON.parse(await readFile("data/policy.json", "utf8")) as object);
    await writeFile(policy, `${JSON.stringify(Object.fromEntries(entries.reverse()))}\n\n`);

    const { status, stderr } = await run(["screen", file, "--out", out], { POLICY_FILE: policy });

    expect(stderr).not.toContain("another policy");
    expect(status).toBe(0);
  });

  test("verdicts that do not say how they were begun are refused", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    await rm(path.join(out, "run.json"));

    const { status, stderr } = await run(["screen", file, "--out", out]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^weir: .*out holds verdicts without run\.json: choose another --out$/m);
  });

  test("other labels are told", async () => {
    const { folder, file, out } = await inputOf("events.ndjson", ndjson(genuine));
    await run(["screen", file, "--out", out]);
    const labels = path.join(folder, "labels.csv");
    await writeFile(labels, "chain,address,name,kind\n");

    const { status, stderr } = await run(["screen", file, "--out", out], { LABELS_FILES: labels });

    expect(status).toBe(0);
    expect(stderr).toMatch(/^weir: the label files have changed since this run was begun/m);
  });

  test("labels that no service would read are refused", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine));
    const env = { LABELS_FILES: "mine.csv", SERVICE_URL: "http://127.0.0.1:9", SERVICE_API_KEY: "k" };

    const { status, stderr } = await run(["screen", file, "--out", out], env);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^weir: LABELS_FILES is for the embedded service, and SERVICE_URL names another/);
  });
});

test("an event whose id comes twice has one verdict", async () => {
  const twice = { ...genuine, id: "order-7" };
  const { file, out } = await inputOf("events.ndjson", ndjson(twice, { ...lookalike, id: "order-8" }, twice, genuine));

  const { status, stdout } = await run(["screen", file, "--out", out]);
  const again = await run(["screen", file, "--out", out]);

  expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning", "4 ALLOW"]);
  expect(stdout).toContain("repeated: 1 more records repeat an event of the same id");
  expect([status, again.status]).toEqual([0, 0]);
});

test("--show prints what is not allowed, with its reasons", async () => {
  const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));

  const { stdout } = await run(["screen", file, "--out", out, "--show"]);

  expect(stdout).toMatch(/^BLOCK {3}line 2 .*\n +poisoning: mimics_user: /m);
  expect(stdout).not.toContain("line 1 ");
});

describe("a signal", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s stops a run that waits for its input, which can go on",
    async (signal) => {
      const out = path.join(await emptyFolder(), "out");
      const running = start(["screen", "-", "--out", out], { LOG_LEVEL: "info" });
      await running.untilSaid(/"listening"/);
      running.child.stdin.write(ndjson(genuine));
      await eventually(
        () => readFile(path.join(out, "verdicts.ndjson"), "utf8"),
        (text) => text.endsWith("\n"),
        "the first verdict",
      );

      running.child.kill(signal);
      const { status, stderr } = await running.ended;
      const resumed = await run(["screen", "-", "--out", out], {}, ndjson(genuine, lookalike));

      expect(status).toBe(1);
      expect(stderr).toContain("weir: stopped; the same command goes on where it stopped");
      expect(resumed.status).toBe(0);
      expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    },
  );
});

describe("help", () => {
  test.each<[readonly string[], readonly RegExp[]]>([
    [["--help"], [/^Usage: weir /, /screen/, /serve/, /demo/]],
    [
      ["screen", "--help"],
      [/^Usage: weir screen /, /--out <dir>/, /--chain <id>/, /--user/, /--token/, /Exit status: 0 clean, 2/],
    ],
    [
      ["serve", "--help"],
      [/^Usage: weir serve/, /SERVICE_API_KEYS/],
    ],
    [
      ["demo", "--help"],
      [/^Usage: weir demo/, /--out <dir>/],
    ],
  ])("of %j says what it does", async (args, patterns) => {
    const { status, stdout } = await run(args);

    expect(status).toBe(0);
    for (const pattern of patterns) expect(stdout).toMatch(pattern);
  });

  test("shows the version", async () => {
    const manifest = JSON.parse(await readFile(path.join(import.meta.dirname, "../../package.json"), "utf8"));

    expect((await run(["--version"])).stdout.trim()).toBe(manifest.version);
  });
});

describe("every mistake is one message that says what to do", () => {
  const absent = "/nowhere/events.ndjson";
  test.each<[string, readonly string[], Env, RegExp]>([
    ["no command", [], {}, /Usage: weir/],
    ["an unknown command", ["scren"], {}, /unknown command 'scren'[\s\S]*--help/],
    ["an unknown flag", ["screen", "-", "--chian", "1"], {}, /unknown option '--chian'[\s\S]*--help/],
    ["no file", ["screen"], {}, /missing required argument 'file'[\s\S]*--help/],
    ["an unknown format", ["screen", "-", "--format", "xml"], {}, /Allowed choices are ndjson, csv, list/],
    ["an absent file", ["screen", absent], {}, /^weir: cannot read \/nowhere\/events\.ndjson: ENOENT/],
    ["a bare list without --chain", ["screen", "LIST"], {}, /^weir: a bare list .* needs their chain: add --chain/],
    [
      "an unknown --chain",
      ["screen", "LIST", "--chain", "x"],
      {},
      /^weir: --chain x: unknown chain; give a decimal id/,
    ],
    [
      "an impossible --user",
      ["screen", "LIST", "--chain", "1", "--user", "x"],
      {},
      /^weir: --user x: no address on Ethereum/,
    ],
    [
      "an --out that is a file",
      ["screen", "LIST", "--chain", "1", "--out", "LIST"],
      {},
      /^weir: cannot make .*: choose another --out/,
    ],
    [
      "SERVICE_URL without a key",
      ["screen", "LIST"],
      { SERVICE_URL: "http://127.0.0.1:1" },
      /^weir: no API key: set SERVICE_API_KEY, or put one in a file and set SERVICE_API_KEY_FILE/,
    ],
    [
      "a bad SERVICE_URL",
      ["screen", "LIST"],
      { SERVICE_URL: "hunter2" },
      /^weir: bad environment: SERVICE_URL: must be an http or https URL/,
    ],
    [
      "a SERVICE_URL that others can listen in on",
      ["screen", "LIST", "--chain", "1"],
      { SERVICE_URL: "http://10.0.0.7", SERVICE_API_KEY: "k" },
      /^weir: SERVICE_URL is http, .*: use https, or set SERVICE_ALLOW_HTTP=true/,
    ],
    [
      "a SERVICE_URL of cloud metadata",
      ["screen", "LIST", "--chain", "1"],
      { SERVICE_URL: "http://169.254.169.254", SERVICE_API_KEY: "k", SERVICE_ALLOW_HTTP: "true" },
      /^weir: SERVICE_URL names a link-local address, as of cloud metadata/,
    ],
    [
      "no concurrency",
      ["screen", "LIST"],
      { SERVICE_CONCURRENCY: "0" },
      /^weir: bad environment: SERVICE_CONCURRENCY: /,
    ],
    ["an absent policy", ["screen", "LIST"], { POLICY_FILE: absent }, /^weir: cannot read the policy file \/nowhere/],
    ["a policy that is none", ["screen", "LIST"], { POLICY_FILE: "LIST" }, /^weir: cannot read the policy file /],
    [
      "an absent label file",
      ["screen", "LIST", "--chain", "1"],
      { LABELS_FILES: "/nowhere/a.csv" },
      /LABELS_FILES names \/nowhere\/a\.csv, which cannot be read: ENOENT.*correct it, or take it out/,
    ],
    [
      "serving without a key",
      ["serve"],
      {},
      /^weir: no API key: set SERVICE_API_KEYS, or put one in a file and set SERVICE_API_KEYS_FILE/,
    ],
    [
      "serving on a bad port",
      ["serve"],
      { PORT: "x", SERVICE_API_KEYS: "k" },
      /^weir: bad environment: PORT: must be a port number/,
    ],
  ])("%s", async (_name, args, env, message) => {
    const { folder, file } = await inputOf("list.txt", `${REAL}\n`);
    const fill = (text: string) => (text === "LIST" ? file : text);
    const out =
      args[0] === "screen" && args.length > 1 && !args.includes("--out") ? ["--out", path.join(folder, "out")] : [];

    const { status, stderr } = await run(
      [...args.map(fill), ...out],
      Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
    );

    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stderr).not.toContain("hunter2");
    expect(status).toBe(1);
  });
});

describe("weir serve", () => {
  const KEY = "key-of-this-test";
  const serve = (env: Env = {}) => start(["serve"], { PORT: "0", SERVICE_API_KEYS: KEY, ...env });
  const ask = async (url: string, address: string, key = KEY) => {
    const response = await fetch(`${url}/v2/svc/address-poisoning?chain_id=1&address=${address}`, {
      headers: { "x-api-key": key },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const urlOf = async (service: ReturnType<typeof serve>) => (await service.untilSaid(/"url":"(http:[^"]+)"/))[1] ?? "";

  test.each(["SIGTERM", "SIGINT"] as const)("answers with its key until %s ends it", async (signal) => {
    const service = serve();
    const url = await urlOf(service);

    const [known, stranger] = [await ask(url, BRIDGE_FAKE), await ask(url, BRIDGE_FAKE, "wrong")];
    service.child.kill(signal);

    expect(known).toMatchObject({ status: 200, body: { data: { target_address: { mimics_exchange: "1" } } } });
    expect(stranger.status).toBe(401);
    const { status, stdout, stderr } = await service.ended;
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain(KEY);
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });

  test("reads a label file that has changed without a restart, and keeps the old labels when it is broken", async () => {
    const file = path.join(await emptyFolder(), "mine.csv");
    const header = "chain,address,name,kind\n";
    await writeFile(file, header);
    const service = serve({ LABELS_FILES: file });
    const url = await urlOf(service);
    const suspect = "0x1111a3c5e7f9b1d2c4e6f8a0b2d4c6e8f0a12222";
    const flag = async () => JSON.stringify((await ask(url, suspect)).body).includes('"mimics_exchange":"1"');
    const before = await flag();

    await writeFile(file, `${header}1,0x1111b9d7f5e3c1a0b8d6f4e2c0a9b7d5f3e12222,Cold wallet,exchange\n`);
    await eventually(flag, (raised) => raised, "the new label");
    await writeFile(file, "garbage without a header\n1,2,3,4\n");
    await service.untilSaid(/mine\.csv[^\n]*header/);

    expect(before).toBe(false);
    expect(await flag()).toBe(true);
  });

  test("shows its metrics to operators where a port for them is set, and counts what it answered", async () => {
    const service = serve({ ADMIN_PORT: "0" });
    const [, admin = ""] = await service.untilSaid(/"url":"(http:[^"]+)","msg":"health and metrics are served"/);
    const [, url = ""] = await service.untilSaid(/"url":"(http:[^"]+)","keys":1/);
    await ask(url, BRIDGE_FAKE);
    const metrics = await (await fetch(`${admin}/metrics`)).text();

    expect(metrics).toMatch(/^weir_served_requests_total\{operation="poisoningQuery",status="200"\} 1$/m);
    expect(metrics).toMatch(/^process_cpu_seconds_total /m);
    expect((await fetch(`${admin}/livez`)).status).toBe(200);
  });

  test("says when its port is taken", async () => {
    const url = await urlOf(serve());

    const { status, stderr } = await run(["serve"], { PORT: new URL(url).port, SERVICE_API_KEYS: KEY });

    expect(status).toBe(1);
    expect(stderr).toMatch(/weir: cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/);
  });
});
