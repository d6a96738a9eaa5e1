/** Lists of a compliance team: imported, screened against, stored in the archive, and changed. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { calldata } from "../support/evm-calls.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, listen } from "../support/http-server.ts";
import { answerNothingFound, FAKE, genuine, inputOf, ndjson, REAL } from "../support/screening.ts";
import { served } from "../support/served.ts";
import { verdictsIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

const listed = "0x7F367cC41522cE07553e823bf3be79A889DEbe1B";
const usdt = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const payment = (fields: object) => ({ type: "transaction", chain_id: "1", transaction: { from: REAL, ...fields } });
const events = ndjson(
  { type: "address", chain_id: "1", address: listed, user_addresses: [REAL] },
  payment({ to: listed, value: "1000000000000000000" }),
  payment({ to: usdt, data: calldata("transfer(address,uint256)", [listed, 5n]) }),
  genuine,
);

async function importedList(): Promise<string> {
  const list = path.join(await emptyFolder(), "ofac.csv");
  const sample = path.join(import.meta.dirname, "../fixtures/lists/sdn-advanced.xml");
  const { stderr } = await run(["labels", "import", sample, "--out", list]);
  expect(stderr).toContain("labels: 5 sanctioned");
  return list;
}

describe.each(["LISTS_FILES", "LABELS_FILES"])("an imported list, named in %s", (setting) => {
  test("a deposit from a listed address, and ETH and USDT to it, are blocked, and the archive holds the list", async () => {
    const { file, out } = await inputOf("events.ndjson", events);
    const list = await importedList();

    const { status, stdout } = await run(["screen", file, "--out", out], { [setting]: list });

    const verdicts = await verdictsIn(out);
    expect(verdicts.map(({ decision }) => decision)).toEqual(["BLOCK", "BLOCK", "BLOCK", "ALLOW"]);
    expect(verdicts[1]?.reasons[0]?.detail).toMatch(/is sanctioned by the list ofac\.csv of 2026-11-20: /);
    expect(stdout).toMatch(/^list {6}ofac\.csv of 2026-11-20 \(5 entries\)$/m);
    expect(status).toBe(0);
    const [id] = new Set(verdicts.map(({ lists }) => lists));
    const set: unknown = JSON.parse(await readFile(path.join(out, "archive", "lists", `${id}.json`), "utf8"));
    expect(set).toMatchObject({
      schema: "weir.lists/1",
      id,
      lists: [{ name: "ofac.csv", date: "2026-11-20", entries: 5 }],
    });
  });
});

test("a service that finds nothing and has no list clears no listed address", async () => {
  const { file, out } = await inputOf("events.ndjson", events);
  const url = await listen(answering(answerNothingFound));

  await run(["screen", file, "--out", out], {
    LISTS_FILES: await importedList(),
    SERVICE_URL: url,
    SERVICE_API_KEY: "k",
    SERVICE_QUOTA: "50/1s",
  });

  expect((await verdictsIn(out)).map(({ decision }) => decision)).toEqual(["BLOCK", "BLOCK", "BLOCK", "ALLOW"]);
});

test("the run's own service flags accused addresses, and excuses no allowed ones", async () => {
  const asked = (to: string) => ({ ...payment({ to, value: "1" }), checks: ["evm-security"] });
  const lookalike = { type: "address", chain_id: "1", address: FAKE, user_addresses: [REAL] };
  const { file, out } = await inputOf("events.ndjson", ndjson(asked(listed), asked(usdt), lookalike));
  const list = path.join(await emptyFolder(), "own.csv");
  const rows = [`evm,${listed},A party,sanctioned`, `evm,${FAKE},A wallet,allowed`];
  await writeFile(list, `chain,address,name,kind\n${rows.join("\n")}\n`);

  await run(["screen", file, "--out", out], { ...(await served({ LISTS_FILES: list })), SERVICE_QUOTA: "50/1s" });

  const verdicts = await verdictsIn(out);
  expect(verdicts.map(({ decision }) => decision)).toEqual(["BLOCK", "ALLOW", "BLOCK"]);
  expect(verdicts[0]?.reasons.map(({ check, detail }) => `${check} ${detail}`)).toContainEqual(
    expect.stringMatching(/^evm-security sanctioned_address: /),
  );
});

test("a worker without lists blocks an address that the lists of its service accuse", async () => {
  const deposit = { type: "address", chain_id: "1", address: listed, user_addresses: [REAL] };
  const { file, out } = await inputOf("events.ndjson", ndjson(deposit, genuine));

  await run(["screen", file, "--out", out], {
    ...(await served({ LISTS_FILES: await importedList() })),
    SERVICE_QUOTA: "50/1s",
  });

  const verdicts = await verdictsIn(out);
  expect(verdicts.map(({ decision }) => decision)).toEqual(["BLOCK", "ALLOW"]);
  expect(verdicts[0]?.reasons).toContainEqual({
    check: "poisoning",
    finding: "listed_sanctioned",
    severity: "BLOCK",
    detail: "lists of the service say that it is sanctioned",
  });
});

test("an unreadable list, or a file that is no list, stops the run before an event is screened", async () => {
  const { file, out } = await inputOf("events.ndjson", events);
  const headless = path.join(await emptyFolder(), "bad.csv");
  await writeFile(headless, `${listed}\n`);

  const absent = await run(["screen", file, "--out", out], { LISTS_FILES: "/nowhere/ofac.csv" });
  const wrong = await run(["screen", file, "--out", out], { LISTS_FILES: headless });

  expect([absent.status, absent.stderr]).toEqual([1, expect.stringMatching(/LISTS_FILES names \/nowhere\/ofac\.csv/)]);
  expect([wrong.status, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/bad\.csv: no column chain, address, name, kind/),
  ]);
});

test.each([
  ["screen", ["--out"]],
  ["plan", []],
])("weir %s does not start with a list without entries", async (command, flags) => {
  const { file, out } = await inputOf("events.ndjson", events);
  const empty = path.join(await emptyFolder(), "ofac.csv");
  await writeFile(empty, "chain,address,name,kind\n");

  const { status, stderr } = await run([command, file, ...flags.flatMap((flag) => [flag, out])], {
    LISTS_FILES: empty,
  });

  expect(status).toBe(1);
  expect(stderr).toContain(
    "list file ofac.csv holds no entry: get the list again and import it, or take the file out of LISTS_FILES",
  );
});

test("a column named almost like risk_level, or a lost accusing row, stops the run, which names the file", async () => {
  const { file, out } = await inputOf("events.ndjson", events);
  const labels = path.join(await emptyFolder(), "own.csv");
  const screened = () => run(["screen", file, "--out", out], { LABELS_FILES: labels });

  await writeFile(labels, `chain,address,name,kind,risk\nevm,${listed},A party,protocol,5\n`);
  const misnamed = await screened();
  await writeFile(labels, `chain,address,name,kind\nevm,${listed.replace("B", "b")},A party,sanctioned\n`);
  const lost = await screened();

  expect([misnamed.status, lost.status]).toEqual([1, 1]);
  expect(misnamed.stderr).toMatch(/own\.csv: column 5 "risk" is not read: if it says risk_level, name it risk_level/);
  expect(lost.stderr).toContain("own.csv: a row that accuses cannot be read, first line 2: address: ");
});

test("a token of risk 5 on one chain does not block a payment of the token at its address on another chain", async () => {
  const { file, out } = await inputOf(
    "events.ndjson",
    ndjson(
      payment({
        to: usdt,
        data: calldata("transfer(address,uint256)", ["0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97", 5n]),
      }),
    ),
  );
  const labels = path.join(await emptyFolder(), "own.csv");
  await writeFile(labels, `chain,address,name,kind,risk_level\nbsc,${usdt},Scam,token,5\n`);

  await run(["screen", file, "--out", out], { LABELS_FILES: labels });

  expect((await verdictsIn(out)).map(({ decision }) => decision)).toEqual(["ALLOW"]);
});
