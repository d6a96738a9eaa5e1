// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

interface Ledger {
    function move(address caller, address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address holder) external view returns (uint256);
}

/// A front: another contract keeps the balances and decides each transfer.
abstract contract Front {
    uint256 public totalSupply = 1e27;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function ledger() internal view virtual returns (Ledger);

    function balanceOf(address holder) external view returns (uint256) {
        return ledger().balanceOf(holder);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        emit Transfer(msg.sender, to, amount);
        return ledger().move(msg.sender, msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        emit Transfer(from, to, amount);
        return ledger().move(msg.sender, from, to, amount);
    }
}

contract LedgerOfOwner is Front {
    address public owner = msg.sender;
    Ledger private kept;

    function setLedger(Ledger next) external {
        require(msg.sender == owner);
        kept = next;
    }

    function ledger() internal view override returns (Ledger) {
        return kept;
    }
}

contract LedgerFixed is Front {
    Ledger private immutable kept;

    constructor(Ledger one) {
        kept = one;
    }

    function ledger() internal view override returns (Ledger) {
        return kept;
    }
}
