import { isWritable } from "../../chains/solana/message/message.ts";
import { readTransactionText } from "../../chains/solana/message/transaction-text.ts";
import { type SolanaDecoder, UPGRADEABLE_LOADER } from "./decoder.ts";

/** Reads the locks of serialized transactions. Lookup tables are on the chain, and no node is asked. */
export const serializedLocks: SolanaDecoder = {
  locksOf({ transaction, encoding }) {
    const read = transaction === undefined ? undefined : readTransactionText(transaction, encoding);
    if (read?.ok !== true) return undefined;
    const { staticKeys, lookups } = read.value;
    const [feePayer] = staticKeys;
    if (feePayer === undefined) return undefined;
    return {
      feePayer,
      writable: staticKeys.filter((_, place) => isWritable(read.value, place)),
      named: [...staticKeys, ...lookups.map(({ table }) => table)],
      usesLookupTables: lookups.length > 0,
      callsUpgradeableLoader: staticKeys.includes(UPGRADEABLE_LOADER),
    };
  },
};
