import { describe, expect, test } from "vitest";
import { audit } from "../../../../src/archive/audit/audit.ts";
import type { AuditedTopic, AuditFinding, ReportedLoss } from "../../../../src/archive/audit/audit-finding.ts";
import {
  type ArchiveObject,
  after,
  chainSha256,
  type ObjectMetadata,
  type Position,
} from "../../../../src/archive/object.ts";
import {
  type ListedVersion,
  ObjectUnreadableError,
  type VersionedStore,
} from "../../../../src/archive/object-store.ts";
import { commitMetadata } from "../../../../src/archive/writer/where-to-begin.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { StreamRecord } from "../../../../src/kernel/stream.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { FakeObjectStore } from "../../../fakes/fake-object-store.ts";
import { auditedListSets } from "../../../support/audited-list-sets.ts";
import { objectOf } from "../../../support/object-of.ts";

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
  const last = archived(committed / 2).at(-1);
  const metadata = last === undefined ? "" : commitMetadata(after(last));
  return {
    positions: new Map([[0, { committed, metadata, earliest, end: Math.max(committed, earliest) }]]),
    async *records(_at, from, until) {
      for (const each of records) if (each.offset >= from && each.offset <= until) yield each;
    },
    earliest: async () => earliest,
  };
}

async function audited(
  objects: readonly ArchiveObject[],
  own: {
    store?: FakeObjectStore;
    topic?: AuditedTopic;
    hashes?: readonly string[];
    missing?: readonly string[];
    undecidable?: true;
    knownLosses?: readonly ReportedLoss[];
    versioned?: VersionedStore;
  } = {},
) {
  const store = own.store ?? new FakeObjectStore();
  for (const object of objects) store.objects.set(object.key, object);
  const findings: AuditFinding[] = [];
  const known: AuditFinding[] = [];
  const counts = await audit("verdicts", {
    store,
    decide: ({ policy }) =>
      (own.hashes ?? ["ours", "another"]).includes(policy.sha256)
        ? { decision: own.undecidable ? undefined : "ALLOW", missing: own.missing ?? [] }
        : undefined,
    ...(own.topic === undefined ? {} : { topic: own.topic }),
    ...(own.versioned === undefined ? {} : { versioned: own.versioned }),
    signal: new AbortController().signal,
    onFinding: (finding) => findings.push(finding),
    knownLosses: own.knownLosses ?? [],
    onKnown: (finding) => known.push(finding),
    listSets: auditedListSets,
    onListed: () => undefined,
    onObject: () => undefined,
  });
  return { counts, findings, known, said: findings.map(({ finding, key }) => [finding, key?.slice(-26, -10)]) };
}

const objects = archived(3);
const [first, second, third] = objects as [ArchiveObject, ArchiveObject, ArchiveObject];
const start = (object: ArchiveObject) => object.key.slice(-26, -10);
/** Other lines under the metadata of an object. */
const edited = (object: ArchiveObject, text: string): ArchiveObject => ({ ...object, lines: Buffer.from(text) });
const textOf = ({ lines }: ArchiveObject) => Buffer.from(lines).toString();

test("a complete archive is counted in full and has no findings", async () => {
  const records = Array.from({ length: 6 }, (_, offset) => record(offset));
  const topic = topicOf(records, 6);
  const other = archived(1, 1);
  const [only] = other as [ArchiveObject];
  const position = { committed: 2, metadata: commitMetadata(after(only)), earliest: 2, end: 2 };
  const positions = new Map([...topic.positions, [1, position]]);
  const { counts, findings } = await audited([...objects, ...other], { topic: { ...topic, positions } });

  expect(findings).toEqual([]);
  expect(counts).toEqual({
    objects: 4,
    verdicts: 8,
    decided: 8,
    otherPolicy: 0,
    policies: new Map([
      ["default ours", 7],
      ["default another", 1],
    ]),
    missingPolicies: new Map(),
    listSets: new Map(),
    strayLists: new Map(),
    spelledOut: 0,
    compared: 6,
    acknowledged: 0,
    anchored: 2,
    waiting: 0,
  });
});

test("records of the topic beyond objects and commit are counted as unaudited and are no damage", async () => {
  const positions = new Map([
    // The last object, of offsets 4 and 5, is not committed yet.
    [0, { committed: 4, metadata: commitMetadata(after(second)), earliest: 0, end: 16 }],
    // Records that were deleted before they were archived wait no more.
    [1, { committed: 2, metadata: "", earliest: 7, end: 12 }],
    [2, { committed: undefined, metadata: "", earliest: 3, end: 4 }],
    [3, { committed: 9, metadata: "", earliest: 9, end: 9 }],
    // A recreated topic is shorter than its commit.
    [4, { committed: 9, metadata: "", earliest: 0, end: 2 }],
  ]);
  const { counts } = await audited(objects, { topic: { ...topicOf([], 6, 6), positions } });

  expect(counts.waiting).toBe(10 + 5 + 1 + 0 + 2);
});

describe("each damage is named:", () => {
  test("a deleted object", async () => {
    const { findings, said } = await audited([first, third]);

    expect(said).toEqual([
      ["gap", start(third)],
      ["chain_broken", start(third)],
    ]);
    expect(findings[0]?.detail).toBe("2 to 3 are missing");
  });

  test("a deleted first object", async () => {
    expect((await audited([second, third])).said).toEqual([["beginning_missing", start(second)]]);
  });

  test("records before the first object that the topic still holds, because the group was moved before anything was archived", async () => {
    const [later] = withGaps([4]) as [ArchiveObject];
    const found = (own: { earliest: number; knownLosses?: readonly ReportedLoss[] }) => {
      const next = { topic: "verdicts", partition: 0, next: 5, previousSha256: chainSha256(later) };
      const position = { committed: 5, metadata: commitMetadata(next), earliest: own.earliest, end: 5 };
      const topic = { ...topicOf([record(4)], 4, own.earliest), positions: new Map([[0, position]]) };
      return audited([later], { topic, ...own });
    };

    const missing = { from: 1, until: 3 };
    const detail = "the topic holds 1 to 3, and no object does";
    const finding = { partition: 0, key: later.key, finding: "beginning_missing", detail, missing };
    expect((await found({ earliest: 1 })).findings).toEqual([finding]);
    const known = await found({ earliest: 1, knownLosses: [{ partition: 0, ...missing }] });
    expect([known.findings, known.known]).toEqual([[], [finding]]);
    // An archive that began after the topic deleted earlier records misses nothing.
    expect((await found({ earliest: 4 })).findings).toEqual([]);
    expect((await found({ earliest: 5 })).findings).toEqual([]);
  });

  test("a deleted last object that the group has committed", async () => {
    const { findings } = await audited([first, second], { topic: topicOf([], 6, 100) });

    expect(findings).toEqual([
      { partition: 0, finding: "end_missing", detail: "the group has archived up to 5, and the objects end at 3" },
    ]);
  });

  test("a truncated object", async () => {
    const cut = edited(second, `${textOf(second).split("\n")[0]}\n`);

    expect((await audited([first, cut, third])).said).toEqual([
      ["hash_mismatch", start(second)],
      ["count_mismatch", start(second)],
    ]);
  });

  test("an edited line: BLOCK, where the evidence gives ALLOW", async () => {
    const text = textOf(second).replace('"decision":"ALLOW"', '"decision":"BLOCK"');
    const { said, findings } = await audited([first, edited(second, text), third]);

    expect(said).toEqual([
      ["hash_mismatch", start(second)],
      ["other_decision", start(second)],
    ]);
    expect(findings[1]?.detail).toBe(`line 1: BLOCK, and its evidence gives ALLOW (${sha256("2")})`);
  });

  test("a verdict that was too large to keep its evidence", async () => {
    const { findings, counts } = await audited(objects.slice(0, 1), { undecidable: true });

    expect(findings.map(({ finding, detail }) => [finding, detail.replace(/ \(.*/, "")])).toEqual([
      ["evidence_left_out", "line 1: ALLOW, and it was too large to keep all that it was decided by"],
      ["evidence_left_out", "line 2: ALLOW, and it was too large to keep all that it was decided by"],
    ]);
    expect(counts).toMatchObject({ decided: 0, otherPolicy: 0 });
  });

  test("an object that was forged together with its hash, which the chain and the topic reveal", async () => {
    const text = textOf(second).replace("event-2", "event-X");
    const forged = { ...edited(second, text), metadata: { ...second.metadata, sha256: sha256(text) } };
    const records = Array.from({ length: 6 }, (_, offset) => record(offset));
    const { said } = await audited([first, forged, third], { topic: topicOf(records, 6) });

    expect(said).toEqual([
      ["not_in_topic", start(second)],
      ["chain_broken", start(third)],
    ]);
  });

  test.each<[string, Partial<ObjectMetadata>]>([
    ["its end, with what came after it removed", { end: 3 }],
    ["its schema", { schema: "weir.verdict/0" }],
  ])("changed metadata, which the next object reveals by its hash: %s", async (_what, changed) => {
    const [one, two, three, four] = archived(4) as [ArchiveObject, ArchiveObject, ArchiveObject, ArchiveObject];
    const forged = { ...one, metadata: { ...one.metadata, ...changed } };

    expect((await audited([one, two, three, four])).findings).toEqual([]);
    expect((await audited("end" in changed ? [forged, three, four] : [forged, two, three, four])).said).toEqual([
      ["chain_broken", start("end" in changed ? three : two)],
    ]);
  });

  test("two swapped objects", async () => {
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

  /** Objects of one verdict each, at these offsets, from an archiver that lost the offsets in between. */
  function withGaps(offsets: readonly number[], partition = 0): ArchiveObject[] {
    let position: Position = { topic: "verdicts", partition, next: 0, previousSha256: "" };
    return offsets.map((offset) => {
      const line = record(offset).value ?? Buffer.alloc(0);
      const object = objectOf([{ offset, line, writtenAt: WRITTEN }], { ...position, next: offset });
      position = after(object);
      return object;
    });
  }

  describe("acknowledged losses of verdicts", () => {
    const [zero, seven, ten] = withGaps([0, 7, 10]) as [ArchiveObject, ArchiveObject, ArchiveObject];
    const loss = (from: number, until: number, partition = 0) => ({ partition, from, until });

    test("are reported separately and are no finding when they match exactly", async () => {
      const { findings, known, counts } = await audited([zero, seven, ten], { knownLosses: [loss(1, 6), loss(8, 9)] });

      expect(findings).toEqual([]);
      expect(known.map(({ finding, key, detail }) => [finding, key, detail])).toEqual([
        ["gap", seven.key, "1 to 6 are missing"],
        ["gap", ten.key, "8 to 9 are missing"],
      ]);
      expect(counts.acknowledged).toBe(2);
    });

    test.each([
      ["a part of them", loss(1, 5)],
      ["more than them", loss(0, 6)],
      ["another partition's", loss(1, 6, 1)],
    ])("are a finding when %s is acknowledged", async (_, known) => {
      expect((await audited([zero, seven], { knownLosses: [known] })).said).toEqual([["gap", start(seven)]]);
    });

    test("do not cover a deleted object, which the next object names", async () => {
      const { said } = await audited([zero, ten], { knownLosses: [loss(1, 9)] });
      expect(said).toEqual([["chain_broken", start(ten)]]);
    });

    test("may be the last offsets", async () => {
      const at = topicOf([record(0)], 2);
      const positions = new Map([[0, { committed: 7, metadata: commitMetadata(after(zero)), earliest: 7, end: 7 }]]);
      const { findings, known } = await audited([zero], { topic: { ...at, positions }, knownLosses: [loss(1, 6)] });
      expect([findings.map(({ finding }) => finding), known.map(({ finding }) => finding)]).toEqual([
        [],
        ["end_missing"],
      ]);
    });
  });

  test("a verdict without the checks that its policy requires is named, line by line", async () => {
    const { findings } = await audited([first], { missing: ["token-security"] });
    expect(findings).toEqual(
      [0, 1].map((n) => ({
        partition: 0,
        key: first.key,
        finding: "check_missing",
        detail: `line ${n + 1}: default asks for token-security, and it holds none (${sha256(String(n))})`,
      })),
    );
  });
  test("verdicts of an unavailable policy, once per policy", async () => {
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

  test("an object that is unreadable, or disappears between two reads", async () => {
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

describe("an empty archive is not clean:", () => {
  const nothing = { finding: "nothing_archived", detail: "there is no object of verdicts below the prefix" };

  test("a store without any object of the topic", async () => {
    expect((await audited([])).findings).toEqual([nothing]);
  });

  test("a partition that lost every object, as the group's commit shows", async () => {
    const { findings } = await audited([], { topic: topicOf([], 6) });
    const detail = "the group has archived up to 5, and the objects end at nothing";

    expect(findings).toEqual([nothing, { partition: 0, finding: "end_missing", detail }]);
  });

  test("a partition with records but without a commit of the group", async () => {
    const positions = new Map([
      [0, { committed: undefined, metadata: "", earliest: 10, end: 1_000 }],
      [1, { committed: undefined, metadata: "", earliest: 7, end: 7 }],
    ]);
    const { findings } = await audited(archived(1, 2), { topic: { ...topicOf([], 0), positions } });
    const detail = "the topic holds 10 to 999, and the archive's group has committed nothing";

    expect(findings).toEqual([
      { partition: 0, finding: "nothing_committed", detail },
      {
        partition: 2,
        finding: "partition_unknown",
        detail: "the topic has no such partition, and the bucket holds objects of it",
      },
    ]);
  });
});

test("objects that were put twice or deleted are reported, where the bucket keeps versions", async () => {
  const asked: string[] = [];
  const put = (object: ArchiveObject) => ({ key: object.key, isDeletion: false });
  const deletion = (object: ArchiveObject) => ({ key: object.key, isDeletion: true });
  const versionedBy = (kept: readonly ListedVersion[]): VersionedStore => ({
    async *versions(prefix) {
      asked.push(prefix);
      if (prefix !== "lists/") yield* kept;
    },
  });
  const whole = await audited(objects, { versioned: versionedBy(objects.map(put)) });
  const kept = [put(first), put(first), put(second), deletion(second), deletion(second), ...Array(3).fill(put(third))];
  const { findings } = await audited(objects, { versioned: versionedBy(kept) });

  expect(whole.findings).toEqual([]);
  expect(asked).toEqual(["v1/verdicts/", "lists/", "v1/verdicts/", "lists/"]);
  expect(findings).toEqual([
    { key: first.key, finding: "put_again", detail: "the object has 2 versions" },
    { key: second.key, finding: "deleted", detail: "the object was deleted, and its versions remain" },
    { key: third.key, finding: "put_again", detail: "the object has 3 versions" },
  ]);
});

describe("damage that the store alone cannot reveal:", () => {
  const topic = (hash: string, committed = 6) => ({
    ...topicOf([], 6, 100),
    positions: new Map([[0, { committed, metadata: `weir-archive/2 ${hash}`, earliest: 100, end: 106 }]]),
  });

  test("a last object that was forged with its hash, because the group's commit holds the true hash", async () => {
    const text = textOf(third).replace("event-4", "event-X");
    const forged = { ...edited(third, text), metadata: { ...third.metadata, sha256: sha256(text) } };

    expect((await audited([first, second, forged], { topic: topic(chainSha256(third)) })).said).toEqual([
      ["commit_mismatch", start(third)],
    ]);
    expect((await audited(objects, { topic: topic(chainSha256(third)) })).findings).toEqual([]);
  });

  test("removed last objects, with a last object that claims their end", async () => {
    const merged = { ...second, metadata: { ...second.metadata, end: third.metadata.end } };
    const said = async (object: ArchiveObject, committed = 6, hash = chainSha256(third)) => {
      const found = await audited([first, object], { topic: topic(hash, committed) });
      return [found.said, found.findings.at(-1)?.detail];
    };

    expect(await said(merged)).toEqual([
      [["commit_mismatch", start(second)]],
      "the group has committed another hash than this object's",
    ]);
    expect(await said(merged, 5)).toEqual([
      [["commit_mismatch", start(second)]],
      "the group has committed 5, where no object began or ended",
    ]);
    expect(await said(second, 4, chainSha256(second))).toEqual([[], undefined]);
    expect(await said(second, 2, chainSha256(first))).toEqual([[], undefined]);
  });

  test.each([
    ["the group's commit, 6, has no hash with it", { committed: 6, metadata: "" }],
    ["the group's commit, 6, has no hash with it", { committed: 6, metadata: "weir-archive/1 hash" }],
    ["the archive's group has committed nothing", { committed: undefined, metadata: "" }],
    ["the group has committed 0, where no object ends", { committed: 0, metadata: "weir-archive/2 " }],
  ])("objects that may all have been replaced, because %s", async (why, { committed, metadata }) => {
    const positions = new Map([[0, { committed, metadata, earliest: 6, end: 6 }]]);
    const { counts, findings } = await audited(objects, { topic: { ...topicOf([], 6, 6), positions } });

    const detail = `${why}: only the bucket itself vouches for its objects`;
    expect(findings).toEqual([{ partition: 0, finding: "not_anchored", detail }]);
    expect(counts.anchored).toBe(0);
  });

  test("a key with another date than the writing of its first verdict", async () => {
    const key = first.key.replace("2026-01-01", "1999-01-01");
    const { findings } = await audited([{ ...first, key }], { topic: topicOf([record(0), record(1)], 2) });

    expect(findings).toEqual([
      {
        partition: 0,
        key,
        finding: "commit_mismatch",
        detail: "the group has committed another hash than this object's",
      },
      { partition: 0, key, finding: "key_mismatch", detail: "the first verdict was written on 2026-01-01" },
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

test("an object with an unreadable head is reported once, and its neighbours get no finding from it", async () => {
  class Headless extends FakeObjectStore {
    override async head(key: string) {
      if (key !== second.key) return super.head(key);
      throw new ObjectUnreadableError(`${key} lacks its end`);
    }
  }

  expect((await audited(objects, { store: new Headless() })).said).toEqual([["object_unreadable", start(second)]]);
});

test("objects that were stored behind the listing are searched before anything is reported missing", async () => {
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

test("records that the topic deleted during the comparison are not missing from it", async () => {
  const records = [3, 4, 5].map((offset) => record(offset));
  const topic = { ...topicOf(records, 6), earliest: async () => 3 };
  const { counts, findings } = await audited(objects, { topic });

  expect(findings).toEqual([]);
  expect(counts.compared).toBe(2);
});

test("objects are not compared with records that the topic no longer keeps", async () => {
  const records = [4, 5].map((offset) => record(offset));
  const { counts, findings } = await audited(objects, { topic: topicOf(records, 6, 3) });

  expect(findings).toEqual([]);
  expect(counts.compared).toBe(2);
});

test("an unavailable store ends the audit, and nothing is reported missing", async () => {
  const store = new FakeObjectStore();
  store.isAway = true;

  await expect(audited(objects, { store })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});

describe("memory does not grow with the size of the archive:", () => {
  test("objects are read one at a time, in any order of the dates in their keys", async () => {
    // A clock that was set back, and forward again.
    const dates = ["2026-01-01", "2026-01-03", "2026-01-02", "2026-01-03", "2026-01-01"];
    let position: Position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };
    const moved = dates.map((date, offset) => {
      const writtenAt = Date.parse(date);
      const line = record(offset).value ?? Buffer.alloc(0);
      const object = objectOf([{ offset, line, writtenAt }], position);
      position = after(object);
      return object;
    });
    const read: string[] = [];
    class Watched extends FakeObjectStore {
      override async lines(name: string) {
        read.push(name);
        return super.lines(name);
      }
    }
    const { findings } = await audited(moved, { store: new Watched() });

    expect(findings).toEqual([]);
    expect(read).toEqual(moved.map(({ key }) => key));
  });

  test("keys are not kept: each date is listed again in its turn", async () => {
    const listed: string[] = [];
    class Watched extends FakeObjectStore {
      override async *list(prefix: string) {
        listed.push(prefix);
        yield* super.list(prefix);
      }
    }
    const { counts } = await audited([...objects, ...archived(2, 1)], { store: new Watched() });

    expect(counts.objects).toBe(5);
    expect(listed).toEqual([
      "v1/verdicts/",
      "v1/verdicts/dt=2026-01-01/p=00000/",
      "v1/verdicts/dt=2026-01-01/p=00001/",
    ]);
  });

  test("unavailable policies are reported by name up to a limit", async () => {
    const lines = Array.from({ length: 1_500 }, (_, n) => ({
      offset: n,
      line: Buffer.from(JSON.stringify({ ...verdict(n), policy: { id: "p", sha256: String(n) } })),
      writtenAt: WRITTEN,
    }));
    const object = objectOf(lines, { topic: "verdicts", partition: 0, next: 0, previousSha256: "" });
    const { findings, counts } = await audited([object], { hashes: [] });

    expect([findings.length, counts.otherPolicy]).toEqual([1_001, 1_500]);
    expect(findings.at(-1)?.detail).toBe("500 of the verdicts were decided by many others, which is not at hand");
  });
});

test("a partition number in another notation than the archiver's is an alien key", async () => {
  const store = new FakeObjectStore();
  const alien = first.key.replace("p=00000", "p=000000");
  store.objects.set(alien, { ...first, key: alien });
  const { findings } = await audited([], { store });
  expect(findings.map(({ finding, key }) => [finding, key])).toEqual([
    ["alien_key", alien],
    ["nothing_archived", undefined],
  ]);
});
