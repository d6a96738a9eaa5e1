// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Bridgeable} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC20Bridgeable.sol";
import {ERC20Crosschain} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Crosschain.sol";
import {ERC20TemporaryApproval} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC20TemporaryApproval.sol";
import {ERC20TransferAuthorization} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20TransferAuthorization.sol";
import {CrosschainLinked} from "@openzeppelin/contracts/crosschain/CrosschainLinked.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Token, Owned} from "./token.sol";

contract OzTemporaryApproval is ERC20("Temporary", "TMP"), ERC20TemporaryApproval {
    constructor() {
        _mint(msg.sender, 1e27);
    }

    function allowance(address owner, address spender)
        public
        view
        override(ERC20, ERC20TemporaryApproval)
        returns (uint256)
    {
        return super.allowance(owner, spender);
    }

    function _spendAllowance(address owner, address spender, uint256 value)
        internal
        override(ERC20, ERC20TemporaryApproval)
    {
        super._spendAllowance(owner, spender, value);
    }
}

contract OzBridgeable is ERC20("Bridgeable", "BRG"), ERC20Bridgeable {
    address private immutable bridge = msg.sender;

    function _checkTokenBridge(address caller) internal view override {
        require(caller == bridge);
    }
}

contract OzCrosschain is ERC20("Crosschain", "CRS"), ERC20Crosschain {
    constructor(CrosschainLinked.Link[] memory links) CrosschainLinked(links) {
        _mint(msg.sender, 1e27);
    }
}

contract OzTransferAuthorization is ERC20("Authorized", "ATH"), EIP712("Authorized", "1"), ERC20TransferAuthorization {
    constructor() {
        _mint(msg.sender, 1e27);
    }
}

/// A lock that lasts for the transaction.
contract TransientLock is Token, ReentrancyGuardTransient {
    function transfer(address to, uint256 amount) public override nonReentrant returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }
}

abstract contract Lending is Token {
    function lent(address from, address to) internal view returns (uint256 amount) {
        bytes32 place = keccak256(abi.encode(to, keccak256(abi.encode(from, uint256(77)))));
        assembly {
            amount := tload(place)
        }
    }

    function lend(address from, address to, uint256 amount) internal {
        bytes32 place = keccak256(abi.encode(to, keccak256(abi.encode(from, uint256(77)))));
        assembly {
            tstore(place, amount)
        }
    }

    function _spend(address from, uint256 amount) internal override {
        if (lent(from, msg.sender) >= amount) lend(from, msg.sender, lent(from, msg.sender) - amount);
        else super._spend(from, amount);
    }
}

/// Temporary approvals that `allowance` does not show.
contract LendsOwn is Lending {
    function approveOnce(address spender, uint256 amount) external {
        lend(msg.sender, spender, amount);
    }
}

/// The same, and whoever asks is lent what is another's.
contract LendsOthers is Lending {
    function borrow(address from, uint256 amount) external {
        lend(from, msg.sender, amount);
    }
}

/// A flag that is gone with the transaction: a claim for each, again and again.
contract ClaimOncePerTransaction is Token {
    function claim() external {
        bool claimed;
        assembly {
            mstore(0, caller())
            mstore(32, 99)
            let place := keccak256(0, 64)
            claimed := tload(place)
            tstore(place, 1)
        }
        require(!claimed);
        balanceOf[msg.sender] += 1000e18;
        totalSupply += 1000e18;
    }
}
