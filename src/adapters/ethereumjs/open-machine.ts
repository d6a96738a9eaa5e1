import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { SimpleStateManager } from "@ethereumjs/statemanager";
import { Account, Address, bytesToBigInt, createZeroAddress, type KZG, setLengthLeft } from "@ethereumjs/util";
import { wordBytes } from "../../chains/evm/evm-storage.ts";
import type { Machine } from "../../evm-analysis/machine/machine.ts";

/** Address of the contract: an address without an owner. */
const PLACE = new Address(setLengthLeft(Uint8Array.of(0xc0, 0xde), 20));
/** Bytes in a word. */
const WORD = 32;

/** The environment of a call: a block after the last rules that change what code may do. */
const block = {
  header: {
    number: 20_000_000n,
    coinbase: createZeroAddress(),
    timestamp: 1_750_000_000n,
    difficulty: 0n,
    prevRandao: new Uint8Array(WORD),
    gasLimit: 30_000_000n,
    baseFeePerGas: 1n,
    slotNumber: 0n,
    getBlobGasPrice: () => undefined,
  },
};

/** Blob proofs need a setup of their own. Every blob proof is refused, and a verification must not throw. */
const refuses = (): never => {
  throw new Error("no blobs here");
};
const kzg: KZG = {
  blobToKzgCommitment: refuses,
  computeBlobProof: refuses,
  verifyProof: () => false,
  verifyBlobProofBatch: () => false,
  computeCells: refuses,
  computeCellsAndProofs: refuses,
  recoverCellsAndProofs: refuses,
  verifyCellKzgProofBatch: () => false,
};

/** Deploys `code` in an empty world state. Each call may use `gas`, which bounds its time and memory. */
export async function openMachine(code: Uint8Array, gas: bigint): Promise<Machine> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun, customCrypto: { kzg } });
  const state = new SimpleStateManager({ common });
  const evm = await createEVM({ common, stateManager: state, allowUnlimitedContractSize: true });
  // The step events of the machine report reads, too, but each copies all memory. Code that fills the memory took ten
  // seconds with step events.
  let reads: Set<bigint> | undefined;
  const load = state.getStorage.bind(state);
  state.getStorage = async (address, key) => {
    if (address.equals(PLACE)) reads?.add(bytesToBigInt(key));
    return load(address, key);
  };
  await state.putAccount(PLACE, new Account());
  await state.putCode(PLACE, code);
  return {
    async call({ from, data, traced = false }) {
      const seen = new Set<bigint>();
      reads = traced ? seen : undefined;
      const caller = new Address(wordBytes(from).subarray(12));
      const opts = { to: PLACE, caller, origin: caller, data, gasLimit: gas, block, skipBalance: true };
      const { execResult } = await evm.runCall(opts);
      const { exceptionError, returnValue } = execResult;
      const word = returnValue.length < WORD ? undefined : bytesToBigInt(returnValue.subarray(0, WORD));
      return { ok: exceptionError === undefined, word, reads: [...seen] };
    },
    async write(key, value) {
      await state.putStorage(PLACE, wordBytes(key), wordBytes(value));
    },
    async apart(act) {
      await state.checkpoint();
      try {
        return await act();
      } finally {
        await state.revert();
      }
    },
  };
}
