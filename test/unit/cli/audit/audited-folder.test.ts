import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { inputBytes } from "../../../../src/adapters/files/input/input-bytes.ts";
import { ArchiveDirectory } from "../../../../src/adapters/files/output/archive-directory.ts";
import { VERDICT_LOG } from "../../../../src/adapters/files/output/verdict-log.ts";
import { audit } from "../../../../src/archive/audit/audit.ts";
import type { AuditFinding } from "../../../../src/archive/audit/audit-finding.ts";
import { archiveLog } from "../../../../src/archive/writer/archive-log.ts";
import { auditedFolder } from "../../../../src/cli/audit/audited-folder.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { Lifecycle } from "../../../../src/kernel/lifecycle.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { auditedListSets } from "../../../support/audited-list-sets.ts";
import { emptyFolder } from "../../../support/folder.ts";

const verdict = (n: number): Verdict => ({
  schema: "weir.verdict/1",
  verdict_id: sha256(String(n)),
  revision: 0,
  event_id: `event-${n}`,
  tenant: "",
  decision: "ALLOW",
  reasons: [{ check: "poisoning", finding: "no_signal", severity: "INFO", detail: "" }],
  subject: { type: "address", chain_id: "1", address: `0x${String(n).padStart(40, "0")}` },
  required_checks: ["poisoning"],
  checks: [],
  policy: { id: "default", sha256: "ours" },
  source: { file: "events.ndjson", line: n + 1 },
  decided_at: `2026-01-0${1 + Math.floor(n / 4)}T00:00:00.000Z`,
  software: "weir/test",
});
const linesOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify(verdict(from + i))}\n`).join("");

/** Creates the output of a run over `count` events, in objects of two verdicts. */
async function folderOf(count: number): Promise<string> {
  const dir = await emptyFolder();
  await writeFile(path.join(dir, "verdicts.ndjson"), linesOf(0, count));
  await archive(dir);
  return dir;
}

async function archive(dir: string): Promise<void> {
  const log = {
    ...VERDICT_LOG,
    chunks: inputBytes(path.join(dir, "verdicts.ndjson")),
    keep: () => Promise.resolve(),
  };
  await archiveLog(log, new ArchiveDirectory(path.join(dir, "archive")), { verdicts: 2, bytes: 1 << 20 });
}

async function audited(dir: string) {
  const opened = new Lifecycle();
  const { store, log } = await auditedFolder(dir, opened);
  const findings: AuditFinding[] = [];
  const counts = await audit(VERDICT_LOG.topic, {
    store,
    ...(log === undefined ? {} : { topic: log }),
    decide: ({ decision }) => ({ decision, missing: [] }),
    signal: new AbortController().signal,
    onFinding: (finding) => findings.push(finding),
    knownLosses: [],
    onKnown: () => undefined,
    listSets: auditedListSets,
    onListed: () => undefined,
    onObject: () => undefined,
  });
  await opened.close(1_000);
  return { counts, found: findings.map(({ finding, detail }) => [finding, detail]), isCompared: log !== undefined };
}

const keyAt = (start: number, day: number) =>
  `v1/verdicts/dt=2026-01-0${day}/p=00000/${String(start).padStart(20, "0")}.ndjson.gz`;
const objectFile = (dir: string, start: number, day: number) => path.join(dir, "archive", keyAt(start, day));

describe("an audit is clean for", () => {
  test("the output of a run over several days", async () => {
    const { counts, found } = await audited(await folderOf(7));

    expect(found).toEqual([]);
    expect(counts).toMatchObject({ objects: 4, verdicts: 7, decided: 7, compared: 7, waiting: 0, anchored: 0 });
  });

  test("the output of two runs", async () => {
    const dir = await folderOf(3);
    await appendFile(path.join(dir, "verdicts.ndjson"), linesOf(3, 4));
    await archive(dir);

    const { counts, found } = await audited(dir);

    expect(found).toEqual([]);
    expect(counts).toMatchObject({ objects: 4, compared: 7 });
  });

  test("a run over no events", async () => {
    expect((await audited(await folderOf(0))).found).toEqual([]);
  });
});

describe("an audit finds", () => {
  test("an archive that is gone, with all its missing objects", async () => {
    const dir = await folderOf(3);
    await rm(path.join(dir, "archive"), { recursive: true });

    expect((await audited(dir)).found).toEqual([
      ["nothing_archived", "there is no object of verdicts below the prefix"],
      [
        "end_missing",
        "verdicts.ndjson holds 0 to 2, and no object does: a run that was stopped archives them when it goes on",
      ],
    ]);
  });

  test("a last object that was removed, or is not made yet", async () => {
    const dir = await folderOf(6);
    await rm(objectFile(dir, 4, 2));
    await rm(objectFile(dir, 4, 2).replace(".ndjson.gz", ".meta.json"));

    expect((await audited(dir)).found).toEqual([
      [
        "end_missing",
        "verdicts.ndjson holds 4 to 5, and no object does: a run that was stopped archives them when it goes on",
      ],
    ]);
  });

  test("an object in the middle that was removed", async () => {
    const dir = await folderOf(6);
    await rm(objectFile(dir, 2, 1));
    await rm(objectFile(dir, 2, 1).replace(".ndjson.gz", ".meta.json"));

    expect((await audited(dir)).found).toEqual([
      ["gap", "2 to 3 are missing"],
      ["chain_broken", "the hash of the previous object is not the hash that this object names"],
    ]);
  });

  test("an object with edited lines", async () => {
    const dir = await folderOf(4);
    const edited = linesOf(2, 2).replace("ALLOW", "BLOCK");
    await writeFile(objectFile(dir, 2, 1), gzipSync(edited));

    expect((await audited(dir)).found).toEqual([
      ["hash_mismatch", "the lines differ from the archived lines"],
      ["not_in_topic", "line 1 is not what verdicts.ndjson has at offset 2"],
    ]);
  });

  test("a log that was edited after its archiving, at any position", async () => {
    const dir = await folderOf(6);
    const file = path.join(dir, "verdicts.ndjson");
    const lines = (await readFile(file, "utf8")).split("\n");
    lines[3] = (lines[3] ?? "").replace("ALLOW", "BLOCK");
    await writeFile(file, lines.join("\n"));

    expect((await audited(dir)).found).toEqual([
      ["not_in_topic", "line 2 is not what verdicts.ndjson has at offset 3"],
    ]);
  });

  test("a truncated log", async () => {
    const dir = await folderOf(4);
    await writeFile(path.join(dir, "verdicts.ndjson"), linesOf(0, 3));

    expect((await audited(dir)).found).toEqual([["not_in_topic", "line 2 and after are not in verdicts.ndjson"]]);
  });

  test("an object under another date than its first verdict's", async () => {
    const dir = await folderOf(2);
    const to = objectFile(dir, 0, 9);
    await mkdir(path.dirname(to), { recursive: true });
    for (const end of [".ndjson.gz", ".meta.json"]) {
      const from = objectFile(dir, 0, 1).replace(".ndjson.gz", end);
      await writeFile(to.replace(".ndjson.gz", end), await readFile(from));
      await rm(from);
    }

    expect((await audited(dir)).found).toEqual([["key_mismatch", "the first verdict was written on 2026-01-01"]]);
  });

  test("another partition's object", async () => {
    const dir = await folderOf(2);
    const to = objectFile(dir, 0, 1).replace("p=00000", "p=00001");
    await mkdir(path.dirname(to), { recursive: true });
    for (const end of [".ndjson.gz", ".meta.json"]) {
      const from = objectFile(dir, 0, 1).replace(".ndjson.gz", end);
      await writeFile(to.replace(".ndjson.gz", end), await readFile(from));
    }

    expect((await audited(dir)).found.map(([finding]) => finding)).toEqual(["partition_unknown", "key_mismatch"]);
  });
});

test("without its log an archive is checked by itself", async () => {
  const dir = await folderOf(4);
  await rm(path.join(dir, "verdicts.ndjson"));

  const { counts, found, isCompared } = await audited(dir);

  expect([isCompared, found]).toEqual([false, []]);
  expect(counts).toMatchObject({ objects: 2, verdicts: 4, compared: 0 });
});

test.each(["absent", "verdicts.ndjson"])("a path that is no folder is refused: %s", async (name) => {
  const dir = path.join(await folderOf(1), name);

  await expect(auditedFolder(dir, new Lifecycle())).rejects.toThrow(
    new ConfigInvalidError(`--dir ${dir}: there is no such folder`),
  );
});
