import { DatabaseSync } from "node:sqlite";
import { TokenSecurityData } from "../../api/schemas/token-security.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import type { AnalysisStore, KeptAnswer } from "../../service/token-security/analyses.ts";

/** Raised whenever the meaning of answers changes: a file with another layout is recreated. */
const LAYOUT = 1;
/** Most answers that are kept. Each takes about 2 kB. */
const MAX_KEPT = 100_000;
/** Answers between two checks of their number. */
const PRUNE_EVERY = 1_000;
/** How long to wait for another process that writes, milliseconds. */
const BUSY_MS = 2_000;

const schema = `
  create table if not exists kept
    (chain text, address text, made_at integer not null, data text not null, primary key (chain, address)) without rowid;
  create index if not exists kept_by_age on kept (made_at);
  create table if not exists opened (id integer primary key, chain text, address text, unique (chain, address));
`;

/**
 * Answers and open questions in one SQLite file. Written data survives the death of the process at any moment. After a
 * loss of power the last data may be missing, and is requested again.
 *
 * @throws {ConfigInvalidError} when the file cannot be opened, or is no such database.
 */
export function openTokenStore(file: string): AnalysisStore & { readonly close: () => void } {
  const database = openDatabase(file);
  const statements = {
    find: database.prepare("select made_at, data from kept where chain = ? and address = ?"),
    keep: database.prepare("insert or replace into kept (chain, address, made_at, data) values (?, ?, ?, ?)"),
    open: database.prepare("insert or ignore into opened (chain, address) values (?, ?)"),
    drop: database.prepare("delete from opened where chain = ? and address = ?"),
    opened: database.prepare("select chain, address from opened order by id"),
    prune: database.prepare(
      "delete from kept where made_at < (select made_at from kept order by made_at desc limit 1 offset ?)",
    ),
  };
  let puts = 0;
  return {
    find({ chainId, address }) {
      const row = statements.find.get(chainId, address);
      return row === undefined ? undefined : keptIn(row["made_at"], row["data"]);
    },
    keep({ chainId, address }, { data, madeAtMs }) {
      database.exec("begin immediate");
      statements.keep.run(chainId, address, madeAtMs, JSON.stringify(data));
      statements.drop.run(chainId, address);
      if (++puts % PRUNE_EVERY === 0) statements.prune.run(MAX_KEPT - 1);
      database.exec("commit");
    },
    open: ({ chainId, address }) => void statements.open.run(chainId, address),
    drop: ({ chainId, address }) => void statements.drop.run(chainId, address),
    opened: () =>
      statements.opened.all().map((row) => ({ chainId: String(row["chain"]), address: String(row["address"]) })),
    close: () => database.close(),
  };
}

function openDatabase(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file);
    database.exec(`pragma busy_timeout = ${BUSY_MS}; pragma journal_mode = wal; pragma synchronous = normal`);
    const { user_version: layout } = Object(database.prepare("pragma user_version").get());
    if (layout !== LAYOUT) database.exec("drop table if exists kept; drop table if exists opened");
    database.exec(`${schema}; pragma user_version = ${LAYOUT}`);
    return database;
  } catch (thrown) {
    throw new ConfigInvalidError(`TOKEN_STORE_FILE: cannot use ${file}: ${toError(thrown).message}`);
  }
}

/** An entry of another version may be unreadable. It then counts as absent. */
function keptIn(madeAtMs: unknown, text: unknown): KeptAnswer | undefined {
  const parsed = TokenSecurityData.safeParse(JSON.parse(String(text)));
  return parsed.success ? { data: parsed.data, madeAtMs: Number(madeAtMs) } : undefined;
}
