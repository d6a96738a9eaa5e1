// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token} from "./token.sol";

/// Votes by block, and a setup that moves so often that it takes longer to follow than all the rest.
contract LongSetup is Token {
    struct Snapshot {
        uint128 at;
        uint128 value;
    }

    mapping(address => mapping(uint256 => Snapshot)) private snapshots;
    mapping(address => uint256) private counts;
    bool private isSetUp;

    function setUp(address a, address b, address c) external {
        require(!isSetUp);
        isSetUp = true;
        _share(a, 13e24);
        _share(b, 3e24);
        _share(c, 1e24);
    }

    function _share(address to, uint256 amount) private {
        _move(address(this), to, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from != to) {
            _note(from, balanceOf[from] - amount);
            _note(to, balanceOf[to] + amount);
        }
        super._move(from, to, amount);
    }

    function _note(address holder, uint256 value) private {
        uint256 count = counts[holder];
        if (count != 0 && snapshots[holder][count - 1].at == uint128(block.number)) {
            snapshots[holder][count - 1].value = uint128(value);
        } else {
            snapshots[holder][count] = Snapshot(uint128(block.number), uint128(value));
            counts[holder] = count + 1;
        }
    }
}
