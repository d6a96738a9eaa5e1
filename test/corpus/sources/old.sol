// SPDX-License-Identifier: Apache-2.0
// As tokens were written from 2016 to 2020: with SafeMath, `throw`-like tests and answers of false.
pragma solidity >=0.4.22 <0.8.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a);
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a);
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b);
        return c;
    }
}

contract OldBase {
    using SafeMath for uint256;

    address public owner;
    uint256 internal supply;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) internal allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function totalSupply() public view returns (uint256) {
        return supply;
    }

    function balanceOf(address who) public view returns (uint256) {
        return balances[who];
    }

    function allowance(address from, address to) public view returns (uint256) {
        return allowed[from][to];
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowed[msg.sender][spender] = value;
        return true;
    }

    function _move(address from, address to, uint256 value) internal {
        balances[from] = balances[from].sub(value);
        balances[to] = balances[to].add(value);
        emit Transfer(from, to, value);
    }

    function _spend(address from, uint256 value) internal {
        allowed[from][msg.sender] = allowed[from][msg.sender].sub(value);
    }
}

contract OldHonest is OldBase {
    modifier onlyPayloadSize(uint256 words) {
        require(msg.data.length >= words * 32 + 4);
        _;
    }

    function transfer(address to, uint256 value) public onlyPayloadSize(2) returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        _move(from, to, value);
        _spend(from, value);
        return true;
    }
}

/// Fails by an answer.
contract OldFalse is OldBase {
    function transfer(address to, uint256 value) public returns (bool) {
        if (balances[msg.sender] >= value && value > 0) {
            balances[msg.sender] -= value;
            balances[to] += value;
            return true;
        } else {
            return false;
        }
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        if (balances[from] >= value && allowed[from][msg.sender] >= value && value > 0) {
            balances[to] += value;
            balances[from] -= value;
            allowed[from][msg.sender] -= value;
            return true;
        } else {
            return false;
        }
    }
}

contract OldMintable is OldBase {
    bool public mintingFinished;

    function mint(address to, uint256 value) public onlyOwner returns (bool) {
        require(!mintingFinished);
        supply = supply.add(value);
        balances[to] = balances[to].add(value);
        return true;
    }

    function finishMinting() public onlyOwner {
        mintingFinished = true;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}

contract OldFrozen is OldBase {
    mapping(address => bool) public frozen;
    bool public stopped;

    function freeze(address who, bool yes) public onlyOwner {
        frozen[who] = yes;
    }

    function stop() public onlyOwner {
        stopped = true;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(!stopped);
        if (frozen[msg.sender]) return false;
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(!stopped);
        if (frozen[from]) return false;
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}

contract OldOwnerTakes is OldBase {
    function transfer(address to, uint256 value) public returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        if (msg.sender != owner) _spend(from, value);
        _move(from, to, value);
        return true;
    }

    function kill() public onlyOwner {
        selfdestruct(msg.sender);
    }
}

contract OldCrowdsale is OldBase {
    uint256 public price = 100;

    function () external payable {
        uint256 value = msg.value.mul(price);
        supply = supply.add(value);
        balances[msg.sender] = balances[msg.sender].add(value);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}
