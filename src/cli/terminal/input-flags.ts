import { readAddressOn } from "../../chains/address-advice.ts";
import { writtenChain } from "../../chains/written-chain.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";

/** The values of a command's flags for rows that lack them. */
export interface InputFlags {
  readonly chain?: string;
  readonly user: readonly string[];
  readonly token?: string;
  /** Columns of a CSV that are left out. */
  readonly ignore: readonly string[];
  /** Whether the file no longer grows. */
  readonly finished?: boolean;
  /** File of a mapping. */
  readonly map?: string;
  /** Name of a bundled mapping. */
  readonly preset?: string;
  /** Addresses of the wallet that an export is about. */
  readonly wallet: readonly string[];
  /** Whether verdicts repeat the cells of their rows. */
  readonly keepColumns?: boolean;
}

/** Checks a flag once. Otherwise its fault would be in every verdict of the run. @throws {ConfigInvalidError} */
export function checkInputFlags({ chain: id, user, token }: Pick<InputFlags, "chain" | "user" | "token">): void {
  if (id === undefined) return;
  const given = writtenChain(id);
  if (!given.ok) {
    const name = "give a decimal id, or a name such as eth, bsc, tron, solana, btc";
    throw new ConfigInvalidError(`--chain ${id}: ${given.detail.replace(` "${id}"`, "")}; ${name}`);
  }
  const chain = given.value;
  for (const [flag, text] of [...user.map((each) => ["--user", each] as const), ["--token", token] as const]) {
    const parsed = text === undefined ? undefined : readAddressOn(chain, text);
    if (parsed?.ok === false)
      throw new ConfigInvalidError(`${flag} ${text}: no address on ${chain.name}: ${parsed.detail}`);
  }
}

/** Refuses flags that would be ignored: records of a topic hold all their values. @throws {ConfigInvalidError} */
export function refuseInputFlags({
  chain,
  user,
  token,
  ignore,
  finished,
  map,
  preset,
  wallet,
  keepColumns,
  format,
}: InputFlags & { readonly format?: string }): void {
  const given = [
    ...(format === undefined ? [] : ["--format"]),
    ...(chain === undefined ? [] : ["--chain"]),
    ...(user.length === 0 ? [] : ["--user"]),
    ...(token === undefined ? [] : ["--token"]),
    ...(ignore.length === 0 ? [] : ["--ignore"]),
    ...(finished === true ? ["--finished"] : []),
    ...(map === undefined ? [] : ["--map"]),
    ...(preset === undefined ? [] : ["--preset"]),
    ...(wallet.length === 0 ? [] : ["--wallet"]),
    ...(keepColumns === true ? ["--keep-columns"] : []),
  ];
  if (given.length > 0)
    throw new ConfigInvalidError(
      `${given.join(", ")}: for a FILE only, since the events of a topic say it themselves: leave out what is not for --topic`,
    );
}
