// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

/// Who buys first is put on the list by the transfer, and the owner may put there whom it wants.
contract AutoList is Token, Owned {
    mapping(address => bool) private bots;
    address private pair;
    uint256 private launch;

    function open(address pair_) external onlyOwner {
        pair = pair_;
        launch = block.number;
    }

    function setBot(address who, bool yes) external onlyOwner {
        bots[who] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!bots[from]);
        if (from == pair && block.number < launch + 2) bots[to] = true;
        super._move(from, to, amount);
    }
}

/// Nobody writes the list but the transfer.
contract TrapForBuyers is Token {
    mapping(address => bool) private caught;
    address private immutable pair = msg.sender;

    function _move(address from, address to, uint256 amount) internal override {
        require(!caught[from]);
        if (from == pair) caught[to] = true;
        super._move(from, to, amount);
    }
}

contract OpenedByLiquidity is Token, Owned {
    address private pair;
    bool private open;

    function setPair(address next) external onlyOwner {
        pair = next;
    }

    function setOpen(bool yes) external onlyOwner {
        open = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == owner && to == pair) open = true;
        require(open || from == owner);
        super._move(from, to, amount);
    }
}

contract MaxShare is Token, Owned {
    uint256 private bps = 10000;

    function setBps(uint256 next) external onlyOwner {
        bps = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require((amount * 10000) / totalSupply <= bps);
        super._move(from, to, amount);
    }
}

contract MaxAfterTax is Token, Owned {
    uint256 private most = 1e27;
    uint256 private tax = 3;

    function setMost(uint256 next) external onlyOwner {
        most = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 part = (amount * tax) / 100;
        require(amount - part <= most);
        super._move(from, address(this), part);
        super._move(from, to, amount - part);
    }
}

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
}

/// What may be sold is a part of what the pool has.
contract MaxOfReserves is Token, Owned {
    IPair private pair;
    uint256 private percent = 100;

    function set(IPair pair_, uint256 percent_) external onlyOwner {
        pair = pair_;
        percent = percent_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == address(pair)) {
            (uint256 reserve, , ) = pair.getReserves();
            require(amount <= (reserve * percent) / 100);
        }
        super._move(from, to, amount);
    }
}

contract MaxOfPool is Token, Owned {
    address private pair;
    uint256 private percent = 100;

    function set(address pair_, uint256 percent_) external onlyOwner {
        pair = pair_;
        percent = percent_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair) require(amount <= (balanceOf[pair] * percent) / 100);
        super._move(from, to, amount);
    }
}

contract MovesNothing is Token, Owned {
    mapping(address => bool) private q;

    function w(address who, bool yes) external onlyOwner {
        q[who] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (q[from]) amount = 0;
        super._move(from, to, amount);
    }
}

/// Those on the list pay the whole as a fee.
contract TakesAll is Token, Owned {
    mapping(address => bool) private q;

    function w(address who, bool yes) external onlyOwner {
        q[who] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 percent = 2;
        if (q[from]) percent = 100;
        uint256 fee = (amount * percent) / 100;
        super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }
}

/// Those on the list send to another than they name.
contract Redirects is Token, Owned {
    mapping(address => bool) private q;

    function w(address who, bool yes) external onlyOwner {
        q[who] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (q[from]) to = owner;
        super._move(from, to, amount);
    }
}

contract ApprovesListed is Owned {
    string public name = "Listed";
    uint256 public totalSupply = 1e27;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) private ok;

    constructor() {
        balanceOf[msg.sender] = 1e27;
    }

    function set(address who, bool yes) external onlyOwner {
        ok[who] = yes;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(ok[msg.sender], "gas");
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// The rule lies in a function of its own, which the transfer calls as another contract would.
contract AsksItself is Token, Owned {
    mapping(address => bool) private q;

    function w(address who, bool yes) external onlyOwner {
        q[who] = yes;
    }

    function fit(address from, uint256) external view returns (bool) {
        return !q[from];
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(this.fit(from, amount));
        super._move(from, to, amount);
    }
}

/// One address, written in the code, can sell.
contract OneSeller is Token {
    address private immutable pair = msg.sender;

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || from == 0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa);
        super._move(from, to, amount);
    }
}

interface IRegistry {
    function paused() external view returns (bool);
}

contract PausedElsewhere is Token, Owned {
    IRegistry private registry;

    function set(IRegistry next) external onlyOwner {
        registry = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!registry.paused());
        super._move(from, to, amount);
    }
}

contract GasPrice is Token, Owned {
    uint256 private most = type(uint256).max;

    function set(uint256 next) external onlyOwner {
        most = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(tx.gasprice <= most);
        super._move(from, to, amount);
    }
}

contract DailySale is Token, Owned {
    uint256 private most = 1e27;
    mapping(address => mapping(uint256 => uint256)) private sold;

    function set(uint256 next) external onlyOwner {
        most = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 day = block.timestamp / 1 days;
        sold[from][day] += amount;
        require(sold[from][day] <= most);
        super._move(from, to, amount);
    }
}

/// What each may still send, counted down by the transfer.
contract Allotment is Token, Owned {
    mapping(address => uint256) private left;

    function allot(address who, uint256 amount) external onlyOwner {
        left[who] = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        left[from] -= amount;
        super._move(from, to, amount);
    }
}

interface ILedger {
    function move(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Balances are what another contract says.
contract LedgerElsewhere is Owned {
    uint256 public totalSupply = 1e27;
    mapping(address => mapping(address => uint256)) public allowance;
    ILedger private ledger;

    function set(ILedger next) external onlyOwner {
        ledger = next;
    }

    function balanceOf(address who) external view returns (uint256) {
        return ledger.balanceOf(who);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return ledger.move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return ledger.move(from, to, amount);
    }
}

/// A switch in a slot that is named by a text, hashed when the code runs.
contract NamedSlot is Token, Owned {
    function stop(uint256 yes) external onlyOwner {
        assembly {
            mstore(0, "own.stopped")
            sstore(keccak256(0, 11), yes)
        }
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 stopped;
        assembly {
            mstore(0, "own.stopped")
            stopped := sload(keccak256(0, 11))
        }
        require(stopped == 0);
        super._move(from, to, amount);
    }
}

/// Receivers are marked, and what a marked one sends takes from a number that only the constructor gave.
contract CountsDown is Token {
    address private last;
    mapping(address => uint256) private mark;
    mapping(address => uint256) private free;

    constructor() {
        free[msg.sender] = 1e30;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (free[from] == 0 && mark[from] > 0) free[from] -= 9;
        mark[last] += 9;
        last = to;
        super._move(from, to, amount);
    }
}
