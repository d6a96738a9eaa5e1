import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { plainWords } from "../../api/requests/plain-words.ts";
import { adapterOperations } from "../../api/schemas/adapter-answers.ts";
import { InputUnreadableError, toError } from "../../kernel/errors.ts";
import { decisions } from "../../messages/decision.ts";

/** The outcome of an answer: a decision, or LATER for an analysis that still runs. */
const outcomes = [...decisions, "LATER"] as const;
const OutcomeWord = z.enum(outcomes);

const EXPECTED = `must be one of ${outcomes.join(", ")}; of a batch an object by address, as {"0xabc...": "ALLOW"}`;

/** One recorded question with the response of the service, and the expected outcome. */
const CaseFile = z.strictObject({
  operation: z.enum(adapterOperations),
  question: z.record(z.string(), z.unknown()),
  request: z
    .strictObject({
      method: z.enum(["GET", "POST"]).optional(),
      path: z.string().optional(),
      body: z.unknown().optional(),
    })
    .optional()
    .describe("what the adapter is to send; path with its query"),
  response: z.strictObject({
    status: z.number().int().min(100).max(599).default(200),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown(),
  }),
  expect: z
    .union([OutcomeWord, z.record(z.string(), OutcomeWord)], { error: EXPECTED })
    .describe("decision on the check alone; of a batch by target"),
  code: z.string().optional().describe("finding or failure that is to be among the reasons"),
  needs: z
    .array(z.string().min(1))
    .default([])
    .describe("dotted fields of the body without which nothing is clean; of a list also by number"),
});
export type AdapterCase = z.infer<typeof CaseFile> & { readonly name: string };

/**
 * Every case of a folder, in the order of the names.
 *
 * @throws {InputUnreadableError} naming each file at fault, and the position of the fault.
 */
export async function readCases(folder: string): Promise<readonly AdapterCase[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(".json")).toSorted();
  if (names.length === 0)
    throw new InputUnreadableError(`${folder} holds no case: write one file NAME.json for each recorded answer`);
  return Promise.all(names.map((name) => readCase(folder, name)));
}

async function readCase(folder: string, name: string): Promise<AdapterCase> {
  const file = path.join(folder, name);
  const read = CaseFile.safeParse(await jsonOf(file), { error: plainWords });
  if (read.success) return { ...read.data, name };
  const faults = read.error.issues.map(
    ({ path: at, message }) => `${at.map(String).join(".") || "the file"}: ${message}`,
  );
  throw new InputUnreadableError(`${file}: ${faults.join("; ")}`);
}

async function jsonOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (thrown) {
    throw new InputUnreadableError(`${file}: cannot be read as JSON: ${toError(thrown).message}`);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    throw new InputUnreadableError(`cannot read the folder of cases ${folder}: ${toError(thrown).message}`);
  }
}
