import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type FileRecord, readRecords } from "../../../../src/adapters/files/input/records.ts";
import { enqueuedRecord, refuseUnusableName } from "../../../../src/cli/enqueue/enqueued-record.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { MAX_EVENT_BYTES } from "../../../../src/messages/event.ts";
import { readEventRecord } from "../../../../src/worker/consumer/records/read-event.ts";
import { verdictIdOf } from "../../../../src/worker/plan/reading/record-identity.ts";
import { emptyFolder } from "../../../support/folder.ts";

const address = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
const user = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";

async function enqueued(name: string, text: string, chain?: string) {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, text);
  const found: FileRecord[] = [];
  for await (const record of readRecords({ path: file, defaults: { users: [], chain } })) found.push(record);
  return found.map((record) => {
    const { key, value } = enqueuedRecord(record, record.isEventJson);
    return { record, key, text: Buffer.from(value).toString() };
  });
}

const line = (own: object = {}) =>
  JSON.stringify({ type: "address", chain_id: "1", address, user_addresses: [user], ...own });

describe("an event in JSON", () => {
  test("with an id is sent unchanged", async () => {
    const [only] = await enqueued("a.ndjson", line({ id: "7" }));

    expect(only).toMatchObject({ key: `evm:${address.toLowerCase()}`, text: line({ id: "7" }) });
  });

  test("without an id gets the file's name and its line, and is otherwise unchanged to the letter", async () => {
    const rest = `"type": "address","chain_id":1,"address":"${address}","ref":{"n":9007199254740993,"f":1.50}}`;
    const [, second] = await enqueued("a.ndjson", `\n \uFEFF{ ${rest}\n{${rest}`);

    expect(second?.text).toBe(`{"id":"a.ndjson/3",${rest}`);
  });

  test("that would be too long with an id is sent without one", async () => {
    const long = line({ ref: "x".repeat(MAX_EVENT_BYTES - line({ ref: "" }).length) });
    const [only] = await enqueued("a.ndjson", long);

    expect(only?.record.event.ok).toBe(true);
    expect(only?.text).toBe(long);
  });

  test("a transaction has the key of its verdict", async () => {
    const transaction = { from: address, to: user, value: "1" };
    const [only] = await enqueued("a.ndjson", JSON.stringify({ type: "transaction", chain_id: "1", transaction }));

    const [from, to] = [address.toLowerCase(), user.toLowerCase()];
    expect(only?.key).toBe(
      sha256(`{"chain_id":"1","data":"0x","delegates":[],"from":"${from}","to":"${to}","value":"1"}`),
    );
  });
});

test.each([
  ["rows.csv", `chain,address,users,ref\neth,${address},${user},"a, b"\n`],
  ["list.txt", `# mine\n${address}\n`],
  ["a.ndjson", line()],
])("a line of %s has the verdict id of weir screen", async (name, text) => {
  const [only] = await enqueued(name, text, name === "list.txt" ? "eth" : undefined);
  const at = { topic: "t", partition: 0, offset: 0, timestamp: 0, headers: {} };
  const read = readEventRecord({ ...at, value: Buffer.from(only?.text ?? "") }, "backfill");

  expect(read.event).toMatchObject({ ok: true, value: { address } });
  expect(verdictIdOf(read)).toBe(only === undefined ? "" : verdictIdOf(only.record));
});

test("a line that is no event is sent unchanged, with its bytes as the key", async () => {
  const [first, second] = await enqueued("rows.csv", `chain,address\neth,${address},more\neth\n`);

  expect(first).toMatchObject({ key: sha256(`eth,${address},more`), text: `eth,${address},more` });
  expect(second).toMatchObject({ key: sha256("eth"), text: "eth" });
});

test.each(["x".repeat(240), "a\u0007.csv"])("a file name that fits into no id is refused: %j", (name) => {
  expect(() => refuseUnusableName(name)).toThrow("rename the file");
  expect(() => refuseUnusableName("events.ndjson")).not.toThrow();
});
