import type { Command } from "commander";
import type { DoctorFlags } from "../doctor/doctor.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { QUOTA_MINUTES, QUOTA_REQUESTS } from "../wiring/quota/measurement-bounds.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { minutesOfADay, wholeNumber } from "./options.ts";

const serveHelp: CommandHelp = {
  examples: [
    ["Serve on this machine with one key", "SERVICE_API_KEYS=change-me weir serve"],
    ["Serve on all addresses with keys from a file", "HOST=0.0.0.0 SERVICE_API_KEYS_FILE=keys weir serve"],
  ],
  statuses: {
    0: "A signal stopped the service, and the service ended in good order.",
    1: "A setting is wrong, the port is in use, or another failure ended the service.",
  },
  needs: ["SERVICE_API_KEYS"],
  note: "SERVICE_API_KEYS_FILE may stand in place of SERVICE_API_KEYS.",
  documents: ["docs/service.md", "docs/configuration.md"],
};

const doctorHelp: CommandHelp = {
  examples: [
    ["Check the cluster and the service of a worker", "weir doctor --config weir.yaml"],
    ["Create the missing topics", "KAFKA_BROKERS=kafka:9092 weir doctor --create --partitions 12"],
    ["Measure the quota of the key with at most 2000 requests", "weir doctor --quota 2000"],
  ],
  statuses: {
    0: "No check failed.",
    1: "A check failed, or the quota was not found.",
  },
  note: "Checks without their setting are skipped. The checks send at most eight requests, which count against the quota. With --quota, the command only measures and needs no broker.",
  documents: ["docs/deploy.md", "docs/runbook.md"],
};

const healthHelp: CommandHelp = {
  examples: [["Check the health of a container", "weir health"]],
  statuses: {
    0: "The Weir process is alive.",
    1: "The Weir process is not alive, or no process answers.",
  },
};

const demoHelp: CommandHelp = {
  examples: [["Run the demo and keep its output in a folder", "weir demo --out my-demo"]],
  statuses: {
    0: "The demo is complete.",
    1: "The demo failed or was stopped.",
  },
};

/** Commands that run the service, and those that look after a running Weir. */
export function addOperateCommands(program: Command, { env, signal, stop }: RunContext & { stop(): void }): void {
  withHelp(program.command("serve"), serveHelp)
    .summary("run the security service")
    .description("Serves the security and simulation API on HOST:PORT, until a signal stops the service.")
    .action(async () => {
      process.once("disconnect", stop);
      const { serve } = await import("../serve/serve.ts");
      await serve(env, signal, (listening) => process.send?.({ listening }));
    });

  withHelp(program.command("doctor"), doctorHelp)
    .summary("check Kafka, the service, the nodes and the bucket")
    .description(
      "Checks Kafka, its topics, the service, the nodes and the bucket, and prints what to do for each fault.",
    )
    .option("--create", "Create the topics that do not exist.")
    .option("--partitions <n>", "Partitions of each topic that --create creates.", wholeNumber, 6)
    .option(
      "--replication <n>",
      "Replicas of each topic that --create creates. (default: 3, or the number of brokers)",
      wholeNumber,
    )
    .option(
      "--quota [requests]",
      `Measure the quota of the key with at most this number of requests. (default: ${QUOTA_REQUESTS})`,
      wholeNumber,
    )
    .option(
      "--quota-minutes <n>",
      `Stop the measurement after this number of minutes, at most 1440. (default: ${QUOTA_MINUTES})`,
      minutesOfADay,
    )
    .action(async ({ quota, ...others }: Omit<DoctorFlags, "quota"> & { readonly quota?: number | true }) => {
      const flags: DoctorFlags =
        quota === undefined ? others : { ...others, quota: quota === true ? QUOTA_REQUESTS : quota };
      const { doctor } = await import("../doctor/doctor.ts");
      process.exitCode = await doctor(flags, env, signal);
    });

  withHelp(program.command("health"), healthHelp)
    .summary("report whether the Weir process on this machine is alive")
    .description("Requests /livez of the worker or archive at ADMIN_HOST:ADMIN_PORT, else of the service at HOST:PORT.")
    .action(async () => {
      const { health } = await import("./health.ts");
      process.exit(await health(env));
    });

  withHelp(program.command("demo"), demoHelp)
    .summary("screen the events that ship with Weir")
    .description("Screens the bundled events with a service and chains on this machine, and prints every verdict.")
    .option("--out <dir>", "Folder for the verdicts. An earlier demo in the folder is replaced.", "weir-demo")
    .action(async ({ out }: { out: string }) => {
      const { demo } = await import("../demo/demo.ts");
      process.exitCode = await demo(out, env, signal);
    });
}
