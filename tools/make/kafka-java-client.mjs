import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const VERSION = "4.1.2";

/**
 * Runs a Java program of tools/make/java with Kafka's own Java client and returns its output. Maven downloads the
 * client into a temporary folder; needs a JDK of 17 or later.
 */
export function runWithKafkaClient(program) {
  return runWithJars(program, [["org.apache.kafka", "kafka-clients", VERSION]]);
}

/** Runs a Java program of tools/make/java with these artifacts: group, name and version of each. */
export function runWithJars(program, artifacts) {
  const folder = mkdtempSync(path.join(tmpdir(), "kafka-java-client-"));
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: [0, "pipe", 2] });
  try {
    writeFileSync(path.join(folder, "pom.xml"), pom(artifacts));
    run("mvn", "-B", "-q", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=libs");
    run("javac", "-cp", "libs/*", "-d", "classes", path.join(import.meta.dirname, "java", `${program}.java`));
    return run("java", "-cp", ["classes", "libs/*"].join(path.delimiter), program);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const pom = (artifacts) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>weir</groupId>
  <artifactId>vectors</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
${artifacts
  .map(
    ([group, name, version]) => `    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${name}</artifactId>
      <version>${version}</version>
    </dependency>
`,
  )
  .join("")}  </dependencies>
</project>
`;
