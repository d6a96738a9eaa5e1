// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token} from "./token.sol";

/// A list that stops transfers. How the others keep strangers from writing it is what they are about.
abstract contract Listed is Token {
    mapping(address => bool) internal listed;

    function _move(address from, address to, uint256 amount) internal override {
        require(!listed[from]);
        super._move(from, to, amount);
    }
}

contract GuardXor is Listed {
    function set(address who, bool yes) external {
        require(uint160(msg.sender) ^ 987654321987654321 == 123456789123456789123);
        listed[who] = yes;
    }
}

contract GuardHash is Listed {
    bytes32 private immutable boss = keccak256(abi.encodePacked(msg.sender));

    function set(address who, bool yes) external {
        require(keccak256(abi.encodePacked(msg.sender)) == boss);
        listed[who] = yes;
    }
}

contract GuardStoredHash is Listed {
    bytes32 private boss = keccak256(abi.encode(msg.sender));

    function set(address who, bool yes) external {
        if (keccak256(abi.encode(msg.sender)) != boss) revert();
        listed[who] = yes;
    }
}

contract GuardLevel is Listed {
    mapping(address => uint8) private level;
    uint8 private least = 2;

    constructor() {
        level[msg.sender] = 9;
    }

    function promote(address who, uint8 to) external {
        require(level[msg.sender] > to && level[msg.sender] >= least);
        level[who] = to;
    }

    function set(address who, bool yes) external {
        require(level[msg.sender] >= 3);
        listed[who] = yes;
    }
}

contract GuardRoleBits is Listed {
    mapping(address => uint256) private roles;

    constructor() {
        roles[msg.sender] = 255;
    }

    function give(address who, uint256 role) external {
        require((roles[msg.sender] >> 7) & 1 == 1);
        roles[who] |= 1 << role;
    }

    function set(address who, bool yes, uint256 role) external {
        require(role > 2 && roles[msg.sender] & (1 << role) != 0);
        listed[who] = yes;
    }
}

contract GuardOrigin is Listed {
    address private boss = msg.sender;

    function set(address who, bool yes) external {
        require(tx.origin == boss);
        listed[who] = yes;
    }
}

interface IRanks {
    function rank(address who) external view returns (uint256);
}

contract GuardAsked is Listed {
    IRanks private immutable ranks = IRanks(msg.sender);

    function set(address who, bool yes) external {
        require(ranks.rank(msg.sender) >= 5);
        listed[who] = yes;
    }
}

contract GuardOwners is Listed {
    address[] private owners;

    constructor() {
        owners.push(msg.sender);
    }

    function set(address who, bool yes) external {
        bool may;
        for (uint256 at = 0; at < owners.length; at++) if (owners[at] == msg.sender) may = true;
        require(may);
        listed[who] = yes;
    }
}

contract GuardSigners is Listed {
    mapping(address => bool) private signers;
    uint256 private used;

    constructor() {
        signers[msg.sender] = true;
    }

    function set(address who, bool yes, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(who, yes, used++)), v, r, s);
        require(signers[signer]);
        listed[who] = yes;
    }
}

contract GuardShort is Listed {
    uint96 private immutable boss = uint96(uint160(msg.sender));

    function set(address who, bool yes) external {
        require(uint96(uint160(msg.sender)) == boss);
        listed[who] = yes;
    }
}

contract GuardNear is Listed {
    function set(address who, bool yes) external {
        unchecked {
            require(uint160(msg.sender) - 987654321987654321987654321 < 16);
        }
        listed[who] = yes;
    }
}

/// The contract alone may, and does what the maker says.
contract GuardSelf is Listed {
    address private maker = msg.sender;

    function run(bytes calldata what) external {
        require(msg.sender == maker);
        (bool ok, ) = address(this).call(what);
        require(ok);
    }

    function set(address who, bool yes) external {
        require(msg.sender == address(this));
        listed[who] = yes;
    }
}

/// Whoever knows the word: nobody is kept out by who it is.
contract GuardWord is Listed {
    bytes32 private immutable word = keccak256("open");

    function set(address who, bool yes, string calldata said) external {
        require(keccak256(bytes(said)) == word);
        listed[who] = yes;
    }
}

contract NoGuard is Listed {
    function report(address who) external {
        listed[who] = true;
    }
}
