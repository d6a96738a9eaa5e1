import { type Abi, encodeFunctionData, encodePacked, type Hex, parseAbiItem, size, toFunctionSelector } from "viem";

/** Calldata of a call by its signature, as viem encodes it. */
export function calldata(signature: string, args: readonly unknown[]): Hex {
  const abi = [parseAbiItem(`function ${signature}`)] as unknown as Abi;
  return encodeFunctionData({ abi, args });
}

export interface InnerCall {
  readonly to: Hex;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly operation?: 0 | 1;
}

/** Calldata of Safe's multiSend. */
export function multiSendOf(calls: readonly InnerCall[]): Hex {
  const packed = calls.map(({ to, value = 0n, data = "0x", operation = 0 }) =>
    encodePacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [operation, to, value, BigInt(size(data)), data],
    ).slice(2),
  );
  return calldata("multiSend(bytes transactions)", [`0x${packed.join("")}`]);
}

/** Calldata of a multicall with the calls that `order` names by index. A call may occur several times. */
export function aliasedMulticall(calls: readonly Hex[], order: readonly number[]): Hex {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const bodies = calls.map((call) => {
    const digits = call.slice(2);
    return `${word(size(call))}${digits.padEnd(Math.ceil(digits.length / 64) * 64, "0")}`;
  });
  const begin = (place: number) =>
    32 * order.length + bodies.slice(0, place).reduce((sum, body) => sum + body.length / 2, 0);
  const offsets = order.map((place) => word(begin(place)));
  const list = [word(32), word(order.length), ...offsets, ...bodies].join("");
  return `${toFunctionSelector("multicall(bytes[])")}${list}`;
}

const ZERO: Hex = `0x${"0".repeat(40)}`;

export interface SafeCall extends InnerCall {
  readonly gasPrice?: bigint;
  readonly gasToken?: Hex;
  readonly refundReceiver?: Hex;
}

/** Calldata of a Safe's execTransaction. */
export function safeExec(call: SafeCall): Hex {
  const { to, value = 0n, data = "0x", operation = 0, gasPrice = 0n, gasToken = ZERO, refundReceiver = ZERO } = call;
  return calldata("execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)", [
    to,
    value,
    data,
    operation,
    0n,
    0n,
    gasPrice,
    gasToken,
    refundReceiver,
    "0x",
  ]);
}
