// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Coin} from "market.sol";

/// What the demo's chain holds beside the pools and tokens of test/fixtures/evm/market.sol. Our own, as small as will do.

/// Sales are open to nobody until its owner says so, which he never does. Purchases are open.
contract ShutCoin is Coin("Shut") {
    bool public salesOpen;

    function setSalesOpen(bool open) external onlyOwner {
        salesOpen = open;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || from == owner || salesOpen, "sales are not open");
        super._move(from, to, amount);
    }
}

/// Nobody but its owner sells more than a limit, which he has set to a few units.
contract DustCoin is Coin("Dust") {
    uint256 public largestSale = 3;

    function setLargestSale(uint256 amount) external onlyOwner {
        largestSale = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || from == owner || amount <= largestSale, "too much at once");
        super._move(from, to, amount);
    }
}

contract Gate {
    address internal immutable keeper = msg.sender;

    function pass(address from) external view returns (bool) {
        return from == keeper;
    }
}

/// Asks another contract before each sale, which lets nobody but its maker through. Its own code looks like a safety measure.
contract GatedCoin is Coin("Gated") {
    Gate public gate = new Gate();

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && from != owner) require(gate.pass(from), "gate");
        super._move(from, to, amount);
    }
}

/// Its owner has given it up for all to see; another address, which nothing shows, can still stop who it likes.
contract HiddenOwnerCoin is Coin("HiddenOwner") {
    address private keeper = msg.sender;
    mapping(address => bool) private stopped;

    function renounceOwnership() external onlyOwner {
        owner = address(0);
    }

    function adjust(address who, bool how) external {
        require(msg.sender == keeper, "no");
        stopped[who] = how;
    }

    function handOver(address next) external {
        require(msg.sender == keeper, "no");
        keeper = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!stopped[from], "stopped");
        super._move(from, to, amount);
    }
}

/// Runs the code of another contract, which its admin can change. Slots: EIP-1967.
contract UpgradeableCoin {
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    constructor(address implementation, bytes memory first) {
        assembly {
            sstore(IMPLEMENTATION, implementation)
            sstore(ADMIN, caller())
        }
        (bool ok,) = implementation.delegatecall(first);
        require(ok, "the first call failed");
    }

    function upgradeTo(address implementation) external {
        address admin;
        assembly {
            admin := sload(ADMIN)
        }
        require(msg.sender == admin, "not the admin");
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
    }

    fallback() external {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(IMPLEMENTATION), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// What the proxy runs. A proxy has no constructor, so that it is begun by a call, once.
contract CoinToRun is Coin("Runs behind a proxy") {
    function begin(string calldata name_) external {
        require(totalSupply == 0, "begun");
        name = name_;
        symbol = name_;
        owner = msg.sender;
        totalSupply = 1e27;
        balanceOf[msg.sender] = 1e27;
    }
}

/// Pictures: each exists once (ERC-721).
contract Pictures {
    string public constant name = "Pictures";
    string public constant symbol = "PIC";
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed approved, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor() {
        ownerOf[1] = msg.sender;
        balanceOf[msg.sender] = 1;
        emit Transfer(address(0), msg.sender, 1);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function approve(address to, uint256 id) external {
        require(msg.sender == ownerOf[id] || isApprovedForAll[ownerOf[id]][msg.sender], "not yours");
        getApproved[id] = to;
        emit Approval(ownerOf[id], to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf[id] == from && to != address(0), "not there");
        require(
            msg.sender == from || msg.sender == getApproved[id] || isApprovedForAll[from][msg.sender], "not allowed"
        );
        delete getApproved[id];
        balanceOf[from]--;
        balanceOf[to]++;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        transferFrom(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes calldata) external {
        transferFrom(from, to, id);
    }
}

/// Things of several kinds, any number of each (ERC-1155).
contract Things {
    mapping(address => mapping(uint256 => uint256)) private held;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 amount);
    event TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] amounts);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor() {
        held[msg.sender][1] = 1_000;
        emit TransferSingle(msg.sender, address(0), msg.sender, 1, 1_000);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function balanceOf(address who, uint256 id) public view returns (uint256) {
        return held[who][id];
    }

    function balanceOfBatch(address[] calldata who, uint256[] calldata ids) external view returns (uint256[] memory all) {
        require(who.length == ids.length, "lengths");
        all = new uint256[](who.length);
        for (uint256 i = 0; i < who.length; i++) all[i] = held[who[i]][ids[i]];
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata) external {
        _move(from, to, id, amount);
        emit TransferSingle(msg.sender, from, to, id, amount);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata
    ) external {
        require(ids.length == amounts.length, "lengths");
        for (uint256 i = 0; i < ids.length; i++) _move(from, to, ids[i], amounts[i]);
        emit TransferBatch(msg.sender, from, to, ids, amounts);
    }

    function _move(address from, address to, uint256 id, uint256 amount) private {
        require(msg.sender == from || isApprovedForAll[from][msg.sender], "not allowed");
        require(to != address(0), "nobody");
        held[from][id] -= amount;
        held[to][id] += amount;
    }
}

/// Says that it gives something away, and takes all that it may of whoever comes.
contract Giveaway {
    address private immutable taker;

    constructor(address taker_) {
        taker = taker_;
    }

    function claim(address[] calldata coins) external {
        for (uint256 i = 0; i < coins.length; i++) {
            Coin(coins[i]).transferFrom(msg.sender, taker, Coin(coins[i]).balanceOf(msg.sender));
        }
    }
}
