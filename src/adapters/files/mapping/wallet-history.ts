import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { OwnWallets } from "../../../messages/mapping/own-wallets.ts";
import { PaidAddresses } from "../../../messages/mapping/paid-addresses.ts";
import { STDIN } from "../input/input-bytes.ts";
import { isRegularFile } from "../input/lines.ts";
import { type RecordsOptions, readRecords } from "../input/records.ts";
import type { MappedInput } from "./mapped-reader.ts";
import type { LoadedMapping } from "./mapping-file.ts";

/** What the wallet of a file paid. */
export interface WalletHistory {
  readonly input: MappedInput;
  readonly paid: PaidAddresses;
}

/**
 * Reads a whole file for the payments of a wallet, before its events are read. The rows may be in any order of time.
 *
 * @param wallets valid addresses of one owner.
 * @throws {ConfigInvalidError} for a pipe, which can be read only once.
 */
export async function readHistory(
  options: RecordsOptions,
  loaded: LoadedMapping,
  wallets: readonly string[],
): Promise<WalletHistory> {
  if (options.path === STDIN || !(await isRegularFile(options.path))) {
    throw new ConfigInvalidError("--wallet reads the file twice, and a pipe can be read once: name a file");
  }
  const own = new OwnWallets(wallets);
  const paid = new PaidAddresses(own);
  const input: MappedInput = { ...loaded, view: { wallets: own, paid } };
  let rows = 0;
  let matched = 0;
  const onEnds: RecordsOptions["onEnds"] = (line, ends) => {
    rows++;
    if (own.counterparty(ends).ok) matched++;
    paid.add(line, ends);
  };
  // The reading makes no events, so its records are dropped.
  for await (const _ of readRecords({
    ...options,
    mapping: input,
    onEnds,
    onUnread: undefined,
    onUnfinished: undefined,
  }));
  paid.finish();
  if (rows > 0 && matched === 0) {
    throw new ConfigInvalidError(
      `--wallet: no payment of the file has this wallet at either end (${rows} rows): check the address and the file`,
    );
  }
  return { input, paid };
}
