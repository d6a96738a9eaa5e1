import { AppError, toError } from "../kernel/errors.ts";
import { pathOf } from "./program/command-help.ts";
import { configFileOf } from "./program/config-option.ts";
import { weirProgram } from "./program/program.ts";

/** The composition root: the only place that reads the environment, takes signals and sets the exit status. */
const stopped = new AbortController();
/** The environment, and after the start of a command the settings of its config file, too. */
const env: Record<string, string | undefined> = { ...process.env };
const context = { env, signal: stopped.signal, stop: () => stopped.abort() };

/** A failure of the service stops a run, and no event that failed by it is completed. */
function messageOf(error: AppError): string {
  if (error.code !== "SERVICE_DOWN") return error.message;
  const remedy = error.message.includes("API key")
    ? "check SERVICE_API_KEY or SERVICE_API_KEY_FILE"
    : "see that the service runs and is reached";
  return `stopped: ${error.message}: ${remedy}; the same command continues the run`;
}

/** How long a failed process may still run. */
const LINGER_MS = 5_000;

const program = weirProgram(context, process.stdout.columns);

// Only a call for help needs the texts: they load the schemas of all settings.
if (process.argv.some((word) => word === "-h" || word === "--help" || word === "help")) {
  const { addHelpTexts } = await import("./program/help-text.ts");
  addHelpTexts(program);
}

program.hook("preAction", async (_, called) => {
  // The commands about settings judge the file and the names of variables themselves.
  if (/^(config|completion|help)\b/.test(pathOf(called))) return;
  const file = configFileOf(program, env);
  if (file !== undefined) {
    const { readSettings } = await import("./config/config-file.ts");
    Object.assign(env, await readSettings(env, file));
  }
  // The service that a run starts has the run's variables, and the run has already warned about them.
  if (process.connected) return;
  const { unknownVariables } = await import("./config/unknown-variables.ts");
  const { variableNames } = await import("./config/docs/env-table.ts");
  for (const line of unknownVariables(Object.keys(process.env), variableNames()))
    process.stderr.write(`weir: warning: ${line}\n`);
});

/** Status of a command that Ctrl-C stopped before its end. Source: shells, 128 and the number of SIGINT. */
const INTERRUPTED = 130;
let isInterrupted = false;
process.on("exit", (status) => {
  if (isInterrupted && status === 1) process.exitCode = INTERRUPTED;
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    isInterrupted = signal === "SIGINT";
    stopped.abort();
    // A run that waits for its input would not notice the abort.
    process.stdin.destroy();
    // A second signal ends the process at once.
    process.once(signal, () => process.exit(1));
  });
}
// A reader that closes the output (weir ... | head) ends the display, but not the run: verdicts go to a folder or a
// topic.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") process.exit(1);
});

try {
  await program.parseAsync();
} catch (thrown) {
  const error = toError(thrown) as NodeJS.ErrnoException;
  if (stopped.signal.aborted) {
    process.stderr.write("weir: stopped; the same command continues the run\n");
  } else if (error.code !== "EPIPE") {
    process.stderr.write(`weir: ${error instanceof AppError ? messageOf(error) : (error.stack ?? error.message)}\n`);
  }
  process.exitCode = 1;
}
// An open channel to a parent would keep an ended service alive.
if (process.connected) process.disconnect();
// A hanging connection must not keep a failed process alive.
if (process.exitCode === 1) setTimeout(() => process.exit(), LINGER_MS).unref();
