import { base58 } from "@scure/base";
import { getBase58Decoder } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";

/**
 * The form of inner instructions in a node's answer: parsed for programs that the node knows, and as bytes for others.
 */
export function parsedInner(program: string, accounts: readonly string[], data: Uint8Array): object {
  const parsed = storyOf(program, accounts, data);
  const programId = program;
  if (parsed === undefined) return { programId, accounts, data: base58.encode(data), stackHeight: 2 };
  return { program: "known", programId, parsed, stackHeight: 2 };
}

/** Names of Agave's transaction-status, in the order of the instruction numbers. */
const systemTypes = [
  "createAccount",
  "assign",
  "transfer",
  "createAccountWithSeed",
  "advanceNonce",
  "withdrawFromNonce",
  "initializeNonce",
  "authorizeNonce",
  "allocate",
  "allocateWithSeed",
  "assignWithSeed",
  "transferWithSeed",
  "upgradeNonce",
];
const tokenTypes = [
  "initializeMint",
  "initializeAccount",
  "initializeMultisig",
  "transfer",
  "approve",
  "revoke",
  "setAuthority",
  "mintTo",
  "burn",
  "closeAccount",
  "freezeAccount",
  "thawAccount",
  "transferChecked",
  "approveChecked",
  "mintToChecked",
  "burnChecked",
  "initializeAccount2",
  "syncNative",
  "initializeAccount3",
  "initializeMultisig2",
  "initializeMint2",
  "getAccountDataSize",
  "initializeImmutableOwner",
  "amountToUiAmount",
  "uiAmountToAmount",
];
const SYSTEM = "11111111111111111111111111111111";
const key = (bytes: Uint8Array) => getBase58Decoder().decode(bytes);

function storyOf(program: string, accounts: readonly string[], data: Uint8Array): object | undefined {
  if (program === SYSTEM) return systemStory(accounts, data);
  return program.startsWith("Token") ? tokenStory(accounts, data) : undefined;
}

function systemStory([account = "", second = ""]: readonly string[], data: Uint8Array): object {
  const type = system.identifySystemInstruction(data);
  if (type === system.SystemInstruction.Assign) {
    const { programAddress } = system.getAssignInstructionDataDecoder().decode(data);
    return { type: "assign", info: { account, owner: programAddress } };
  }
  if (type === system.SystemInstruction.AuthorizeNonceAccount) {
    const { newNonceAuthority } = system.getAuthorizeNonceAccountInstructionDataDecoder().decode(data);
    const info = { nonceAccount: account, nonceAuthority: second, newAuthorized: newNonceAuthority };
    return { type: "authorizeNonce", info };
  }
  if (type === system.SystemInstruction.Allocate) {
    const { space } = system.getAllocateInstructionDataDecoder().decode(data);
    return { type: "allocate", info: { account, space } };
  }
  return { type: systemTypes[type], info: {} };
}

/** Instructions with only accounts and an amount, by number. Source: Agave, parse_token.rs. */
const named: Readonly<Record<number, readonly string[]>> = {
  [token.TokenInstruction.Transfer]: ["source", "destination", "authority"],
  [token.TokenInstruction.MintTo]: ["mint", "account", "mintAuthority"],
  [token.TokenInstruction.Burn]: ["account", "mint", "authority"],
  [token.TokenInstruction.FreezeAccount]: ["account", "mint", "freezeAuthority"],
  [token.TokenInstruction.TransferChecked]: ["source", "mint", "destination", "authority"],
  [token.TokenInstruction.MintToChecked]: ["mint", "account", "mintAuthority"],
  [token.TokenInstruction.BurnChecked]: ["account", "mint", "authority"],
};

function tokenStory(accounts: readonly string[], data: Uint8Array): object | undefined {
  const [account = "", second = "", third = "", fourth = ""] = accounts;
  const names = named[data[0] ?? -1];
  if (names !== undefined) {
    const amount = String(data.length < 9 ? 0n : Buffer.from(data).readBigUInt64LE(1));
    const told = data.length > 9 ? { tokenAmount: { amount, decimals: data[9] } } : { amount };
    return {
      type: tokenTypes[data[0] ?? 0],
      info: { ...Object.fromEntries(names.map((name, i) => [name, accounts[i]])), ...told },
    };
  }
  switch (data[0]) {
    case token.TokenInstruction.Approve: {
      const { amount } = token.getApproveInstructionDataDecoder().decode(data);
      return { type: "approve", info: { source: account, delegate: second, owner: third, amount: String(amount) } };
    }
    case token.TokenInstruction.ApproveChecked: {
      const { amount } = token.getApproveCheckedInstructionDataDecoder().decode(data);
      const tokenAmount = { amount: String(amount), decimals: 6, uiAmountString: "" };
      return {
        type: "approveChecked",
        info: { source: account, mint: second, delegate: third, owner: fourth, tokenAmount },
      };
    }
    case token.TokenInstruction.SetAuthority: {
      const names = ["mintTokens", "freezeAccount", "accountOwner", "closeAccount"];
      const authorityType = names[data[1] ?? 0] ?? "transferFeeConfig";
      const owned = authorityType === "accountOwner" || authorityType === "closeAccount" ? "account" : "mint";
      const newAuthority = data[2] === 1 ? key(data.subarray(3, 35)) : null;
      return { type: "setAuthority", info: { [owned]: account, authority: second, authorityType, newAuthority } };
    }
    case token.TokenInstruction.CloseAccount:
      return { type: "closeAccount", info: { account, destination: second, owner: third } };
    default:
      return { type: tokenTypes[data[0] ?? 0], info: {} };
  }
}
