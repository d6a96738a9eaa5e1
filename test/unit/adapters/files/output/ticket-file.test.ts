import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { TicketFile } from "../../../../../src/adapters/files/output/ticket-file.ts";
import { OutputUnwritableError } from "../../../../../src/kernel/errors.ts";
import type { Ticket } from "../../../../../src/messages/ticket.ts";
import { answered, clean } from "../../../../fakes/evidence.ts";
import { ticketOf } from "../../../../fakes/tickets.ts";
import { emptyFolder } from "../../../../support/folder.ts";
import { heapUsed } from "../../../../support/heap-used.ts";

const newFile = async () => path.join(await emptyFolder(), "tickets.ndjson");
const textOf = (...tickets: readonly Ticket[]) => tickets.map((ticket) => `${JSON.stringify(ticket)}\n`).join("");
const full = ticketOf({ checks: [answered("poisoning", { target: clean.target })], attempt: 2, revision: 1 });

const all = () => true;

/** Opens, appends, and closes; gives what was there before and is open. */
async function reopen(file: string, ...tickets: readonly Ticket[]): Promise<readonly Ticket[]> {
  return reopenWith(all, file, ...tickets);
}

async function reopenWith(isOpen: (ticket: Ticket) => boolean, file: string, ...tickets: readonly Ticket[]) {
  const { file: opened, found } = await TicketFile.open(file, isOpen);
  for (const ticket of tickets) await opened.append(ticket);
  await opened.close();
  for (const [id, ticket] of found) expect(id).toBe(ticket.verdict_id);
  return [...found.values()];
}

test("a new file holds nothing, and a ticket is in it once it was appended", async () => {
  const file = await newFile();
  const { file: opened, found } = await TicketFile.open(file, all);

  await opened.append(full);
  const text = await readFile(file, "utf8");
  await opened.close();

  expect(found.size).toBe(0);
  expect(text).toBe(textOf(full));
});

test("many tickets at once are whole lines in their order", async () => {
  const file = await newFile();
  const { file: opened } = await TicketFile.open(file, all);
  const tickets = Array.from({ length: 200 }, (_, i) => ticketOf({}, i + 1));

  await Promise.all(tickets.map((ticket) => opened.append(ticket)));
  await opened.close();

  expect(await readFile(file, "utf8")).toBe(textOf(...tickets));
});

test("closing waits for what is being written", async () => {
  const file = await newFile();
  const { file: opened } = await TicketFile.open(file, all);

  const appending = opened.append(full);
  await opened.close();
  await appending;

  expect(await reopen(file)).toEqual([full]);
});

test("a file that is opened again gives the tickets as they were, of each verdict the last", async () => {
  const file = await newFile();
  const [first, second, other] = [ticketOf(), ticketOf({ attempt: 2 }), ticketOf({}, 2)];
  await writeFile(file, textOf(first, other, second));

  expect(await reopen(file, full)).toEqual([second, other]);
  expect(await reopen(file)).toEqual([full, other]);
});

describe("a torn last line, as a kill leaves it", () => {
  const line = JSON.stringify(ticketOf({}, 2));

  test.each([
    ["of one byte", line.slice(0, 1)],
    ["of half a line", line.slice(0, 100)],
  ])("%s is nobody's ticket, and no part of the next one", async (_name, torn) => {
    const file = await newFile();
    await writeFile(file, textOf(full));
    await appendFile(file, torn);

    expect(await reopen(file, ticketOf({}, 3))).toEqual([full]);
    expect(await reopen(file, ticketOf({}, 4))).toEqual([full, ticketOf({}, 3)]);
    expect(await reopen(file)).toEqual([full, ticketOf({}, 3), ticketOf({}, 4)]);
  });

  test("of which only the end is missing is a ticket", async () => {
    const file = await newFile();
    await writeFile(file, line);

    expect(await reopen(file, full)).toEqual([ticketOf({}, 2)]);
    expect(await reopen(file)).toEqual([ticketOf({}, 2), full]);
  });
});

test.each([
  ["no JSON", "nonsense"],
  ["no ticket", "{}"],
  ["of another schema", JSON.stringify({ ...ticketOf(), schema: "weir.ticket/2" })],
  ["due at no time", JSON.stringify({ ...ticketOf(), due_at: null })],
  ["empty", ""],
])("a line that is %s is passed over", async (_name, line) => {
  const file = await newFile();
  await writeFile(file, `${line}\n${textOf(full)}`);

  expect(await reopen(file)).toEqual([full]);
});

describe("of what has had its day", () => {
  /** Tickets on the verdicts of lines above this one are open. */
  const above = (line: number) => (ticket: Ticket) => "line" in ticket.source && ticket.source.line > line;
  const ticketsOf = (count: number) => Array.from({ length: count }, (_, i) => ticketOf({}, i + 1));

  test("nothing is given, and nothing is kept in memory", async () => {
    const file = await newFile();
    const count = 10_000;
    await writeFile(file, textOf(...ticketsOf(count)));
    // What is made once, whatever is read, is not counted.
    await reopenWith(above(count), file);
    await writeFile(file, textOf(...ticketsOf(count)));
    const before = await heapUsed();

    const { file: opened, found } = await TicketFile.open(file, above(count - 1));
    const taken = (await heapUsed()) - before;
    await opened.close();

    expect([...found.values()]).toEqual([ticketOf({}, count)]);
    expect(taken).toBeLessThan(500_000);
  });

  test("the last ticket that is open counts, though one that is not stands behind it", async () => {
    const file = await newFile();
    const [first, second, third] = [1, 2, 3].map((attempt) => ticketOf({ attempt }));
    await writeFile(file, textOf(first ?? full, second ?? full, third ?? full));

    expect(await reopenWith(({ attempt }) => attempt < 3, file)).toEqual([second]);
  });

  test("nothing stays in the file once it is most of it: what is open does, and each once", async () => {
    const file = await newFile();
    const tickets = ticketsOf(2_000);
    const open = tickets.slice(1_200).map((ticket) => ({ ...ticket, attempt: 2 }));
    await writeFile(file, `${textOf(...tickets, ...open)}{"torn`);

    expect(await reopenWith(above(1_200), file, full)).toEqual(open);
    expect(await readFile(file, "utf8")).toBe(`${textOf(...open)}\n${textOf(full)}`);
    expect(await readdir(path.dirname(file))).toEqual(["tickets.ndjson"]);
    expect(await reopen(file)).toEqual([...open, full]);
  });

  test("nothing stays of a file of which nothing is open", async () => {
    const file = await newFile();
    await writeFile(file, textOf(...ticketsOf(1_001)));

    expect(await reopenWith(above(1_001), file)).toEqual([]);
    expect(await readFile(file, "utf8")).toBe("");
  });

  test.each([
    ["a thousand lines", 1_000, 1_000],
    ["less than what is open", 2_100, 1_049],
  ])("%s stay in the file: to write it anew would cost more than it gives", async (_what, count, spent) => {
    const file = await newFile();
    const text = textOf(...ticketsOf(count));
    await writeFile(file, text);

    expect(await reopenWith(above(spent), file)).toHaveLength(count - spent);
    expect(await readFile(file, "utf8")).toBe(`${text}\n`);
  });

  test("a file that was being written anew when its run died is written over, and the one before it still counts", async () => {
    const file = await newFile();
    await writeFile(file, textOf(...ticketsOf(1_100)));
    await writeFile(`${file}.tmp`, textOf(...ticketsOf(9)).slice(0, -20));

    expect(await reopenWith(above(1_099), file)).toEqual([ticketOf({}, 1_100)]);
    expect(await readFile(file, "utf8")).toBe(`${textOf(ticketOf({}, 1_100))}\n`);
    expect(await readdir(path.dirname(file))).toEqual(["tickets.ndjson"]);
  });

  test("a file that cannot be written anew says so, and stays as it was", async () => {
    const file = await newFile();
    const text = textOf(...ticketsOf(1_100));
    await writeFile(file, text);
    await mkdir(`${file}.tmp`);

    await expect(reopenWith(above(1_100), file)).rejects.toThrow(/^cannot write .*tickets\.ndjson: EISDIR/);
    expect(await readFile(file, "utf8")).toBe(text);
  });
});

test("a file that cannot be opened says so", async () => {
  const file = await newFile();
  await mkdir(file);

  await expect(TicketFile.open(file, all)).rejects.toThrow(OutputUnwritableError);
  await expect(TicketFile.open(file, all)).rejects.toThrow(
    /^cannot write .*tickets\.ndjson: EISDIR.*choose another --out$/,
  );
});

test("a ticket that cannot be written says so, and so does the next", async () => {
  const { file: opened } = await TicketFile.open(await newFile(), all);
  await opened.close();

  await expect(opened.append(full)).rejects.toThrow(/^cannot write tickets\.ndjson: /);
  await expect(opened.append(full)).rejects.toThrow(OutputUnwritableError);
});

test("after a write that failed nothing more is written: a torn line must stay the last one", async () => {
  const file = await newFile();
  const error = new OutputUnwritableError("no space left");
  const torn = textOf(ticketOf({}, 2)).slice(0, 60);
  let isNext = false;
  const { file: opened } = await TicketFile.open(file, all, async () => {
    if (!isNext) return;
    isNext = false;
    // As a disk leaves it that had room for so much.
    await appendFile(file, torn);
    throw error;
  });
  await opened.append(full);
  isNext = true;

  const second = opened.append(ticketOf({}, 2));
  const third = opened.append(ticketOf({}, 3));
  await expect(second).rejects.toBe(error);
  await expect(third).rejects.toBe(error);
  await expect(opened.append(ticketOf({}, 4))).rejects.toBe(error);
  await opened.close();

  expect(await readFile(file, "utf8")).toBe(`${textOf(full)}${torn}`);
  expect(await reopen(file, ticketOf({}, 5))).toEqual([full]);
  expect(await reopen(file)).toEqual([full, ticketOf({}, 5)]);
});

test("a file that is another's by now gets nothing", async () => {
  const file = await newFile();
  await writeFile(file, textOf(full));
  const error = new OutputUnwritableError("out was taken over");
  let confirm: () => Promise<void> = async () => {};
  const { file: opened } = await TicketFile.open(file, all, () => confirm());
  const before = await readFile(file, "utf8");
  confirm = () => Promise.reject(error);

  await expect(opened.append(full)).rejects.toBe(error);
  await expect(TicketFile.open(file, all, confirm)).rejects.toBe(error);
  await opened.close();

  expect(await readFile(file, "utf8")).toBe(before);
});
