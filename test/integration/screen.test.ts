import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { singleAnswer } from "../fakes/single-answer.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../support/http-server.ts";
import {
  anotherItem,
  answerNothingFound,
  FAKE,
  genuine,
  inputOf,
  lookalike,
  ndjson,
  REAL,
  TRON_FAKE,
  TRON_REAL,
} from "../support/screening.ts";
import { outcomesIn, verdictsIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

test("--report makes the report at the end of the run", async () => {
  const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));

  const { status, stdout } = await run(["screen", file, "--out", out, "--report"]);

  expect(status).toBe(0);
  expect(stdout).toMatch(/^report {4}\S+report\.html \(SHA-256 [\da-f]{12}\)$/m);
  expect(await readFile(path.join(out, "report.html"), "utf8")).toContain("mimics_user");
});

describe("every format of input gives verdicts with the embedded service", () => {
  test("NDJSON gives verdicts", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike));

    const { status, stdout } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
    expect(stdout).toContain("Every event was read and every required check answered.");
    const [allowed, blocked] = await verdictsIn(out);
    expect(allowed?.checks).toMatchObject([{ check: "poisoning", outcome: "ok", attempts: 1 }]);
    expect(blocked?.reasons[0]?.resembles).toBe(REAL.toLowerCase());
  });

  test("CSV gives verdicts", async () => {
    const csv = `chain,address,user_addresses\neth,${REAL},${REAL}\ntron,${TRON_FAKE},${TRON_REAL}\n`;
    const { file, out } = await inputOf("events.csv", csv);

    const { status } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["2 ALLOW", "3 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
  });

  test("a bare list with --chain and --user gives verdicts", async () => {
    const { file, out } = await inputOf("list.txt", `# paid last week\n${REAL}\n\n${FAKE}\n`);

    const { status } = await run(["screen", file, "--out", out, "--chain", "eth", "--user", REAL]);

    expect(await outcomesIn(out)).toEqual(["2 ALLOW", "4 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
  });

  test("standard input gives verdicts", async () => {
    const out = path.join(await emptyFolder(), "out");

    const { status } = await run(["screen", "-", "--out", out], {}, ndjson(genuine, lookalike));

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect((await verdictsIn(out))[0]?.source).toEqual({ file: "stdin", line: 1 });
    expect(status).toBe(0);
  });

  test("a packed file gives verdicts", async () => {
    const { file, out } = await inputOf("events.ndjson.gz", gzipSync(ndjson(genuine, lookalike)));

    const { status } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning"]);
    expect(status).toBe(0);
  });

  test("an empty file gives no verdict and succeeds", async () => {
    const { file, out } = await inputOf("events.ndjson", "");

    const { status, stdout } = await run(["screen", file, "--out", out]);

    expect(await outcomesIn(out)).toEqual([]);
    expect(stdout).toContain("The input holds no events.");
    expect(status).toBe(0);
  });
});

test("an event that cannot be screened is UNKNOWN with its line and its reason, and the run continues", async () => {
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

test("the embedded service knows the operator's own label file", async () => {
  const { folder, file, out } = await inputOf("list.txt", `0x1111a3c5e7f9b1d2c4e6f8a0b2d4c6e8f0a12222\n`);
  const labels = path.join(folder, "mine.csv");
  await writeFile(
    labels,
    "chain,address,name,kind\n1,0x1111b9d7f5e3c1a0b8d6f4e2c0a9b7d5f3e12222,Cold wallet,exchange\n",
  );

  await run(["screen", file, "--out", out, "--chain", "1"], { LABELS_FILES: labels });

  expect(await outcomesIn(out)).toEqual(["1 BLOCK mimics_exchange is_poisoning"]);
});

test("a quota for clients does not limit a run with an embedded service", async () => {
  const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike, genuine, genuine));

  const { status } = await run(["screen", file, "--out", out], { SERVICE_RATE_LIMIT: "1/60min" });

  expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user is_poisoning", "3 ALLOW", "4 ALLOW"]);
  expect(status).toBe(0);
});

test("two screenings of one file have the same decisions and verdict ids", async () => {
  const { folder, file } = await inputOf("events.ndjson", ndjson(genuine, lookalike, "{"));
  const outs = [path.join(folder, "a"), path.join(folder, "b")];

  for (const out of outs) await run(["screen", file, "--out", out]);

  const [first, second] = await Promise.all(outs.map(verdictsIn));
  expect(second?.map(({ verdict_id, decision }) => [verdict_id, decision])).toEqual(
    first?.map(({ verdict_id, decision }) => [verdict_id, decision]),
  );
});

describe("a faulty service gives no ALLOW and exit status 1", () => {
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
      "ANSWER_INVALID",
    ],
    [
      "success without data",
      () => listen(answering((_request, response) => sendJson(response, 200, { code: "0", status: "ok" }))),
      "ANSWER_INVALID",
    ],
    ["another item", () => listen(answering(anotherItem)), "ANSWER_INVALID"],
  ])("no event is allowed when the service fails: %s", async (_name, url, code) => {
    const { status, stdout, stderr, outcomes } = await screenWith(await url());

    expect(outcomes).toEqual([`1 UNKNOWN ${code}`, `2 UNKNOWN ${code}`]);
    expect(status).toBe(1);
    expect(stdout).toContain(code);
    expect(stdout).toContain("The same command asks those again (exit status 1).");
    expect(stdout + stderr).not.toContain("hunter2");
  });
});

test("a used-up quota costs time, and no event loses its answer", async () => {
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

  expect(stdout).toContain(`pace      not settled yet: ${path.join(out, "quota.json")} keeps nothing of this run\n`);
  expect(await outcomesIn(out)).toEqual(["1 ALLOW", "2 BLOCK mimics_user"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^refusals for load +3 {2}\(3 × 429\)$/m);
}, 120_000);

test("a proxy that refuses fast requests by 503 costs no event its answer", async () => {
  const address = (line: number) => `0xd9a1c3788d81257612e2581a6ea0ada2${line.toString(16).padStart(8, "0")}`;
  const events = Array.from({ length: 80 }, (_, i) => ({ ...genuine, id: `${i}`, address: address(i) }));
  const { file, out } = await inputOf("events.ndjson", ndjson(...events));
  let takenAt = Number.NEGATIVE_INFINITY;
  let refused = 0;
  const url = await listen(
    answering((received, response) => {
      const now = performance.now();
      if (now - takenAt >= 50) {
        takenAt = now;
        const { address } = received.body === "" ? { address: FAKE } : JSON.parse(received.body);
        if (address === undefined) answerNothingFound(received, response);
        else sendJson(response, 200, singleAnswer(address));
      } else {
        refused++;
        response.writeHead(503, { "content-type": "text/html" }).end("<h1>503 Service Temporarily Unavailable</h1>");
      }
    }),
  );

  const { status } = await run(["screen", file, "--out", out], { SERVICE_URL: url, SERVICE_API_KEY: "k" });

  expect(new Set((await verdictsIn(out)).map(({ decision }) => decision))).toEqual(new Set(["ALLOW"]));
  expect(status).toBe(0);
  expect(refused).toBeGreaterThan(0);
}, 120_000);

test("an external service gets the key from a file, below its own base path", async () => {
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

test("an event with an id that occurs twice has one verdict", async () => {
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
