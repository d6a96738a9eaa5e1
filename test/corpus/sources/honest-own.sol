// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

contract HandWritten is Token {}

contract HandWrittenOwned is Token, Owned {
    string public site;

    function setSite(string calldata next) external onlyOwner {
        site = next;
    }
}

/// Fees within a bound, to a wallet that the owner names.
contract BoundedFee is Token, Owned {
    uint256 public feeBps = 100;
    address public wallet = msg.sender;

    function setFee(uint256 bps) external onlyOwner {
        require(bps <= 300);
        feeBps = bps;
    }

    function setWallet(address next) external onlyOwner {
        wallet = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = (amount * feeBps) / 10000;
        super._move(from, wallet, fee);
        super._move(from, to, amount - fee);
    }
}

/// A part of each transfer is burned, for ever the same.
contract BurnOnTransfer is Token {
    function _move(address from, address to, uint256 amount) internal override {
        uint256 burned = amount / 100;
        require(balanceOf[from] >= amount);
        balanceOf[from] -= amount;
        balanceOf[to] += amount - burned;
        totalSupply -= burned;
        emit Transfer(from, to, amount - burned);
    }
}

contract WrappedNative {
    string public name = "Wrapped";
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount);
        balanceOf[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return transferFrom(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public returns (bool) {
        require(balanceOf[from] >= amount);
        if (from != msg.sender && allowance[from][msg.sender] != type(uint256).max) {
            require(allowance[from][msg.sender] >= amount);
            allowance[from][msg.sender] -= amount;
        }
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// Balances are shares of a total that an oracle of the owner changes for everybody alike.
contract Rebasing is Owned {
    string public name = "Rebasing";
    uint256 public totalSupply = 1e27;
    uint256 private constant SHARES = 1e36;
    mapping(address => uint256) private shares;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor() {
        shares[msg.sender] = SHARES;
    }

    function rebase(uint256 supply) external onlyOwner {
        require(supply > 0);
        totalSupply = supply;
    }

    function balanceOf(address holder) external view returns (uint256) {
        return shares[holder] / (SHARES / totalSupply);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 part = amount * (SHARES / totalSupply);
        shares[from] -= part;
        shares[to] += part;
    }
}

/// Holders of fees: every transfer gives a part to all, by shrinking what a share is.
contract Reflection is Owned {
    uint256 private constant T = 1e27;
    uint256 private rTotal = type(uint256).max - (type(uint256).max % T);
    uint256 public totalSupply = T;
    uint256 public feePercent = 2;
    mapping(address => uint256) private r;
    mapping(address => uint256) private t;
    mapping(address => bool) public excluded;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor() {
        r[msg.sender] = rTotal;
    }

    function balanceOf(address holder) public view returns (uint256) {
        return excluded[holder] ? t[holder] : r[holder] / rate();
    }

    function rate() public view returns (uint256) {
        return rTotal / T;
    }

    function exclude(address holder) external onlyOwner {
        require(!excluded[holder]);
        t[holder] = r[holder] / rate();
        excluded[holder] = true;
    }

    function include(address holder) external onlyOwner {
        require(excluded[holder]);
        t[holder] = 0;
        excluded[holder] = false;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        _move(from, to, amount);
        allowance[from][msg.sender] -= amount;
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 fee = (amount * feePercent) / 100;
        uint256 now_ = rate();
        r[from] -= amount * now_;
        r[to] += (amount - fee) * now_;
        if (excluded[from]) t[from] -= amount;
        if (excluded[to]) t[to] += amount - fee;
        rTotal -= fee * now_;
    }
}

/// Stakes leave the balance and come back to it.
contract Staking is Token {
    mapping(address => uint256) public staked;
    mapping(address => uint256) public since;

    function stake(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount);
        balanceOf[msg.sender] -= amount;
        staked[msg.sender] += amount;
        since[msg.sender] = block.timestamp;
    }

    function unstake(uint256 amount) external {
        require(block.timestamp > since[msg.sender] + 1 days);
        staked[msg.sender] -= amount;
        balanceOf[msg.sender] += amount;
    }
}

/// Tokens for those whose names are in a published tree, once each.
contract MerkleClaim is Token {
    bytes32 public immutable root;
    mapping(address => bool) public claimed;

    constructor(bytes32 root_) {
        root = root_;
    }

    function claim(uint256 amount, bytes32[4] calldata proof) external {
        require(!claimed[msg.sender]);
        bytes32 leaf = keccak256(abi.encode(msg.sender, amount));
        for (uint256 at = 0; at < 4; at++) leaf = keccak256(abi.encode(leaf, proof[at]));
        require(leaf == root);
        claimed[msg.sender] = true;
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
    }
}

/// Sold for ether at a fixed rate.
contract Crowdsale is Token {
    uint256 public constant RATE = 1000;

    function buy() external payable {
        uint256 amount = msg.value * RATE;
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
    }
}

/// As a stablecoin is run: who issues it can mint, freeze and pause. Honest, and able all the same.
contract Stablecoin is Token, Owned {
    bool public paused;
    mapping(address => bool) public frozen;
    mapping(address => uint256) public minterAllowance;

    function setMinter(address minter, uint256 amount) external onlyOwner {
        minterAllowance[minter] = amount;
    }

    function mint(address to, uint256 amount) external {
        uint256 left = minterAllowance[msg.sender];
        require(left > 0 && amount <= left);
        minterAllowance[msg.sender] = left - amount;
        totalSupply += amount;
        balanceOf[to] += amount;
    }

    function burn(uint256 amount) external onlyOwner {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
    }

    function freeze(address holder, bool yes) external onlyOwner {
        frozen[holder] = yes;
    }

    function setPaused(bool yes) external onlyOwner {
        paused = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!paused && !frozen[from] && !frozen[to]);
        super._move(from, to, amount);
    }
}

/// Two steps to a new owner, a lock against re-entry, many payments at once.
contract Batch is Token, Owned {
    address public pendingOwner;
    uint256 private entered = 1;

    modifier once() {
        require(entered == 1);
        entered = 2;
        _;
        entered = 1;
    }

    function propose(address next) external onlyOwner {
        pendingOwner = next;
    }

    function accept() external {
        require(msg.sender == pendingOwner);
        owner = pendingOwner;
        pendingOwner = address(0);
    }

    function transfer(address to, uint256 amount) public override once returns (bool) {
        return super.transfer(to, amount);
    }

    function sweep() external onlyOwner once {
        payable(owner).transfer(address(this).balance);
    }

    function airdrop(address[] calldata to, uint256 amount) external {
        for (uint256 at = 0; at < to.length; at++) _move(msg.sender, to[at], amount);
    }
}

/// The amount to a holder and back lies beside a flag in one word.
contract PackedBalances is Owned {
    struct Account {
        uint128 amount;
        uint64 lastSeen;
        bool known;
    }

    mapping(address => Account) private accounts;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply = 1e27;

    constructor() {
        accounts[msg.sender].amount = 1e27;
    }

    function balanceOf(address holder) external view returns (uint256) {
        return accounts[holder].amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, uint128(amount));
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, uint128(amount));
        return true;
    }

    function _move(address from, address to, uint128 amount) private {
        accounts[from].amount -= amount;
        accounts[from].lastSeen = uint64(block.timestamp);
        accounts[to].amount += amount;
        accounts[to].known = true;
    }
}
