// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;
import {Token, Owned} from "./token.sol";

/// Goes on where the allowance does not suffice.
contract InvertedAllowance is Token {
    function _spend(address from, uint256 amount) internal view override {
        require(allowance[from][msg.sender] <= amount);
    }
}

/// The allowance is told to the log, and binds nobody.
contract AllowanceOnlyRead is Token {
    event Seen(uint256 allowed);

    function _spend(address from, uint256) internal override {
        emit Seen(allowance[from][msg.sender]);
    }
}

/// Takes what is left of the allowance, and moves everything.
contract AllowanceCut is Token {
    function _spend(address from, uint256 amount) internal override {
        uint256 allowed = allowance[from][msg.sender];
        allowance[from][msg.sender] = allowed > amount ? allowed - amount : 0;
    }
}

/// Everybody is let through but the operator.
contract NotOperator is Token {
    mapping(address => mapping(address => bool)) private operator;

    function setOperator(address who, bool yes) external {
        operator[msg.sender][who] = yes;
    }

    function operatorBurn(address from, uint256 amount) external {
        require(!operator[from][msg.sender]);
        balanceOf[from] -= amount;
        totalSupply -= amount;
    }
}

contract Operator is Token {
    mapping(address => mapping(address => bool)) private operator;

    function setOperator(address who, bool yes) external {
        operator[msg.sender][who] = yes;
    }

    function operatorBurn(address from, uint256 amount) external {
        require(operator[from][msg.sender] == true);
        balanceOf[from] -= amount;
        totalSupply -= amount;
    }
}

/// Somebody signed: whoever it was.
contract SignedByAnybody is Token {
    event Signer(address who);

    function move(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(from, to, amount)), v, r, s);
        require(signer != address(0));
        emit Signer(signer);
        _move(from, to, amount);
    }
}

/// The holder signed, or a key that it named.
contract SignedMove is Token {
    mapping(address => uint256) public nonces;

    function move(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(from != address(0) && ecrecover(keccak256(abi.encode(from, to, amount, nonces[from]++)), v, r, s) == from);
        _move(from, to, amount);
    }

    function recovered(address to, uint256 amount, bytes32 n, uint8 v, bytes32 r, bytes32 s) external {
        address from = ecrecover(keccak256(abi.encode(to, amount, n)), v, r, s);
        require(from != address(0));
        _move(from, to, amount);
    }
    mapping(address => address) public key;

    function setKey(address k) external {
        key[msg.sender] = k;
    }

    function byKey(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(key[from] != address(0));
        require(ecrecover(keccak256(abi.encode(from, to, amount, nonces[from]++)), v, r, s) == key[from]);
        _move(from, to, amount);
    }
}

interface IV {
    function isValidSignature(bytes32 h, bytes calldata s) external view returns (bytes4);
}

/// A holder that is a contract, asked whether it signed (ERC-1271).
contract ContractSigned is Token {
    mapping(address => uint256) public nonces;

    function move(address from, address to, uint256 amount, bytes calldata sig) external {
        bytes32 h = keccak256(abi.encode(from, to, amount, nonces[from]++));
        require(IV(from).isValidSignature(h, sig) == IV.isValidSignature.selector);
        _move(from, to, amount);
    }
}

/// Default operators act until a holder revokes them (ERC-777).
contract Erc777 is Token {
    mapping(address => bool) private defaults;
    mapping(address => mapping(address => bool)) private revoked;
    mapping(address => mapping(address => bool)) private ops;

    constructor(address[] memory list) {
        for (uint256 i; i < list.length; i++) defaults[list[i]] = true;
    }

    function isOperatorFor(address op, address holder) public view returns (bool) {
        return op == holder || (defaults[op] && !revoked[holder][op]) || ops[holder][op];
    }

    function authorizeOperator(address op) external {
        if (defaults[op]) delete revoked[msg.sender][op];
        else ops[msg.sender][op] = true;
    }

    function revokeOperator(address op) external {
        if (defaults[op]) revoked[msg.sender][op] = true;
        else delete ops[msg.sender][op];
    }

    function operatorSend(address from, address to, uint256 amount) external {
        require(isOperatorFor(msg.sender, from));
        _move(from, to, amount);
    }

    function operatorBurn(address from, uint256 amount) external {
        require(isOperatorFor(msg.sender, from));
        balanceOf[from] -= amount;
        totalSupply -= amount;
    }
}

/// Things that are moved with an amount of tokens each, by whoever the holder of the thing approved.
contract Items is Token {
    mapping(uint256 => address) internal ownerOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    function setApprovalForAll(address op, bool yes) external {
        isApprovedForAll[msg.sender][op] = yes;
    }

    function approveItem(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender);
        getApproved[id] = to;
    }

    function transferItem(address from, address to, uint256 id) external {
        require(ownerOf[id] == from);
        require(msg.sender == from || isApprovedForAll[from][msg.sender] || msg.sender == getApproved[id]);
        ownerOf[id] = to;
        delete getApproved[id];
        balanceOf[from] -= 1e18;
        unchecked {
            balanceOf[to] += 1e18;
        }
    }
}

/// The test of who is approved, turned round.
contract ItemsOfAnybody is Token {
    mapping(uint256 => address) internal ownerOf;
    mapping(uint256 => address) public getApproved;

    function transferItem(address from, address to, uint256 id) external {
        require(ownerOf[id] == from);
        require(msg.sender != getApproved[id]);
        ownerOf[id] = to;
        balanceOf[from] -= 1e18;
        unchecked {
            balanceOf[to] += 1e18;
        }
    }
}

/// A forwarder says whom it speaks for (ERC-2771).
contract Forwarded is Token {
    address immutable forwarder = address(7);

    function _msgSender() internal view returns (address) {
        if (msg.sender == forwarder && msg.data.length >= 20) return address(bytes20(msg.data[msg.data.length - 20:]));
        return msg.sender;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        _move(_msgSender(), to, amount);
        return true;
    }

    function burn(uint256 amount) external {
        address a = _msgSender();
        balanceOf[a] -= amount;
        totalSupply -= amount;
    }
}

/// An allowance of all ones is none that runs out; once in assembly.
contract MaxAllowance is Token {
    function _spend(address from, uint256 amount) internal override {
        if (from != msg.sender && allowance[from][msg.sender] != type(uint256).max) {
            require(allowance[from][msg.sender] >= amount);
            unchecked {
                allowance[from][msg.sender] -= amount;
            }
        }
    }

    function burnFrom(address from, uint256 amount) external {
        assembly {
            mstore(0, from) mstore(32, 4) mstore(32, keccak256(0, 64)) mstore(0, caller()) let s := keccak256(0, 64) let a := sload(s) if not(a) {
                if gt(amount, a) {
                    revert(0, 0)
                }
                sstore(s, sub(a, amount))
            }
        }
        balanceOf[from] -= amount;
    }
}
