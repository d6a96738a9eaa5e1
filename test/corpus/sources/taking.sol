// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;
import {Token, Owned} from "./token.sol";

interface IPair {
    function sync() external;
}

/// Named in one call, emptied in the next.
contract NamedThenTaken is Token, Owned {
    address private chosen;

    function choose(address who) external onlyOwner {
        chosen = who;
    }

    function sweep() external onlyOwner {
        uint256 all = balanceOf[chosen];
        balanceOf[chosen] = 0;
        balanceOf[owner] += all;
    }
}

/// The pair's tokens are burned, and the price follows: by a pair that the owner names.
contract PairBurn is Token, Owned {
    address private pair;

    function setPair(address next) external onlyOwner {
        pair = next;
    }

    function burnLiquidity(uint256 amount) external onlyOwner {
        balanceOf[pair] -= amount;
        totalSupply -= amount;
        IPair(pair).sync();
    }
}

/// The same with a pair that was made by the constructor.
contract FixedPairBurn is Token, Owned {
    address private immutable pair = address(0x1234);

    function squeeze(uint256 percent) external onlyOwner {
        uint256 amount = balanceOf[pair] * percent / 100;
        _move(pair, address(0xdead), amount);
        IPair(pair).sync();
    }
}

/// Holders remembered in a list of structures, and in a ring.
contract ListedHolders is Token, Owned {
    struct Entry {
        uint64 since;
        address who;
    }
    Entry[] private entries;
    mapping(address => address) private next;

    function note(address who) external {
        entries.push(Entry(uint64(block.timestamp), who));
        next[who] = next[address(1)];
        next[address(1)] = who;
    }

    function collect(uint256 at) external onlyOwner {
        address who = entries[at].who;
        balanceOf[owner] += balanceOf[who];
        balanceOf[who] = 0;
    }

    function ring() external onlyOwner {
        address who = next[address(1)];
        uint256 all = balanceOf[who];
        balanceOf[who] -= all;
        balanceOf[owner] += all;
    }
}

contract Slash is Token, Owned {
    function slash(address who) external onlyOwner {
        balanceOf[who] = balanceOf[who] * 1 / 100;
    }
}

contract SlashBy is Token, Owned {
    function scale(address who, uint256 percent) external onlyOwner {
        balanceOf[who] = balanceOf[who] * percent / 100;
    }
}

contract LeaveShare is Token, Owned {
    function share(address who) external onlyOwner {
        balanceOf[who] = totalSupply / 10 ** 9;
    }
}

contract TimesNothing is Token, Owned {
    function reset(address who) external onlyOwner {
        balanceOf[who] = balanceOf[who] * 0;
    }
}

contract LeaveDust is Token, Owned {
    function dust(address who) external onlyOwner {
        balanceOf[who] = 1;
    }

}

contract CopyBalance is Token, Owned {
    function copy(address to, address from) external onlyOwner {
        balanceOf[to] = balanceOf[from];
    }
}

/// Taken by adding the complement.
contract AddsComplement is Token, Owned {
    function adjust(address who, uint256 amount) external onlyOwner {
        unchecked {
            balanceOf[who] = balanceOf[who] + (~amount + 1);
        }
    }
}

contract TakesTenGivesOne is Token, Owned {
    function swap(address who, uint256 amount) external onlyOwner {
        balanceOf[who] = balanceOf[who] + amount - amount * 10;
    }
}

/// Sold out of the owner's balance: the office is his who sells.
contract SoldByOwner is Token, Owned {
    function buy() external payable {
        uint256 amount = msg.value * 1000;
        balanceOf[owner] -= amount;
        balanceOf[msg.sender] += amount;
    }
}

/// Out of a pool that the constructor names for good.
contract FixedPool is Token, Owned {
    address private immutable pool = address(0x77);
    address private reserve = address(0x78);
    mapping(address => bool) private paid;

    function claim() external {
        require(!paid[msg.sender]);
        paid[msg.sender] = true;
        balanceOf[pool] -= 1e18;
        balanceOf[msg.sender] += 1e18;
        balanceOf[reserve] -= 1;
    }
}

/// What lies at the contract is sold, and a wallet that the owner names is paid.
contract PaysWallet is Token, Owned {
    address payable private wallet;

    function setWallet(address payable next) external onlyOwner {
        wallet = next;
    }

    function payOut(uint256 amount) external onlyOwner {
        balanceOf[address(this)] -= amount;
        balanceOf[wallet] += amount;
    }

    function leave() external {
        require(msg.sender == wallet);
        balanceOf[wallet] = 0;
    }
}

/// Interest that anybody may have written down for anybody.
contract Interest is Token, Owned {
    uint256 public index = 1e18;
    mapping(address => uint256) private indexOf;

    function grow() external {
        index += 1e12;
    }

    function settle(address who) public {
        uint256 from = indexOf[who];
        if (from == 0) from = 1e18;
        balanceOf[who] = balanceOf[who] * index / from;
        indexOf[who] = index;
    }

    function _move(address from, address to, uint256 amount) internal override {
        settle(from);
        settle(to);
        super._move(from, to, amount);
    }
}

/// Everybody is given some when first met, as airdrops of 2018 did.
contract FirstTouch is Token {
    mapping(address => bool) private met;
    uint256 private given;

    function meet(address who) internal {
        if (!met[who] && given < 1e25) {
            met[who] = true;
            given += 1e18;
            balanceOf[who] = 1e18;
        }
    }

    function _move(address from, address to, uint256 amount) internal override {
        meet(from);
        meet(to);
        super._move(from, to, amount);
    }
}

/// A lock that moves tokens to the contract needs the holder himself; the way back is open to all.
contract Escrow is Token {
    mapping(address => uint256) private held;
    mapping(uint256 => address) private beneficiary;
    mapping(uint256 => uint256) private sums;

    function lock(uint256 id, address to, uint256 amount) external {
        _move(msg.sender, address(this), amount);
        beneficiary[id] = to;
        sums[id] = amount;
    }

    function release(uint256 id) external {
        uint256 amount = sums[id];
        sums[id] = 0;
        _move(address(this), beneficiary[id], amount);
    }
}
