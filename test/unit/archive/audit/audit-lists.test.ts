import { expect, test } from "vitest";
import { audit } from "../../../../src/archive/audit/audit.ts";
import type { AuditDeps, AuditFinding } from "../../../../src/archive/audit/audit-finding.ts";
import {
  ObjectUnreadableError,
  StoreUnavailableError,
  type VersionedStore,
} from "../../../../src/archive/object-store.ts";
import { listSetOf } from "../../../../src/labels/list-set.ts";
import { FakeObjectStore } from "../../../fakes/fake-object-store.ts";
import { listedBook } from "../../../support/address-book.ts";
import { auditedListSets } from "../../../support/audited-list-sets.ts";
import { objectOf } from "../../../support/object-of.ts";

const set = listSetOf(listedBook());
if (set === undefined) throw new Error("the book has a list");
const id = set.key.slice("lists/".length, -".json".length);
const other = "0123456789abcdef";

/** Audits one object of verdicts that name these list sets. */
async function audited(
  named: readonly (string | undefined)[],
  text: string | undefined,
  own: Partial<AuditDeps["listSets"]> = {},
  {
    store = new FakeObjectStore(),
    ...more
  }: { readonly store?: FakeObjectStore; readonly versioned?: VersionedStore } = {},
) {
  const lines = named.map((lists, offset) => ({
    offset,
    line: Buffer.from(JSON.stringify(verdict(offset, lists))),
    writtenAt: 0,
  }));
  const object = objectOf(lines, { topic: "verdicts", partition: 0, next: 0, previousSha256: "" });
  store.objects.set(object.key, object);
  if (text !== undefined) store.texts.set(`lists/${id}.json`, text);
  const findings: AuditFinding[] = [];
  const logged: (readonly [string, number])[] = [];
  const onLogged = (set: string, verdicts: number) => void logged.push([set, verdicts]);
  const counts = await audit("verdicts", {
    store,
    decide: ({ decision }) => ({ decision, missing: [] }),
    listSets: { ...auditedListSets, onLogged, ...own },
    signal: new AbortController().signal,
    onFinding: (finding) => findings.push(finding),
    knownLosses: [],
    onKnown: () => undefined,
    onListed: () => undefined,
    onObject: () => undefined,
    ...more,
  });
  const told = findings.map(({ finding, key, detail }) => [finding, key, detail]);
  return { told, logged, spelledOut: counts.spelledOut };
}

function verdict(n: number, lists: string | undefined) {
  return {
    schema: "weir.verdict/1",
    verdict_id: String(n),
    revision: 0,
    event_id: String(n),
    tenant: "",
    decision: "ALLOW",
    reasons: [{ check: "poisoning", finding: "no_signal", severity: "INFO", detail: "" }],
    subject: { type: "address", chain_id: "1", address: "0x" },
    required_checks: ["poisoning"],
    checks: [],
    policy: { id: "default", sha256: "ours" },
    ...(lists === undefined ? {} : { lists }),
    source: { topic: "events", partition: 0, offset: String(n) },
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
  };
}

test("a stored set with matching content is counted, and verdicts without lists need none", async () => {
  expect(await audited([id, id, undefined], set.json)).toEqual({ told: [], logged: [], spelledOut: 1 });
  expect(await audited([undefined], undefined)).toEqual({ told: [], logged: [], spelledOut: 0 });
});

test("a missing set is reported once, with the number of verdicts that name it", async () => {
  const { told, spelledOut } = await audited([id, other, id], set.json);

  expect(spelledOut).toBe(1);
  expect(told).toEqual([["lists_missing", `lists/${other}.json`, "named by 1 of the verdicts: it is not there"]]);
});

test.each([
  [
    "another name",
    set.json.replace(/"name": "/, '"name": "x'),
    /names and hashes in it are those of the set [0-9a-f]{16}$/,
  ],
  ["another hash", set.json.replace(/"sha256": "./, '"sha256": "z'), /names and hashes in it are those of the set/],
  ["another id", set.json.replace(id, other), /it holds more than a set of lists, or is written in another way$/],
  ["more than a set", set.json.replace("{", '{"a": 1,'), /it holds more than a set of lists/],
  ["no list", set.json.replace(/\[.*\]/s, "[]"), /names and hashes in it are those of the set/],
  ["a row without a date", set.json.replace(/"date": "[^"]*",/, ""), /it is no set of lists$/],
  ["no JSON", "{", /it is no set of lists$/],
  ["nothing", "", /it is no set of lists$/],
  ["null", "null", /it is no set of lists$/],
])("a set that was changed to %s is reported", async (_what, text, why) => {
  const { told, spelledOut } = await audited([id, id], text);

  expect(told).toEqual([["lists_changed", `lists/${id}.json`, expect.stringMatching(why)]]);
  expect(told[0]?.[2]).toMatch(/^named by 2 of the verdicts: /);
  expect(spelledOut).toBe(0);
});

test("an unreadable set is reported, and an unavailable store ends the audit", async () => {
  class Failing extends FakeObjectStore {
    readonly #error: Error;
    constructor(error: Error) {
      super();
      this.#error = error;
    }
    override async text(): Promise<string | undefined> {
      throw this.#error;
    }
  }
  const failing = (error: Error) => audited([id], undefined, {}, { store: new Failing(error) });

  expect((await failing(new ObjectUnreadableError("is a folder"))).told).toEqual([
    ["lists_unreadable", `lists/${id}.json`, "named by 1 of the verdicts: is a folder"],
  ]);
  await expect(failing(new StoreUnavailableError("503"))).rejects.toThrow("503");
});

test("when only the worker's log holds sets, a missing set is noted and a changed one is reported", async () => {
  const inLog = { keptIn: "log" } as const;

  expect(await audited([id, id], undefined, inLog)).toEqual({ told: [], logged: [[id, 2]], spelledOut: 0 });
  expect((await audited([id], "{", inLog)).told.map(([finding]) => finding)).toEqual(["lists_changed"]);
});

test("ids that lead out of the folder are never read", async () => {
  const { told } = await audited(["../v1/x", "", "ABC", `${id}${id}${id}${id}0`], undefined);

  expect(told).toEqual([
    ["lists_missing", undefined, "4 of the verdicts name ids that are none: no archive spells those out"],
  ]);
});

test("sets that were put again or deleted are reported like objects", async () => {
  const versions: VersionedStore["versions"] = async function* (prefix) {
    if (prefix !== "lists/") return;
    yield { key: set.key, isDeletion: false };
    yield { key: set.key, isDeletion: false };
  };

  expect((await audited([id], set.json, {}, { versioned: { versions } })).told).toEqual([
    ["put_again", set.key, "the object has 2 versions"],
  ]);
});
