/**
 * Structured fields of one log line: never secrets, never whole payloads. The adapter leaves out what its table does not name
 * (adapters/logging/logged-fields.ts).
 */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where events of the process itself are written. One line each; the adapter decides the format. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** For what is said better elsewhere. */
export const quietLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
