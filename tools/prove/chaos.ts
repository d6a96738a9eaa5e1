/**
 * Three real brokers, three real workers and a real service under kills, restarts, brown-outs and a bad network. Then
 * the whole history is compared with the truth: `SEED=7 EVENTS=30000 node tools/prove/chaos.ts`. Every field of
 * `ChaosSettings` is a variable. SHORT=1 begins with the sizes of `npm test`. KIND=backlog begins with those of a
 * backlog that is caught up with while brokers restart on a busy machine. FOLDER is the folder of the logs. Exit status
 * 0: there was no fault.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runChaos } from "../../test/chaos/run.ts";
import { backlogRun, fullRun, readSettings, shortRun } from "../../test/chaos/settings.ts";

const folder = process.env["FOLDER"] ?? mkdtempSync(path.join(tmpdir(), "weir-chaos-"));
const kind = process.env["KIND"] === "backlog" ? backlogRun : fullRun;
const settings = readSettings(process.env, process.env["SHORT"] === "1" ? shortRun : kind);
console.log(`logs in ${folder}`);
const { summary, faults } = await runChaos(settings, folder, (line) => console.log(line));
console.log(`\n${summary.join("\n")}`);
for (const fault of faults.slice(0, 50)) console.log(`WRONG: ${fault}`);
console.log(faults.length === 0 ? "all is well" : `${faults.length} things are wrong; logs in ${folder}`);
process.exit(faults.length === 0 ? 0 : 1);
