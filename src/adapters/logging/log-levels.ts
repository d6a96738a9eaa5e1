/**
 * The values of LOG_LEVEL. They have a file of their own: every command knows the variables of all commands, and few
 * commands write a log.
 */
export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
