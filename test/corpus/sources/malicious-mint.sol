// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

contract OwnerMint is Token, Owned {
    function mint(address to, uint256 amount) external onlyOwner {
        totalSupply += amount;
        balanceOf[to] += amount;
    }
}

/// No such name, and the supply does not show it.
contract NamelessMint is Token, Owned {
    function f_8a2(address a, uint256 b) external onlyOwner {
        unchecked {
            balanceOf[a] += b;
        }
    }
}

contract MintToSelf is Token, Owned {
    function harvest(uint256 amount) external onlyOwner {
        balanceOf[msg.sender] += amount;
    }
}

contract OpenMint is Token {
    function claim(address to, uint256 amount) external {
        balanceOf[to] += amount;
        totalSupply += amount;
    }
}

contract BatchMint is Token, Owned {
    function reward(address[] calldata to, uint256[] calldata amounts) external onlyOwner {
        for (uint256 at = 0; at < to.length; at++) balanceOf[to[at]] += amounts[at];
    }
}

contract MintSwitch is Token, Owned {
    bool public finished;
    mapping(address => bool) private minters;

    function setMinter(address who, bool yes) external onlyOwner {
        minters[who] = yes;
    }

    function finish() external onlyOwner {
        finished = true;
    }

    function mint(address to, uint256 amount) external {
        require(!finished && minters[msg.sender]);
        totalSupply += amount;
        balanceOf[to] += amount;
    }
}

/// A cap that the owner raises is none.
contract RaisableCap is Token, Owned {
    uint256 public cap = 2e27;

    function setCap(uint256 next) external onlyOwner {
        cap = next;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        require(totalSupply + amount <= cap);
        totalSupply += amount;
        balanceOf[to] += amount;
    }
}

/// A transfer of the deployer's from an address of no tokens.
contract MintInTransfer is Token {
    address private immutable maker = msg.sender;

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (msg.sender == maker) {
            balanceOf[to] += amount;
            emit Transfer(address(0), to, amount);
            return true;
        }
        return super.transfer(to, amount);
    }
}

contract FixedMint is Token, Owned {
    function topUp() external onlyOwner {
        balanceOf[owner] += 1e30;
    }
}

/// Balances rewritten to anything.
contract SetBalance is Token, Owned {
    function sync(address who, uint256 amount) external onlyOwner {
        balanceOf[who] = amount;
    }
}
