import { expect, onTestFinished, test, vi } from "vitest";
import { NoJarsError } from "../../servers/maven-jars.ts";
import { s3Jars } from "../../servers/s3-jars.ts";
import { findS3, type S3Sources } from "../../servers/s3-provider.ts";
import { emptyFolder } from "../../support/folder.ts";

const close = async () => undefined;
const access = {
  endpoint: "http://127.0.0.1:1",
  region: "us-east-1",
  bucket: "b",
  credentials: { accessKeyId: "a", secretAccessKey: "s" },
};

const all: S3Sources = {
  fromEnvironment: async (endpoint) => ({
    kind: "environment",
    label: "environment",
    access: { ...access, endpoint },
    close,
  }),
  startFromJars: async () => ({ kind: "s3proxy", label: "s3proxy 4", access, close }),
};
const noJars: S3Sources = {
  ...all,
  startFromJars: async () => {
    throw new NoJarsError("s3proxy", "there is no java", "install one");
  },
};

test("the server in the environment comes first", async () => {
  expect(await findS3({ S3_ENDPOINT: "http://s3", CI: "true" }, all)).toMatchObject({
    kind: "environment",
    access: { endpoint: "http://s3" },
  });
});

test("the environment must also have keys", async () => {
  await expect(findS3({ S3_ENDPOINT: "http://s3" })).rejects.toThrow(/needs AWS_ACCESS_KEY_ID/);
});

test.each([[{}], [{ S3_ENDPOINT: "" }]])("s3proxy comes second: %j", async (env) => {
  expect(await findS3(env, all)).toMatchObject({ kind: "s3proxy", label: "s3proxy 4" });
});

test("without a source the result has a reason and a remedy, and a pipeline fails", async () => {
  expect(await findS3({}, noJars)).toEqual({
    kind: "none",
    reason: "there is no java",
    remedy: "install one; or set S3_ENDPOINT, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  });
  await expect(findS3({ CI: "true" }, noJars)).rejects.toThrow(/^no S3 for the tests: there is no java\. To help: /);
});

test("existing jars that do not start are a failure, not a reason to skip", async () => {
  const startFromJars = async () => {
    throw new Error("s3proxy did not start");
  };

  await expect(findS3({}, { ...all, startFromJars })).rejects.toThrow("s3proxy did not start");
});

test("without Java the error names the missing program and the way to get it", async () => {
  vi.stubEnv("PATH", await emptyFolder());
  vi.stubEnv("JAVA_HOME", "");
  onTestFinished(() => void vi.unstubAllEnvs());

  await expect(s3Jars()).rejects.toThrow(/^no s3proxy from jars: there is no java\. To help: .*apt-get install/);
});
