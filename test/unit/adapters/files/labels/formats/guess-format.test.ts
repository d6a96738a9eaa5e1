import { expect, test } from "vitest";
import { guessFormat } from "../../../../../../src/adapters/files/labels/formats/guess-format.ts";
import { sample } from "../../../../../support/list-source.ts";

test.each([
  ["sdn-advanced.xml", "ofac-xml"],
  ["sdn.xml", "ofac-xml"],
  ["sdn.csv", "ofac-csv"],
  ["entities.ftm.json", "opensanctions"],
])("%s is recognised as %s", async (file, format) => {
  expect(guessFormat(await sample(file))).toEqual({ format });
});

const evm = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

test.each([
  ["# a list\n\n0x098B716B8Aaf21512996dC57EB0615e2383E2f96 Somebody\n", "address-list"],
  ["44dZUJ7w1T3fKAvFW8XyXUVoAGSbFvXef2wcbnsjNKGWYorpLJBjth5VKSFhLGkpYKJb2J341tdZHBnbpv72WL7e8zuxfR2\n", "address-list"],
  [`https://etherscan.io/address/${evm}\n`, "address-list"],
  [`"${evm}";"Desk"\n`, "address-list"],
  ["https://etherscan.io/labelcloud\n", undefined],
  [`["${evm}"]`, "address-list"],
  [`{"${evm}": "Binance 14"}`, "explorer-labels"],
  ['{"name":"L","tokens":[{"chainId":1}]}', "token-list"],
  ["blockchain,Address,cex_name\n", "cex-table"],
  ["# mine\nname,address,kind,chain,note\n", "csv"],
  ["Chain;Address;Name;Kind;Risk Level\n", "csv"],
  [`{"id":"a","caption":"${"x".repeat(70_000)}`, undefined],
  [`{"id":"a","caption":"b","schema":"Person","properties":{"name":["${"x".repeat(70_000)}`, "opensanctions"],
  ["", undefined],
  ["{}", undefined],
  ["[]", "address-list"],
  ['[{"a":1}]', undefined],
  ["<other/>", undefined],
  ["once upon a time\n", undefined],
  ["a,b,c\n1,2,3\n", undefined],
])("%j is recognised as %s", (text, format) => {
  expect(guessFormat(text)).toEqual(format === undefined ? undefined : { format });
});

test.each([
  ["<!DOCTYPE html><html>", "a web page"],
  ["<html lang=en>", "a web page"],
  ['<?xml version="1.0"?><sanctionsData xmlns="x">', "SDN_ADVANCED.XML"],
  ["id,schema,name,aliases\n", "entities.ftm.json"],
])("%j is recognised, and cannot be imported", (text, what) => {
  expect(guessFormat(text)).toEqual({ foreign: expect.stringContaining(what) });
});
