import type { Environment } from "../config/config.ts";
import { checkLine } from "../doctor/check-line.ts";
import { type CheckedCommand, checkConfig } from "./check-config.ts";

/**
 * `weir config check`: prints a line for each variable and file that a command reads.
 *
 * @param given the command; undefined: the worker where KAFKA_BROKERS is set, else screen.
 * @returns the exit status: 0 without a fault.
 */
export async function configCheck(given: CheckedCommand | undefined, env: Environment): Promise<0 | 1> {
  const command = given ?? ((env["KAFKA_BROKERS"] ?? "") === "" ? "screen" : "worker");
  const checks = await checkConfig(command, env);
  const faults = checks.filter(({ ok }) => ok === false).length;
  process.stdout.write(`what weir ${command} reads, without a network:\n`);
  for (const check of checks) process.stdout.write(`${checkLine(check)}\n`);
  process.stdout.write(`${faults === 0 ? "nothing is at fault" : `${faults} at fault`}\n`);
  return faults === 0 ? 0 : 1;
}
