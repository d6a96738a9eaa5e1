import { describe, expect, test } from "vitest";
import { readExecution } from "../../../../src/adapters/tron/read-execution.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { fail, ok } from "../../../../src/kernel/result.ts";
import { addressWord, friend, usdt, user, word } from "../../../fixtures/tron/parts.ts";

const hex = (text: string) => Buffer.from(text).toString("hex");
const REVERTED = hex("REVERT opcode executed");
const log = { address: tronHexOf(usdt).slice(2), topics: ["AB".repeat(32), addressWord(user)], data: word(5) };
const done = (more: object = {}) => ({
  result: { result: true },
  constant_result: [word(1)],
  transaction: { ret: [{}] },
  ...more,
});
const reverted = (constant: string) => ({
  result: { result: true, message: REVERTED },
  constant_result: [constant],
  transaction: { ret: [{ ret: "FAILED" }] },
});
const errorOf = (text: string) => `08c379a0${word(32)}${word(text.length)}${hex(text).padEnd(64, "0")}`;

describe("a call that ran", () => {
  test("returns its data and its logs", () => {
    expect(readExecution(done({ logs: [log] }))).toEqual(
      ok({
        ended: "done",
        returned: word(1),
        logs: [{ contract: usdt, topics: ["ab".repeat(32), addressWord(user)], data: word(5) }],
        payments: [],
      }),
    );
  });

  test.each([
    ["nothing returned", done({ constant_result: [""] })],
    ["no list of results", { result: { result: true }, transaction: { ret: [{}] } }],
    ["its outcome spelled out", done({ transaction: { ret: [{ ret: "SUCESS" }] }, constant_result: [] })],
    ["no outcome, as for success", done({ transaction: {}, constant_result: [] })],
  ])("may have %s", (_what, json) => {
    expect(readExecution(json)).toEqual(ok({ ended: "done", returned: "", logs: [], payments: [] }));
  });

  test("may have logs with the network's byte in front of the address", () => {
    const read = readExecution(done({ logs: [{ ...log, address: tronHexOf(friend) }] }));

    expect(read.ok && read.value.ended === "done" && read.value.logs[0]?.contract).toBe(friend);
  });
});

describe("a call that ran and failed", () => {
  test.each([
    [reverted(errorOf("not on a Sunday")), 'the contract refuses it: "not on a Sunday"'],
    [reverted(""), "the contract refuses it and does not say why"],
    [reverted(`cf479181${word(1)}`), "the contract refuses it with error 0xcf479181"],
    [reverted(`4e487b71${word(0x12)}`), "the contract fails with panic 0x12"],
    [reverted(`08c379a0${word(32)}${"f".repeat(64)}${hex("long")}`), 'the contract refuses it: "long"'],
    [reverted(`08c379a0${word(32)}${word(3)}${hex("a\u202e")}`), 'the contract refuses it: "a?"'],
    [
      { result: { result: true, message: hex("Not enough energy") }, transaction: { ret: [{ ret: "FAILED" }] } },
      "Not enough energy",
    ],
    [{ result: { result: true }, transaction: { ret: [{ ret: "FAILED" }] } }, "the node does not say why"],
  ])("%j", (json, reason) => {
    expect(readExecution(json)).toEqual(ok({ ended: "failed", reason }));
  });

  test("has a reason of limited length, whatever the contract returns", () => {
    const read = readExecution(reverted(errorOf("x".repeat(5_000))));

    expect(read).toEqual(ok({ ended: "failed", reason: `the contract refuses it: "${"x".repeat(120)}"` }));
  });
});

const PROGRAM = "class org.tron.core.vm.program.Program$";

describe("a call that did not run, or was stopped", () => {
  test.each([
    ["CONTRACT_VALIDATE_ERROR", "Smart contract is not exist.", "Smart contract is not exist."],
    ["CONTRACT_EXE_ERROR", "out of energy", "out of energy"],
    [
      "OTHER_ERROR",
      `${PROGRAM}IllegalOperationException : Invalid operation code: opCode[fe];`,
      `${PROGRAM}IllegalOperationException : Invalid operation code: opCode[fe];`,
    ],
    [
      "OTHER_ERROR",
      "class org.tron.common.runtime.vm.program.Program$OutOfEnergyException : not enough",
      "class org.tron.common.runtime.vm.program.Program$OutOfEnergyException : not enough",
    ],
  ])("%s: %s would fail on the chain, too", (code, message, reason) => {
    expect(readExecution({ result: { code, message: hex(message) } })).toEqual(ok({ ended: "failed", reason }));
  });

  test("with a timeout is unclear, in any form", () => {
    const message = `${PROGRAM}OutOfTimeException : CPU timeout for 'JUMP' operation executing`;
    const unclear = ok({ ended: "unclear", reason: `it takes too long (${message})` });

    expect(readExecution({ result: { code: "OTHER_ERROR", message: hex(message) } })).toEqual(unclear);
    expect(
      readExecution({ result: { result: true, message: hex(message) }, transaction: { ret: [{ ret: "FAILED" }] } }),
    ).toEqual(unclear);
  });

  test.each([
    [
      "CONTRACT_VALIDATE_ERROR",
      "this node does not support constant",
      "the node runs no calls: this node does not support constant",
    ],
    ["CONTRACT_VALIDATE_ERROR", "not support constant", "the node runs no calls: not support constant"],
    [
      "OTHER_ERROR",
      "class java.lang.NullPointerException : null",
      "not run: OTHER_ERROR class java.lang.NullPointerException : null",
    ],
    ["OTHER_ERROR", "function_selector isn't set.", "not run: OTHER_ERROR function_selector isn't set."],
    ["SERVER_BUSY", "", "not run: SERVER_BUSY"],
  ])("%s: %s is the node's own failure", (code, message, detail) => {
    expect(readExecution({ result: { code, message: hex(message) } })).toEqual(fail(detail));
  });
});

describe("an unreadable answer tells nothing about the call", () => {
  test.each([
    ["nothing", {}, "not run: no result"],
    ["a list", [], "not run: no result"],
    ["text", "ok", "not run: no result"],
    ["null", null, "not run: no result"],
    ["success in words", { result: { result: "true" } }, "not run: no result"],
    ["no transaction", { result: { result: true }, constant_result: [""] }, "an execution without its transaction"],
    ["a result that is no hex", done({ constant_result: ["0xzz"] }), "an execution without its transaction"],
    ["an outcome of later", done({ transaction: { ret: [{ ret: "LATER" }] } }), "an execution of unknown outcome"],
    ["logs that are none", done({ logs: {} }), "logs that cannot be read"],
    ["a log without a contract", done({ logs: [{ ...log, address: "" }] }), "logs that cannot be read"],
    ["a log of a short address", done({ logs: [{ ...log, address: "ab" }] }), "logs that cannot be read"],
    ["a log with a topic that is no hex", done({ logs: [{ ...log, topics: [7] }] }), "logs that cannot be read"],
    ["a log with data that is no hex", done({ logs: [{ ...log, data: "xyz" }] }), "logs that cannot be read"],
  ])("%s", (_what, json, detail) => {
    expect(readExecution(json)).toEqual(fail(detail));
  });
});
