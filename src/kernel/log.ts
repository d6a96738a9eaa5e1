/**
 * Structured fields of one log line: never secrets, never whole payloads. The adapter drops fields that its table does
 * not name (adapters/logging/logged-fields.ts).
 */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The destination of log lines about the process itself. Each call writes one line, and the adapter decides the format.
 */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A log that drops everything, for callers that report in another way. */
export const quietLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
