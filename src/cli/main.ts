import { Command } from "commander";
import { AppError, toError } from "../kernel/errors.ts";
import { addAdapterCommands } from "./program/adapter-commands.ts";
import { addConfigCommands } from "./program/config-commands.ts";
import { addFileCommands } from "./program/file-commands.ts";
import { addKafkaCommands } from "./program/kafka-commands.ts";
import { addLookupCommands } from "./program/lookup-commands.ts";
import { version } from "./program/package-root.ts";

/** The composition root: the only place that reads the environment, takes signals and sets the exit status. */
const stopped = new AbortController();
const env = process.env;
const context = { env, signal: stopped.signal };

/** A failure of the service stops a run, and no event that failed by it is completed. */
function messageOf(error: AppError): string {
  if (error.code !== "SERVICE_DOWN") return error.message;
  const remedy = error.message.includes("API key")
    ? "check SERVICE_API_KEY or SERVICE_API_KEY_FILE"
    : "see that the service runs and is reached";
  return `stopped: ${error.message}: ${remedy}; the same command goes on where it stopped`;
}

/** How long a failed process may still run. */
const LINGER_MS = 5_000;

/** Each command is loaded when it is called: a run that screens needs no server in its memory. */
const program = new Command("weir")
  .description("Screens blockchain addresses and transactions: events in, verdicts out.")
  .version(version)
  .showHelpAfterError("(add --help for what this command takes)")
  .configureHelp({ showGlobalOptions: true });

addFileCommands(program, context);

program
  .command("serve")
  .summary("run the security service")
  .description(
    "Serves the security and simulation API on HOST:PORT until it is stopped. Needs a key: SERVICE_API_KEYS or " +
      "SERVICE_API_KEYS_FILE. LABELS_FILES adds known addresses. The README lists every variable.",
  )
  .action(async () => {
    process.once("disconnect", () => stopped.abort());
    const { serve } = await import("./serve/serve.ts");
    await serve(env, stopped.signal, (listening) => process.send?.({ listening }));
  });

addKafkaCommands(program, context);
addLookupCommands(program, context);
addConfigCommands(program, context);
addAdapterCommands(program, context);

program
  .command("demo")
  .summary("screen the events that ship with Weir and show what comes out")
  .description(
    "Screens demo/events.ndjson through a service of its own, over chains that it makes on this machine, and prints every verdict " +
      "with its reasons. Needs no network. Without anvil it says so, and leaves out what needs that. An earlier demo in DIR is " +
      "replaced; a DIR that holds anything else is refused.\n" +
      "Exit status: 0 it went through, 1 it failed or was stopped.",
  )
  .option("--out <dir>", "where verdicts and archive go", "weir-demo")
  .action(async ({ out }: { out: string }) => {
    const { demo } = await import("./demo/demo.ts");
    process.exitCode = await demo(out, env, stopped.signal);
  });

// The service that a run starts has the run's variables, and the run has already warned about them.
program.hook("preAction", async () => {
  if (process.connected) return;
  const { unknownVariables: strayVariables } = await import("./config/unknown-variables.ts");
  const { variableNames } = await import("./config/docs/env-table.ts");
  for (const line of strayVariables(Object.keys(env), variableNames())) process.stderr.write(`weir: ${line}\n`);
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
    process.stderr.write("weir: stopped; the same command goes on where it stopped\n");
  } else if (error.code !== "EPIPE") {
    process.stderr.write(`weir: ${error instanceof AppError ? messageOf(error) : (error.stack ?? error.message)}\n`);
  }
  process.exitCode = 1;
}
// An open channel to a parent would keep an ended service alive.
if (process.connected) process.disconnect();
// A hanging connection must not keep a failed process alive.
if (process.exitCode === 1) setTimeout(() => process.exit(), LINGER_MS).unref();
