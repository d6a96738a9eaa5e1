import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { TicketFile } from "../../../../src/adapters/files/ticket-file.ts";
import type { Ticket } from "../../../../src/events/ticket.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { answered, clean } from "../../../fakes/evidence.ts";
import { ticketOf } from "../../../fakes/tickets.ts";
import { emptyFolder } from "../../../support/folder.ts";

const newFile = async () => path.join(await emptyFolder(), "tickets.ndjson");
const textOf = (...tickets: readonly Ticket[]) => tickets.map((ticket) => `${JSON.stringify(ticket)}\n`).join("");
const full = ticketOf({ checks: [answered("poisoning", { target: clean.target })], attempt: 2, revision: 1 });

/** Opens, appends, and closes; gives what was there before. */
async function reopen(file: string, ...tickets: readonly Ticket[]): Promise<readonly Ticket[]> {
  const { file: opened, found } = await TicketFile.open(file);
  for (const ticket of tickets) await opened.append(ticket);
  await opened.close();
  for (const [id, ticket] of found) expect(id).toBe(ticket.verdict_id);
  return [...found.values()];
}

test("a new file holds nothing, and a ticket is in it once it was appended", async () => {
  const file = await newFile();
  const { file: opened, found } = await TicketFile.open(file);

  await opened.append(full);
  const text = await readFile(file, "utf8");
  await opened.close();

  expect(found.size).toBe(0);
  expect(text).toBe(textOf(full));
});

test("many tickets at once are whole lines in their order", async () => {
  const file = await newFile();
  const { file: opened } = await TicketFile.open(file);
  const tickets = Array.from({ length: 200 }, (_, i) => ticketOf({}, i + 1));

  await Promise.all(tickets.map((ticket) => opened.append(ticket)));
  await opened.close();

  expect(await readFile(file, "utf8")).toBe(textOf(...tickets));
});

test("closing waits for what is being written", async () => {
  const file = await newFile();
  const { file: opened } = await TicketFile.open(file);

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

test("a file that cannot be opened says so", async () => {
  const file = await newFile();
  await mkdir(file);

  await expect(TicketFile.open(file)).rejects.toThrow(OutputUnwritableError);
  await expect(TicketFile.open(file)).rejects.toThrow(/^cannot write .*tickets\.ndjson: EISDIR.*choose another --out$/);
});

test("a ticket that cannot be written says so, and so does the next", async () => {
  const { file: opened } = await TicketFile.open(await newFile());
  await opened.close();

  await expect(opened.append(full)).rejects.toThrow(/^cannot write tickets\.ndjson: /);
  await expect(opened.append(full)).rejects.toThrow(OutputUnwritableError);
});

test("a file that is another's by now gets nothing", async () => {
  const file = await newFile();
  await writeFile(file, textOf(full));
  const error = new OutputUnwritableError("out was taken over");
  let confirm: () => Promise<void> = async () => {};
  const { file: opened } = await TicketFile.open(file, () => confirm());
  const before = await readFile(file, "utf8");
  confirm = () => Promise.reject(error);

  await expect(opened.append(full)).rejects.toBe(error);
  await expect(TicketFile.open(file, confirm)).rejects.toBe(error);
  await opened.close();

  expect(await readFile(file, "utf8")).toBe(before);
});
