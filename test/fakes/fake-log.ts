import type { Log, LogFields } from "../../src/kernel/log.ts";

/** A log that records its lines. */
export class FakeLog implements Log {
  readonly lines: { readonly level: keyof Log; readonly message: string; readonly fields?: LogFields }[] = [];

  /** The messages of one level, in order. */
  messages(level: keyof Log): readonly string[] {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message);
  }

  debug(message: string, fields?: LogFields): void {
    this.#keep("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#keep("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#keep("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#keep("error", message, fields);
  }

  #keep(level: keyof Log, message: string, fields?: LogFields): void {
    this.lines.push({ level, message, ...(fields === undefined ? {} : { fields }) });
  }
}
