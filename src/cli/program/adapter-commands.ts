import type { Command } from "commander";
import type { AdapterCheckFlags } from "../adapter-check/adapter-check.ts";
import type { RunContext } from "../terminal/run-context.ts";

const examples = `
Examples:
  weir adapter check examples/service-adapter/adapter.mjs --cases examples/service-adapter/cases
  SERVICE_LEVELS=low=INFO,high=BLOCK SERVICE_TAXES=percent weir adapter check ./my-adapter.mjs --cases ./cases --quiet
`;

/** Commands about adapters of services with another interface. */
export function addAdapterCommands(program: Command, { env, signal }: RunContext): void {
  program
    .command("adapter")
    .summary("try an adapter of a service of another shape")
    .command("check")
    .summary("run an adapter against recorded and hostile answers")
    .description(
      "Loads the module FILE, which SERVICE_ADAPTER would name, and puts the questions of the cases in DIR to it. A server on this " +
        "machine answers what was recorded, then what services send when something is wrong: refusals, cut and empty bodies, other " +
        "types, other addresses, silence. None of these may clear an event. Reads SERVICE_LEVELS, SERVICE_TAXES or the scales of SERVICE_DIALECT, and POLICY_FILE, and " +
        "no key. docs/service-adapters.md says how a case is written.\n" +
        "Exit status: 0 everything passed, 2 something failed, 1 the adapter or a case cannot be read.",
    )
    .argument("<file>", "module of the adapter")
    .requiredOption("--cases <dir>", "folder of recorded answers, a file NAME.json each")
    .option("--quiet", "print only what failed, and the counts")
    .addHelpText("after", examples)
    .action(async (file: string, flags: AdapterCheckFlags) => {
      const { adapterCheck } = await import("../adapter-check/adapter-check.ts");
      process.exitCode = await adapterCheck(file, flags, env, signal);
    });
}
