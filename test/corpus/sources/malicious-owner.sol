// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

/// owner() shows nobody; somebody rules.
contract HiddenOwner is Token {
    address public owner;
    address private boss = msg.sender;
    mapping(address => bool) private bots;

    function add(address who) external {
        require(msg.sender == boss);
        bots[who] = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!bots[from]);
        super._move(from, to, amount);
    }
}

contract ConstantOwner is Token, Owned {
    bool private stopped;

    function stop(bool yes) external {
        require(msg.sender == 0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa);
        stopped = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!stopped);
        super._move(from, to, amount);
    }
}

/// Given up, and taken back after a while.
contract LockedOwner is Token, Owned {
    address private previous;
    uint256 private until;
    uint256 public fee = 1;

    function lock(uint256 time) external onlyOwner {
        previous = owner;
        owner = address(0);
        until = block.timestamp + time;
    }

    function unlock() external {
        require(msg.sender == previous && block.timestamp > until);
        owner = previous;
    }

    function setFee(uint256 next) external onlyOwner {
        require(next < 10);
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 part = (amount * fee) / 100;
        super._move(from, address(this), part);
        super._move(from, to, amount - part);
    }
}

contract TakesBack is Token, Owned {
    address private maker = msg.sender;

    function reclaim() external {
        require(msg.sender == maker);
        owner = maker;
    }
}

contract FakeRenounce is Token {
    address public owner = msg.sender;
    address private real = msg.sender;
    bool private closed;

    function renounceOwnership() external {
        require(msg.sender == owner);
        owner = address(0);
    }

    function close(bool yes) external {
        require(msg.sender == real);
        closed = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!closed || from == real);
        super._move(from, to, amount);
    }
}

contract SelfDestructing is Token, Owned {
    function end() external onlyOwner {
        selfdestruct(payable(owner));
    }
}

/// Code of the owner's choice runs as the token's own.
contract Delegating is Token, Owned {
    function run(address code, bytes calldata data) external onlyOwner {
        (bool ok, ) = code.delegatecall(data);
        require(ok);
    }
}

contract Proxy1967 {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    fallback() external payable {
        bytes32 slot = SLOT;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}
