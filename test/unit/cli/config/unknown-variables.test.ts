import { expect, test } from "vitest";
import { variableNames } from "../../../../src/cli/config/docs/env-table.ts";
import { unknownVariables } from "../../../../src/cli/config/unknown-variables.ts";

const said = (...names: readonly string[]) => unknownVariables(names, variableNames());

test.each([
  ["SERVICE_URLL", "SERVICE_URL"],
  ["SERVICE_UR", "SERVICE_URL"],
  ["SERVCIE_URL", "SERVICE_URL"],
  ["SERVICE_APIKEY", "SERVICE_API_KEY"],
  ["service_url", "SERVICE_URL"],
  ["RATE_LIMITT", "SERVICE_RATE_LIMIT"],
  ["RATE_LIMIT", "SERVICE_RATE_LIMIT"],
  ["KAFKA_BROKER", "KAFKA_BROKERS"],
  ["TOPIC_REALTIME", "TOPICS_REALTIME"],
  ["S3_BUKET", "S3_BUCKET"],
  ["LABEL_FILES", "LABELS_FILES"],
  ["EVM_RPC_URL", "EVM_RPC_URLS"],
  ["POLICYFILE", "POLICY_FILE"],
])("%s was meant as %s", (name, meant) => {
  expect(said(name)).toEqual([`${name} is no variable that Weir reads: did you mean ${meant}?`]);
});

test("a variable with a prefix of Weir that resembles none is reported without a suggestion", () => {
  expect(said("SERVICE_COLOUR")).toEqual([
    'SERVICE_COLOUR is no variable that Weir reads: run "weir config schema" for all names',
  ]);
});

test("each of several is reported in order", () => {
  expect(said("PATH", "SERVICE_URLL", "S3_BUKET").map((line) => line.split(" ")[0])).toEqual([
    "SERVICE_URLL",
    "S3_BUKET",
  ]);
});

test("a name is shown without characters that control a terminal", () => {
  expect(said("SERVICE_\u001b[2J")).toEqual([
    'SERVICE_\uFFFD[2J is no variable that Weir reads: run "weir config schema" for all names',
  ]);
});

test("variables that any command reads are not reported", () => {
  expect(said(...variableNames())).toEqual([]);
});

test.each([
  ..."PATH HOME USER LANG TERM SHELL HOSTNAME HOSTS PORTS PWD OLDPWD EDITOR PAGER TZ CI DEBUG".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS NODE_ENV NODE_OPTIONS NO_COLOR FORCE_COLOR AWS_REGION AWS_PROFILE API_KEY LOG_FILE LOG_FORMAT TOKEN".split(
    " ",
  ),
  ..."KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP_ADDR KAFKA_SERVICE_HOST KAFKA_SERVICE_PORT_PLAIN".split(" "),
  ..."KAFKA_PORT KAFKA_PORT_9092_TCP KAFKA_PORT_9092_TCP_PROTO KAFKA_HEAP_OPTS KAFKA_JMX_PORT".split(" "),
  ..."npm_lifecycle_event npm_config_cache SSH_AUTH_SOCK XDG_RUNTIME_DIR DISPLAY VITEST".split(" "),
])("%s belongs to another program", (name) => {
  expect(said(name)).toEqual([]);
});
