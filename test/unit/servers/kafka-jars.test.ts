import { expect, onTestFinished, test, vi } from "vitest";
import { kafkaJars } from "../../servers/kafka-jars.ts";
import { emptyFolder } from "../../support/folder.ts";

test("without Java the error names the missing program and the way to get it", async () => {
  vi.stubEnv("PATH", await emptyFolder());
  vi.stubEnv("JAVA_HOME", "");
  onTestFinished(() => void vi.unstubAllEnvs());

  await expect(kafkaJars("4.1.2")).rejects.toThrow(
    /^no Kafka from jars: there is no java\. To help: .*apt-get install/,
  );
});
