// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

/// Sales stop when a switch is off.
contract SaleSwitch is Token, Owned {
    bool public open = true;
    address public pair;

    function setPair(address next) external onlyOwner {
        pair = next;
    }

    function setOpen(bool yes) external onlyOwner {
        open = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && from != owner) require(open, "closed");
        super._move(from, to, amount);
    }
}

contract PauseAll is Token, Owned {
    uint256 private state;

    function toggle(uint256 next) external onlyOwner {
        state = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(state == 0 || from == owner);
        super._move(from, to, amount);
    }
}

contract OnlyWhitelisted is Token, Owned {
    mapping(address => bool) private ok;

    function set(address who, bool yes) external onlyOwner {
        ok[who] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(ok[from] || from == owner);
        super._move(from, to, amount);
    }
}

contract Blacklist is Token, Owned {
    mapping(address => bool) private bots;

    function add(address[] calldata who) external onlyOwner {
        for (uint256 at = 0; at < who.length; at++) bots[who[at]] = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!bots[from] && !bots[to]);
        super._move(from, to, amount);
    }
}

/// The list is not named and lies beside something else.
contract HiddenList is Token, Owned {
    struct Note {
        uint64 seen;
        uint8 grade;
    }

    mapping(address => Note) private notes;

    function grade(address who, uint8 value) external onlyOwner {
        notes[who].grade = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (notes[from].grade > 3) revert();
        notes[from].seen = uint64(block.timestamp);
        super._move(from, to, amount);
    }
}

contract PersonalLimit is Token, Owned {
    mapping(address => uint256) private most;

    function setMost(address who, uint256 amount) external onlyOwner {
        most[who] = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (most[from] > 0) require(amount <= most[from]);
        super._move(from, to, amount);
    }
}

/// Locked tokens that the owner sets are not free to go.
contract FrozenAmount is Token, Owned {
    mapping(address => uint256) public locked;

    function lock(address who, uint256 amount) external onlyOwner {
        locked[who] = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(balanceOf[from] - locked[from] >= amount);
        super._move(from, to, amount);
    }
}

contract MaxTransaction is Token, Owned {
    uint256 public maxTx = 1e25;

    function setMaxTx(uint256 amount) external onlyOwner {
        maxTx = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from != owner && to != owner) require(amount <= maxTx, "max");
        super._move(from, to, amount);
    }
}

/// Part of the supply, and only for sales.
contract MaxSale is Token, Owned {
    uint256 private percent = 100;
    mapping(address => bool) public pairs;

    function setPair(address who, bool yes) external onlyOwner {
        pairs[who] = yes;
    }

    function setPercent(uint256 next) external onlyOwner {
        percent = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (pairs[to]) require(amount <= (totalSupply * percent) / 100);
        super._move(from, to, amount);
    }
}

contract MaxWallet is Token, Owned {
    uint256 public maxWallet = 1e25;
    address public pair;

    function setPair(address next) external onlyOwner {
        pair = next;
    }

    function setMaxWallet(uint256 amount) external onlyOwner {
        maxWallet = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) require(balanceOf[to] + amount <= maxWallet);
        super._move(from, to, amount);
    }
}

contract Cooldown is Token, Owned {
    uint256 public wait = 60;
    mapping(address => uint256) private last;

    function setWait(uint256 next) external onlyOwner {
        wait = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(block.timestamp >= last[from] + wait);
        last[from] = block.timestamp;
        super._move(from, to, amount);
    }
}

contract TradingStart is Token, Owned {
    uint256 public start = type(uint256).max;

    function launch(uint256 at) external onlyOwner {
        start = at;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(block.timestamp >= start || from == owner);
        super._move(from, to, amount);
    }
}

interface IGate {
    function check(address from, address to, uint256 amount) external returns (bool);
}

/// Another contract decides.
contract ExternalGate is Token, Owned {
    IGate private gate;

    function setGate(IGate next) external onlyOwner {
        gate = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(gate.check(from, to, amount));
        super._move(from, to, amount);
    }
}

/// The same without an answer: the callee reverts.
contract CallbackGate is Token, Owned {
    address private hook;

    function setHook(address next) external onlyOwner {
        hook = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        (bool ok, ) = hook.call(abi.encodeWithSignature("x(address,uint256)", from, amount));
        require(ok);
        super._move(from, to, amount);
    }
}

/// Answers true and moves nothing for those on the list.
contract SilentFailure is Token, Owned {
    mapping(address => bool) private q;

    function w(address who) external onlyOwner {
        q[who] = true;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (q[msg.sender]) return true;
        return super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (q[from]) return true;
        return super.transferFrom(from, to, amount);
    }
}

/// The check sits before the move, in transferFrom alone, where sales go through.
contract CheckInTransferFrom is Token, Owned {
    bool private on;

    function s(bool yes) external onlyOwner {
        on = yes;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        require(!on || from == owner);
        return super.transferFrom(from, to, amount);
    }
}

contract UnboundedFee is Token, Owned {
    uint256 public sellFee = 5;
    address public pair;

    function setPair(address next) external onlyOwner {
        pair = next;
    }

    function setFee(uint256 percent) external onlyOwner {
        sellFee = percent;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = to == pair ? (amount * sellFee) / 100 : 0;
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }
}
