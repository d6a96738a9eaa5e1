import { Argument, type Command } from "commander";
import type { CheckedCommand } from "../config-check/check-config.ts";
import type { RunContext } from "../terminal/run-context.ts";

const examples = `
Examples:
  weir config check                        what the environment sets up
  weir config check screen                 for weir screen, whatever KAFKA_BROKERS says
  SERVICE_DIALECT=vendor.yaml weir config check
  docker run --rm --env-file weir.env IMAGE config check worker
`;

/** Commands about the configuration itself. */
export function addConfigCommands(program: Command, { env }: RunContext): void {
  const config = program.command("config").summary("look at the configuration");

  config
    .command("check")
    .summary("read every variable and file that a command would read, without a network")
    .description(
      "Reads the environment and each file that it names (dialect, policy, lists, labels, keys, certificates, prices, markets) as " +
        "weir screen or weir worker does at the start, and prints a line for each: ok, warn or FAIL, and what to do. No value of a " +
        "variable is shown. No broker, service, node or bucket is asked: see weir doctor for that.\n" +
        "Exit status: 0 nothing is at fault, 1 something is.",
    )
    .addArgument(
      new Argument("[command]", "screen or worker (default: worker where KAFKA_BROKERS is set)").choices([
        "screen",
        "worker",
      ]),
    )
    .addHelpText("after", examples)
    .action(async (command: CheckedCommand | undefined) => {
      const { configCheck } = await import("../config-check/config-check.ts");
      process.exitCode = await configCheck(command, env);
    });
}
