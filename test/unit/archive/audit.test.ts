import { describe, expect, test } from "vitest";
import { audit } from "../../../src/archive/audit.ts";
import type { AuditedTopic, AuditFinding } from "../../../src/archive/audit-finding.ts";
import { type ArchiveObject, after, objectOf, type Position } from "../../../src/archive/object.ts";
import { ObjectUnreadableError } from "../../../src/archive/object-store.ts";
import type { Verdict } from "../../../src/events/verdict.ts";
import { sha256 } from "../../../src/kernel/sha256.ts";
import type { StreamRecord } from "../../../src/kernel/stream.ts";
import { FakeObjectStore } from "../../fakes/fake-object-store.ts";

const WRITTEN = Date.UTC(2026, 0, 1);
const verdict = (n: number, decision: Verdict["decision"] = "ALLOW"): Verdict => ({
  schema: "weir.verdict/1",
  verdict_id: sha256(String(n)),
  revision: 0,
  event_id: `event-${n}`,
  tenant: "",
  decision,
  reasons: [{ check: "poisoning", finding: "no_signal", severity: "INFO", detail: "" }],
  subject: { type: "address", chain_id: "1", address: `0x${String(n).padStart(40, "0")}` },
  required_checks: ["poisoning"],
  checks: [],
  policy: { id: "default", sha256: n === 5 ? "another" : "ours" },
  source: { topic: "events", partition: 0, offset: String(n) },
  decided_at: "2026-01-01T00:00:00.000Z",
  software: "weir/test",
});
const record = (offset: number, value = JSON.stringify(verdict(offset)), partition = 0): StreamRecord => ({
  topic: "verdicts",
  partition,
  offset,
  timestamp: WRITTEN,
  value: Buffer.from(value),
  headers: {},
});

/** Objects of two verdicts each, as an archiver stores them. */
function archived(objects: number, partition = 0): ArchiveObject[] {
  const stored: ArchiveObject[] = [];
  let position: Position = { topic: "verdicts", partition, next: 0, previousSha256: "" };
  for (let i = 0; i < objects; i++) {
    const lines = [2 * i, 2 * i + 1].map((offset) => ({
      offset,
      line: record(offset).value ?? Buffer.alloc(0),
      writtenAt: WRITTEN,
    }));
    const object = objectOf(lines, position);
    stored.push(object);
    position = after(object);
  }
  return stored;
}

/** A topic that holds these records, with a group that has archived up to `committed`. */
function topicOf(records: readonly StreamRecord[], committed: number, earliest = 0): AuditedTopic {
  return {
    positions: new Map([[0, { committed, metadata: "", earliest, end: Math.max(committed, earliest) }]]),
    async *records(_at, from, until) {
      for (const each of records) if (each.offset >= from && each.offset <= until) yield each;
    },
    earliest: async () => earliest,
  };
}

async function audited(
  objects: readonly ArchiveObject[],
  own: { store?: FakeObjectStore; topic?: AuditedTopic; hashes?: readonly string[] } = {},
) {
  const store = own.store ?? new FakeObjectStore();
  for (const object of objects) store.objects.set(object.key, object);
  const findings: AuditFinding[] = [];
  const counts = await audit("verdicts", {
    store,
    decide: ({ policy }) => ((own.hashes ?? ["ours", "another"]).includes(policy.sha256) ? "ALLOW" : undefined),
    ...(own.topic === undefined ? {} : { topic: own.topic }),
    signal: new AbortController().signal,
    onFinding: (finding) => findings.push(finding),
    onObject: () => undefined,
  });
  return { counts, findings, said: findings.map(({ finding, key }) => [finding, key?.slice(-26, -10)]) };
}

const objects = archived(3);
const [first, second, third] = objects as [ArchiveObject, ArchiveObject, ArchiveObject];
const start = (object: ArchiveObject) => object.key.slice(-26, -10);
/** Other lines under an object's metadata. */
const edited = (object: ArchiveObject, text: string): ArchiveObject => ({ ...object, lines: Buffer.from(text) });
const textOf = ({ lines }: ArchiveObject) => Buffer.from(lines).toString();

test("an archive that is whole: everything is counted, and nothing is found", async () => {
  const records = Array.from({ length: 6 }, (_, offset) => record(offset));
  const { counts, findings } = await audited([...objects, ...archived(1, 1)], { topic: topicOf(records, 6) });

  expect(findings).toEqual([]);
  expect(counts).toEqual({
    objects: 4,
    verdicts: 8,
    decided: 8,
    otherPolicy: 0,
    missingPolicies: new Map(),
    compared: 6,
  });
});

describe("each damage is named:", () => {
  test("an object that was deleted", async () => {
    const { findings, said } = await audited([first, third]);

    expect(said).toEqual([
      ["gap", start(third)],
      ["chain_broken", start(third)],
    ]);
    expect(findings[0]?.detail).toBe("2 to 3 are missing");
  });

  test("the first object", async () => {
    expect((await audited([second, third])).said).toEqual([["beginning_missing", start(second)]]);
  });

  test("the last object, of which the group knows", async () => {
    const { findings } = await audited([first, second], { topic: topicOf([], 6, 100) });

    expect(findings).toEqual([
      { partition: 0, finding: "end_missing", detail: "the group has archived up to 5, and the objects end at 3" },
    ]);
  });

  test("an object that was cut short", async () => {
    const cut = edited(second, `${textOf(second).split("\n")[0]}\n`);

    expect((await audited([first, cut, third])).said).toEqual([
      ["hash_mismatch", start(second)],
      ["count_mismatch", start(second)],
    ]);
  });

  test("a line that was edited: BLOCK, where the evidence gives ALLOW", async () => {
    const text = textOf(second).replace('"decision":"ALLOW"', '"decision":"BLOCK"');
    const { said, findings } = await audited([first, edited(second, text), third]);

    expect(said).toEqual([
      ["hash_mismatch", start(second)],
      ["other_decision", start(second)],
    ]);
    expect(findings[1]?.detail).toBe(`line 1: BLOCK, and its evidence gives ALLOW (${sha256("2")})`);
  });

  test("and so an object that was forged with its hash: the chain and the topic tell", async () => {
    const text = textOf(second).replace("event-2", "event-X");
    const forged = { ...edited(second, text), metadata: { ...second.metadata, sha256: sha256(text) } };
    const records = Array.from({ length: 6 }, (_, offset) => record(offset));
    const { said } = await audited([first, forged, third], { topic: topicOf(records, 6) });

    expect(said).toEqual([
      ["not_in_topic", start(second)],
      ["chain_broken", start(third)],
    ]);
  });

  test("two objects that were swapped", async () => {
    const swapped = [
      { ...second, key: first.key },
      { ...first, key: second.key },
    ];

    expect((await audited([...swapped, third])).said).toEqual([
      ["key_mismatch", start(first)],
      ["beginning_missing", start(first)],
      ["key_mismatch", start(second)],
      ["overlap", start(second)],
      ["chain_broken", start(second)],
      ["gap", start(third)],
      ["chain_broken", start(third)],
    ]);
  });

  test("verdicts whose policy is not at hand, once a policy", async () => {
    const { findings, counts } = await audited(objects, { hashes: [] });
    const of = (n: number, hash: string) => ({
      finding: "policy_missing",
      detail: `${n} of the verdicts were decided by default ${hash}, which is not at hand`,
    });

    expect(findings).toEqual([of(5, "ours"), of(1, "another")]);
    expect(counts).toMatchObject({ decided: 0, otherPolicy: 6 });
  });

  test("a line that is no verdict", async () => {
    const { said } = await audited([first, edited(second, "{}\nnonsense\n"), third]);

    expect(said).toEqual([
      ["hash_mismatch", start(second)],
      ["not_a_verdict", start(second)],
      ["not_a_verdict", start(second)],
    ]);
  });

  test("an object that cannot be read, or is gone between two looks", async () => {
    class Broken extends FakeObjectStore {
      override async lines(key: string) {
        if (key === first.key) throw new ObjectUnreadableError(`${key}: unexpected end of file`);
        return key === second.key ? undefined : super.lines(key);
      }
    }

    expect((await audited(objects, { store: new Broken() })).said).toEqual([
      ["object_unreadable", start(first)],
      ["object_missing", start(second)],
    ]);
  });

  test("lines that the topic does not have", async () => {
    const records = [0, 1, 2].map((offset) => record(offset));
    const { findings } = await audited([first, second], { topic: topicOf(records, 4) });

    expect(findings).toMatchObject([{ finding: "not_in_topic", detail: "line 2 and after are not in the topic" }]);
  });
});

describe("nothing is not clean:", () => {
  const nothing = { finding: "nothing_archived", detail: "there is no object of verdicts below the prefix" };

  test("a store without any object of the topic", async () => {
    expect((await audited([])).findings).toEqual([nothing]);
  });

  test("a partition that has lost every object, of which the group knows", async () => {
    const { findings } = await audited([], { topic: topicOf([], 6) });
    const detail = "the group has archived up to 5, and the objects end at nothing";

    expect(findings).toEqual([nothing, { partition: 0, finding: "end_missing", detail }]);
  });

  test("a partition that holds records, of which the group has committed nothing", async () => {
    const positions = new Map([
      [0, { committed: undefined, metadata: "", earliest: 10, end: 1_000 }],
      [1, { committed: undefined, metadata: "", earliest: 7, end: 7 }],
    ]);
    const { findings } = await audited(archived(1, 2), { topic: { ...topicOf([], 0), positions } });
    const detail = "the topic holds 10 to 999, and the archive's group has committed nothing";

    expect(findings).toEqual([{ partition: 0, finding: "nothing_committed", detail }]);
  });
});

describe("what the store alone cannot tell:", () => {
  const topic = (hash: string) => ({
    ...topicOf([], 6, 100),
    positions: new Map([[0, { committed: 6, metadata: `weir-archive/1 ${hash}`, earliest: 100, end: 106 }]]),
  });

  test("a last object that was forged with its hash: the group's commit holds the true one", async () => {
    const text = textOf(third).replace("event-4", "event-X");
    const forged = { ...edited(third, text), metadata: { ...third.metadata, sha256: sha256(text) } };

    expect((await audited([first, second, forged], { topic: topic(third.metadata.sha256) })).said).toEqual([
      ["commit_mismatch", start(third)],
    ]);
    expect((await audited(objects, { topic: topic(third.metadata.sha256) })).findings).toEqual([]);
  });

  test("a key under another date than its first verdict was written on", async () => {
    const key = first.key.replace("2026-01-01", "1999-01-01");
    const { findings } = await audited([{ ...first, key }], { topic: topicOf([record(0), record(1)], 2) });

    expect(findings).toEqual([
      { partition: 0, key, finding: "key_mismatch", detail: "its first verdict was written on 2026-01-01" },
    ]);
  });
});

test.each(["v1/verdicts/evil.txt", first.key.replace("p=00000", "p=0"), first.key.replace("/dt=", "/x/dt=")])(
  "a key that no archiver writes: %s",
  async (key) => {
    const { findings } = await audited([...objects, { ...first, key }]);

    expect(findings).toEqual([{ key, finding: "alien_key", detail: "no archiver writes under such a key" }]);
  },
);

test("an object whose head cannot be read is told of once, and nothing is made of it for its neighbours", async () => {
  class Headless extends FakeObjectStore {
    override async head(key: string) {
      if (key !== second.key) return super.head(key);
      throw new ObjectUnreadableError(`${key} lacks its end`);
    }
  }

  expect((await audited(objects, { store: new Headless() })).said).toEqual([["object_unreadable", start(second)]]);
});

test("objects that were stored behind the listing are looked for before anything is called missing", async () => {
  class Late extends FakeObjectStore {
    #lists = 0;
    override async *list(prefix: string) {
      const isFirst = this.#lists++ === 0;
      for await (const each of super.list(prefix)) if (!isFirst || each.key !== second.key) yield each;
    }
  }
  const { findings, counts } = await audited(objects, { store: new Late() });

  expect(findings).toEqual([]);
  expect(counts.objects).toBe(3);
});

test("what the topic deleted while it was compared is not missing from it", async () => {
  const records = [3, 4, 5].map((offset) => record(offset));
  const topic = { ...topicOf(records, 6), earliest: async () => 3 };
  const { counts, findings } = await audited(objects, { topic });

  expect(findings).toEqual([]);
  expect(counts.compared).toBe(2);
});

test("what the topic no longer keeps is not compared with it", async () => {
  const records = [4, 5].map((offset) => record(offset));
  const { counts, findings } = await audited(objects, { topic: topicOf(records, 6, 3) });

  expect(findings).toEqual([]);
  expect(counts.compared).toBe(2);
});

test("a store that is away ends the audit: nothing is taken for missing", async () => {
  const store = new FakeObjectStore();
  store.isAway = true;

  await expect(audited(objects, { store })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
