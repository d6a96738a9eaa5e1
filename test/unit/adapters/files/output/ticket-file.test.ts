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

/** Opens, appends, and closes. Returns the open tickets that the file had. */
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

test("a new file is empty, and holds a ticket after its append", async () => {
  const file = await newFile();
  const { file: opened, found } = await TicketFile.open(file, all);

  await opened.append(full);
  const text = await readFile(file, "utf8");
  await opened.close();

  expect(found.size).toBe(0);
  expect(text).toBe(textOf(full));
});

test("many parallel tickets are whole lines in their order", async () => {
  const file = await newFile();
  const { file: opened } = await TicketFile.open(file, all);
  const tickets = Array.from({ length: 200 }, (_, i) => ticketOf({}, i + 1));

  await Promise.all(tickets.map((ticket) => opened.append(ticket)));
  await opened.close();

  expect(await readFile(file, "utf8")).toBe(textOf(...tickets));
});

test("a close waits for the current write", async () => {
  const file = await newFile();
  const { file: opened } = await TicketFile.open(file, all);

  const appending = opened.append(full);
  await opened.close();
  await appending;

  expect(await reopen(file)).toEqual([full]);
});

test("a reopened file returns the last ticket of each verdict, unchanged", async () => {
  const file = await newFile();
  const [first, second, other] = [ticketOf(), ticketOf({ attempt: 2 }), ticketOf({}, 2)];
  await writeFile(file, textOf(first, other, second));

  expect(await reopen(file, full)).toEqual([second, other]);
  expect(await reopen(file)).toEqual([full, other]);
});

describe("a torn last line after a kill", () => {
  const line = JSON.stringify(ticketOf({}, 2));

  test.each([
    ["of one byte", line.slice(0, 1)],
    ["of half a line", line.slice(0, 100)],
  ])("%s is no ticket, and no part of the next one", async (_name, torn) => {
    const file = await newFile();
    await writeFile(file, textOf(full));
    await appendFile(file, torn);

    expect(await reopen(file, ticketOf({}, 3))).toEqual([full]);
    expect(await reopen(file, ticketOf({}, 4))).toEqual([full, ticketOf({}, 3)]);
    expect(await reopen(file)).toEqual([full, ticketOf({}, 3), ticketOf({}, 4)]);
  });

  test("without its line end only is a ticket", async () => {
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
])("a line that is %s is skipped", async (_name, line) => {
  const file = await newFile();
  await writeFile(file, `${line}\n${textOf(full)}`);

  expect(await reopen(file)).toEqual([full]);
});

describe("obsolete tickets", () => {
  /** Tickets for lines above this one are open. */
  const above = (line: number) => (ticket: Ticket) => "line" in ticket.source && ticket.source.line > line;
  const ticketsOf = (count: number) => Array.from({ length: count }, (_, i) => ticketOf({}, i + 1));

  test("are not returned, and not kept in memory", async () => {
    const file = await newFile();
    const count = 10_000;
    await writeFile(file, textOf(...ticketsOf(count)));
    // Allocations that do not depend on the content are not counted.
    await reopenWith(above(count), file);
    await writeFile(file, textOf(...ticketsOf(count)));
    const before = await heapUsed();

    const { file: opened, found } = await TicketFile.open(file, above(count - 1));
    const taken = (await heapUsed()) - before;
    await opened.close();

    expect([...found.values()]).toEqual([ticketOf({}, count)]);
    expect(taken).toBeLessThan(500_000);
  });

  test("the last open ticket counts, even when an obsolete one follows", async () => {
    const file = await newFile();
    const [first, second, third] = [1, 2, 3].map((attempt) => ticketOf({ attempt }));
    await writeFile(file, textOf(first ?? full, second ?? full, third ?? full));

    expect(await reopenWith(({ attempt }) => attempt < 3, file)).toEqual([second]);
  });

  test("are removed from the file once they are most of it, and each open ticket stays once", async () => {
    const file = await newFile();
    const tickets = ticketsOf(2_000);
    const open = tickets.slice(1_200).map((ticket) => ({ ...ticket, attempt: 2 }));
    await writeFile(file, `${textOf(...tickets, ...open)}{"torn`);

    expect(await reopenWith(above(1_200), file, full)).toEqual(open);
    expect(await readFile(file, "utf8")).toBe(`${textOf(...open)}\n${textOf(full)}`);
    expect(await readdir(path.dirname(file))).toEqual(["tickets.ndjson"]);
    expect(await reopen(file)).toEqual([...open, full]);
  });

  test("are removed from a file without open tickets", async () => {
    const file = await newFile();
    await writeFile(file, textOf(...ticketsOf(1_001)));

    expect(await reopenWith(above(1_001), file)).toEqual([]);
    expect(await readFile(file, "utf8")).toBe("");
  });

  test.each([
    ["a thousand lines", 1_000, 1_000],
    ["less than what is open", 2_100, 1_049],
  ])("%s stay in the file: a rewrite would cost more than it saves", async (_what, count, spent) => {
    const file = await newFile();
    const text = textOf(...ticketsOf(count));
    await writeFile(file, text);

    expect(await reopenWith(above(spent), file)).toHaveLength(count - spent);
    expect(await readFile(file, "utf8")).toBe(`${text}\n`);
  });

  test("an unfinished rewrite of a killed run is overwritten, and the earlier file still counts", async () => {
    const file = await newFile();
    await writeFile(file, textOf(...ticketsOf(1_100)));
    await writeFile(`${file}.tmp`, textOf(...ticketsOf(9)).slice(0, -20));

    expect(await reopenWith(above(1_099), file)).toEqual([ticketOf({}, 1_100)]);
    expect(await readFile(file, "utf8")).toBe(`${textOf(ticketOf({}, 1_100))}\n`);
    expect(await readdir(path.dirname(file))).toEqual(["tickets.ndjson"]);
  });

  test("a file that cannot be rewritten is reported, and stays unchanged", async () => {
    const file = await newFile();
    const text = textOf(...ticketsOf(1_100));
    await writeFile(file, text);
    await mkdir(`${file}.tmp`);

    await expect(reopenWith(above(1_100), file)).rejects.toThrow(/^cannot write .*tickets\.ndjson: EISDIR/);
    expect(await readFile(file, "utf8")).toBe(text);
  });
});

test("a file that cannot be opened is reported", async () => {
  const file = await newFile();
  await mkdir(file);

  await expect(TicketFile.open(file, all)).rejects.toThrow(OutputUnwritableError);
  await expect(TicketFile.open(file, all)).rejects.toThrow(
    /^cannot write .*tickets\.ndjson: EISDIR.*choose another --out$/,
  );
});

test("a ticket that cannot be written is reported, and so is the next one", async () => {
  const { file: opened } = await TicketFile.open(await newFile(), all);
  await opened.close();

  await expect(opened.append(full)).rejects.toThrow(/^cannot write tickets\.ndjson: /);
  await expect(opened.append(full)).rejects.toThrow(OutputUnwritableError);
});

test("after a failed write nothing more is written: a torn line must stay the last one", async () => {
  const file = await newFile();
  const error = new OutputUnwritableError("no space left");
  const torn = textOf(ticketOf({}, 2)).slice(0, 60);
  let isNext = false;
  const { file: opened } = await TicketFile.open(file, all, async () => {
    if (!isNext) return;
    isNext = false;
    // The file as a full disk leaves it.
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

test("a file that another process has taken gets no ticket", async () => {
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
