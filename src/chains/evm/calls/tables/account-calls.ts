/**
 * Functions of claims, votes, names and accounts. Each argument is named by its role, see ../argument-roles.ts. Sources:
 * Uniswap MerkleDistributor; Merkl Distributor; OpenZeppelin Governor and Votes; ENS controllers; Safe OwnerManager,
 * ModuleManager, GuardManager and FallbackManager; Safe SafeMigration.
 */
export const accountCalls: readonly string[] = [
  // Claims
  "claim()",
  "claim(address recipient)",
  "claim(uint256)",
  "claim(uint256[])",
  "claim(uint256,address recipient,uint256,bytes32[])",
  "claim(address recipient,uint256,bytes32[])",
  "claim(uint256,bytes32[])",
  "claim(address[] recipient,address[] token,uint256[],bytes32[][])",
  // Votes
  "castVote(uint256,uint8)",
  "castVoteWithReason(uint256,uint8,string)",
  "delegate(address)",
  // ENS
  "commit(bytes32)",
  "register(string,address recipient,uint256,bytes32,address,bytes[] note,bool,uint16)",
  "renew(string,uint256)",
  "setName(string)",
  // Safe
  "addOwnerWithThreshold(address admin,uint256 threshold)",
  "removeOwner(address,address,uint256 threshold)",
  "swapOwner(address,address,address admin)",
  "changeThreshold(uint256 threshold)",
  "enableModule(address module)",
  "disableModule(address,address)",
  "setGuard(address module)",
  "setModuleGuard(address module)",
  "setFallbackHandler(address module)",
  "setupToL2(address module)",
  "migrateSingleton()",
  "migrateWithFallbackHandler()",
  "migrateL2Singleton()",
  "migrateL2WithFallbackHandler()",
];
