import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The oldest Java that Kafka 4 runs on, and the oldest keytool that can sign a key when it makes it. */
const OLDEST_JAVA = 17;

export const javaRemedy = `install a JDK of version ${OLDEST_JAVA} or later and Apache Maven, both in the PATH (Debian and Ubuntu: apt-get install default-jdk-headless maven; macOS: brew install openjdk maven)`;

/** `java` or `keytool` of the JDK in JAVA_HOME, else in PATH. */
export function jdkTool(name: "java" | "keytool"): string {
  const home = process.env["JAVA_HOME"];
  return home === undefined || home === "" ? name : path.join(home, "bin", name);
}

/** The reason why Java programs cannot run here; undefined when they can. */
export async function whyNoJava(): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await execute(jdkTool("java"), ["-version"], { timeout: 20_000 });
    const found = /version "(\d+)/.exec(stdout + stderr)?.[1];
    return Number(found) >= OLDEST_JAVA ? undefined : `java is of version ${found ?? "unknown"}`;
  } catch {
    return "there is no java";
  }
}

/** The reason why Maven cannot run here; undefined when it can. */
export async function whyNoMaven(): Promise<string | undefined> {
  try {
    await execute("mvn", ["-v"], { timeout: 20_000 });
    return undefined;
  } catch {
    return "there is no mvn";
  }
}
