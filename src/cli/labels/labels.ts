import { readAddressOn } from "../../chains/address-advice.ts";
import { chainByForm } from "../../chains/chain-by-form.ts";
import { findChain } from "../../chains/registry.ts";
import { isSystemAddress, mimicsSystem } from "../../chains/solana/system-addresses.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { singleLine } from "../../kernel/text.ts";
import { LabelBook } from "../../service/labels/label-book.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { LabelsEnv } from "../config/env/serve-env.ts";
import { labelFiles } from "../config/label-paths.ts";
import { labelLine } from "./label-report.ts";

/**
 * Prints the labels of an address, and the labels that it resembles.
 *
 * @returns the exit status: 0, or 2 when labels accuse the address, or it resembles a labelled one.
 * @throws {ConfigInvalidError} for an invalid chain or address, and for labels that cannot be read.
 */
export async function checkLabel(text: string, chainId: string | undefined, env: Environment): Promise<0 | 2> {
  const id = chainId ?? chainOf(text);
  const chain = findChain(id);
  if (chain === undefined) throw new ConfigInvalidError(`--chain ${id}: unknown chain`);
  const parsed = readAddressOn(chain, text);
  if (!parsed.ok) throw new ConfigInvalidError(`${text} is no address of ${chain.name}: ${parsed.detail}`);
  const address = parsed.value;
  const config = readEnv(LabelsEnv, env);
  const book = LabelBook.of(
    await labelFiles({ ...config, LABELS_FILES: [...config.LABELS_FILES, ...config.LISTS_FILES] }).load(),
  );
  const own = book.labelsOf(chain, address);
  const elsewhere = book.labelsElsewhere(chain, address);
  const isOriginal = book.isOriginal(chain, address);
  const resembled = isOriginal
    ? []
    : [book.wellKnownImitatedBy(chain.family, address), book.tokenImitatedBy(chain, address)];
  const isSolana = chain.family === "solana";
  const isMimic = isSolana && mimicsSystem(address);
  const lines = [
    ...(isSolana && isSystemAddress(address) ? [`is a program or an account of Solana itself: ${address}`] : []),
    ...(isMimic ? [`imitates a program or an account of Solana itself, and is none: ${address}`] : []),
    ...own.map((label) => labelLine("is", label)),
    ...elsewhere.map((label) => labelLine("is elsewhere", label)),
    ...resembled.flatMap((label) => (label === undefined ? [] : [labelLine("resembles", label)])),
  ];
  process.stdout.write(
    `${lines.length === 0 ? `no label, and nothing it resembles, on ${chain.name}` : lines.join("\n")}\n`,
  );
  const isAccused = book.standingOf(chain, address).accusations.length > 0;
  return isAccused || isMimic || resembled.some((label) => label !== undefined) ? 2 : 0;
}

/** Longest text that a message repeats: a longer text is no address. */
const MAX_SHOWN = 100;

function chainOf(text: string): string {
  const chain = chainByForm(text);
  if (chain.ok) return chain.value;
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  throw new ConfigInvalidError(`"${singleLine(shown)}" is no address: ${chain.detail}`);
}
