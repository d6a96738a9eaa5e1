import { readFile, writeFile } from "node:fs/promises";
import type { LabelFormat } from "../../adapters/files/label-format.ts";
import { labelFormats, type Unsaid } from "../../adapters/files/label-formats.ts";
import { noText } from "../../adapters/files/no-text.ts";
import { parseAddress } from "../../chains/address.ts";
import { chainByForm } from "../../chains/chain-by-form.ts";
import { findChain } from "../../chains/registry.ts";
import { ConfigInvalidError, InputUnreadableError, toError } from "../../kernel/errors.ts";
import { unsteered } from "../../kernel/unsteered.ts";
import type { AddressLabel } from "../../labels/label.ts";
import { readLabelList, type SourceRow } from "../../labels/label-list.ts";
import { LabelBook } from "../../service/labels/label-book.ts";
import { type Environment, LabelsEnv, readEnv } from "../config.ts";
import { labelFiles } from "../label-paths.ts";
import { importReport, labelFile, labelLine } from "../label-report.ts";

export interface ImportFlags extends Unsaid {
  readonly format: LabelFormat;
  readonly out?: string;
}

/**
 * Makes a label file of what others publish, on standard output or in `out`, and tells on standard error what was refused.
 *
 * @returns the exit status: 0, or 2 when some row was refused.
 * @throws {InputUnreadableError} when the file cannot be read, or is not of its format.
 */
export async function importLabels(file: string, flags: ImportFlags): Promise<0 | 2> {
  const rows = rowsIn(file, await textOf(file), flags);
  const list = readLabelList(file, rows);
  const made = labelFile(list);
  if (flags.out === undefined) process.stdout.write(made);
  else await writeNew(flags.out, made);
  process.stderr.write(importReport(list, rows.length));
  return list.refused.length === 0 ? 0 : 2;
}

/** @throws {ConfigInvalidError} when the file is there already, or cannot be written. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx" });
  } catch (thrown) {
    const { code, message } = toError(thrown) as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "it is there already: name another, or remove it" : message;
    throw new ConfigInvalidError(`--out ${file}: ${why}`);
  }
}

/**
 * Prints what an address is by the labels in use, and what it resembles.
 *
 * @returns the exit status: 0, or 2 when it is malicious, sanctioned, or resembles what it is not.
 * @throws {ConfigInvalidError} for a chain or an address that is none, and for labels that cannot be read.
 */
export async function checkLabel(text: string, chainId: string | undefined, env: Environment): Promise<0 | 2> {
  const id = chainId ?? chainOf(text);
  const chain = findChain(id);
  if (chain === undefined) throw new ConfigInvalidError(`--chain ${id}: unknown chain`);
  const parsed = parseAddress(chain.family, text);
  if (!parsed.ok) throw new ConfigInvalidError(`${text} is no address of ${chain.name}: ${parsed.detail}`);
  const address = parsed.value;
  const book = LabelBook.of(await labelFiles(readEnv(LabelsEnv, env)).load());
  const own = book.labelsOf(chain, address);
  const elsewhere = book.labelsElsewhere(chain, address);
  const isKnown = book.isWellKnown(chain, address);
  const resembled = isKnown
    ? []
    : [book.wellKnownImitatedBy(chain.family, address), book.tokenImitatedBy(chain, address)];
  const lines = [
    ...own.map((label) => labelLine("is", label)),
    ...elsewhere.map((label) => labelLine("is elsewhere", label)),
    ...resembled.flatMap((label) => (label === undefined ? [] : [labelLine("resembles", label)])),
  ];
  process.stdout.write(
    `${lines.length === 0 ? `no label, and nothing it resembles, on ${chain.name}` : lines.join("\n")}\n`,
  );
  return own.some(isAccused) || resembled.some((label) => label !== undefined) ? 2 : 0;
}

function isAccused({ kind }: AddressLabel): boolean {
  return kind === "malicious" || kind === "sanctioned" || kind === "blocked";
}

/** Longer text is nobody's address: a message need not repeat it. */
const MAX_SHOWN = 100;

function chainOf(text: string): string {
  const chain = chainByForm(text);
  if (chain.ok) return chain.value;
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  throw new ConfigInvalidError(`"${unsteered(shown)}" is no address: ${chain.detail}`);
}

async function textOf(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    const what = noText(bytes);
    if (what !== undefined) throw new InputUnreadableError(`cannot read ${file}: ${what}`);
    return bytes.toString("utf8");
  } catch (thrown) {
    if (thrown instanceof InputUnreadableError) throw thrown;
    throw new InputUnreadableError(`cannot read ${file}: ${toError(thrown).message}`, {}, { cause: thrown });
  }
}

function rowsIn(file: string, text: string, { format, ...unsaid }: ImportFlags): readonly SourceRow[] {
  try {
    return labelFormats[format](text, unsaid);
  } catch (thrown) {
    throw new InputUnreadableError(
      `${file} is not of the format ${format}: ${toError(thrown).message}`,
      {},
      { cause: thrown },
    );
  }
}
