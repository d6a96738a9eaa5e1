import type { Format } from "../../adapters/files/input/format.ts";
import type { RecordsOptions } from "../../adapters/files/input/records.ts";
import type { LoadedMapping } from "../../adapters/files/mapping/mapping-file.ts";
import { readHistory } from "../../adapters/files/mapping/wallet-history.ts";
import { findChain } from "../../chains/registry.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { countText } from "../../kernel/text.ts";
import { canonicalOf } from "../../messages/mapping/own-wallets.ts";
import { MAX_PAID, type PaidAddresses } from "../../messages/mapping/paid-addresses.ts";
import { bundled } from "../program/package-root.ts";
import { checkInputFlags, type InputFlags } from "./input-flags.ts";

/** The flags of a command with a file of events. */
export interface FileFlags extends InputFlags {
  readonly format?: Format;
}

/**
 * The input that the flags describe. With a wallet, the whole file is read once for the wallet's payments.
 *
 * @param notice receives what the operator should know beforehand.
 * @throws {ConfigInvalidError | InputUnreadableError}
 */
export async function inputOptions(
  file: string,
  flags: FileFlags,
  notice: (message: string) => void,
): Promise<RecordsOptions> {
  checkInputFlags(flags);
  const options: RecordsOptions = {
    path: file,
    format: flags.format,
    defaults: { chain: flags.chain, users: flags.user, token: flags.token },
    ignored: flags.ignore,
    isFinished: flags.finished,
    keepColumns: flags.keepColumns,
  };
  const wallets = walletsOf(flags.wallet);
  const loaded = await loadedMapping(flags);
  if (loaded === undefined) {
    if (wallets.length > 0)
      throw new ConfigInvalidError("--wallet needs a mapping with both ends: add --preset or --map");
    return options;
  }
  const onIgnored = (columns: readonly string[]) =>
    notice(`${loaded.name} leaves out on purpose: ${columns.join(", ")}`);
  if (wallets.length === 0) return { ...options, mapping: loaded };
  const onAssumedChain = (id: string) => {
    const chain = findChain(id);
    // Exports of one explorer's software look alike on all its chains.
    if (chain?.family === "evm")
      notice(`${loaded.name} takes every row for ${chain.name}: --chain names another chain`);
  };
  const { input, paid } = await readHistory({ ...options, onIgnored, onAssumedChain }, loaded, wallets);
  for (const line of historyLines(paid)) notice(line);
  return { ...options, mapping: input };
}

/** The mapping of --map or --preset. @throws {ConfigInvalidError} */
export async function loadedMapping({
  map,
  preset,
}: Pick<InputFlags, "map" | "preset">): Promise<LoadedMapping | undefined> {
  if (map !== undefined && preset !== undefined) throw new ConfigInvalidError("--map and --preset: give one of them");
  if (map === undefined && preset === undefined) return undefined;
  // Loaded on demand: most files have no mapping, and need no parser of YAML.
  const { readMapping, readPreset } = await import("../../adapters/files/mapping/mapping-file.ts");
  return map === undefined ? readPreset(bundled.mappings, preset ?? "") : readMapping(map);
}

function walletsOf(given: readonly string[]): readonly string[] {
  return given.map((text) => {
    const address = canonicalOf(text);
    if (address === undefined) throw new ConfigInvalidError(`--wallet ${text}: no valid address of a screened chain`);
    return address;
  });
}

function historyLines(paid: PaidAddresses): readonly string[] {
  const lines: string[] = [];
  if (paid.resembling > 0)
    lines.push(
      `${countText(paid.resembling, "payee")} of the wallet look like an earlier payee: payments to them do not make them known`,
    );
  if (paid.isCapped)
    lines.push(`the wallet paid more than ${MAX_PAID} addresses: each row is compared with the last ${MAX_PAID}`);
  return lines;
}
