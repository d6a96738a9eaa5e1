import { type DestinationStream, destination, pino } from "pino";
import { AppError } from "../../kernel/errors.ts";
import type { Log, LogFields } from "../../kernel/log.ts";
import { type LogLevel, logLevels } from "./log-levels.ts";
import { isOfKind, loggedFields } from "./logged-fields.ts";

/** A log with a level that can change at run time. */
export interface AdjustableLog extends Log {
  /** @returns whether the level exists. */
  setLevel(level: string): boolean;
}

/** JSON lines on standard output, written synchronously: a buffered logger loses its last lines when the process dies. */
export function pinoLog(
  level: LogLevel,
  stream: DestinationStream = destination({ dest: 1, sync: true }),
): AdjustableLog {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const of = (fields: LogFields = {}) => shown(fields, logger.isLevelEnabled("debug"));
  return {
    debug: (message, fields) => logger.debug(of(fields), message),
    info: (message, fields) => logger.info(of(fields), message),
    warn: (message, fields) => logger.warn(of(fields), message),
    error: (message, fields) => logger.error(of(fields), message),
    setLevel: (name) => {
      const found = logLevels.find((each) => each === name);
      if (found !== undefined) logger.level = found;
      return found !== undefined;
    },
  };
}

/**
 * The fields that may be logged. The others are left out, and are named only at the debug level. Errors are reduced to
 * safe fields: no request, no header and no configuration remains attached.
 */
function shown(fields: LogFields, debugs: boolean): LogFields {
  const { kept, dropped } = allowed(fields);
  return debugs && dropped.length > 0 ? { ...kept, dropped } : kept;
}

function allowed(fields: LogFields): { readonly kept: LogFields; readonly dropped: readonly string[] } {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    // An undefined field does not count as left out.
    if (value === undefined) continue;
    const kind = loggedFields.get(name);
    if (kind === undefined || !isOfKind(value, kind)) dropped.push(name);
    else if (value instanceof Error) {
      const error = errorOf(value);
      kept[name] = error.shown;
      dropped.push(...error.dropped.map((each) => `${name}.${each}`));
    } else kept[name] = value;
  }
  return { kept, dropped };
}

function errorOf(error: Error): { readonly shown: LogFields; readonly dropped: readonly string[] } {
  const { name: type, message } = error;
  // Stack frames locate a bug. An error that Weir throws on purpose is identified by its code.
  if (!(error instanceof AppError)) return { shown: { type, message, stack: framesOf(error) }, dropped: [] };
  const { kept, dropped } = allowed(error.context);
  return { shown: { ...kept, type, message, code: error.code }, dropped };
}

/** Keeps only positions in the code: the lines before them repeat the message, and any text in it. */
function framesOf({ stack = "" }: Error): string {
  return stack
    .split("\n")
    .filter((line) => /^ {4}at /.test(line))
    .join("\n");
}
