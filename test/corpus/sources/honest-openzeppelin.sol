// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Capped} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";
import {ERC20FlashMint} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20FlashMint.sol";
import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {ERC20Wrapper} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Wrapper.sol";
import {ERC1363} from "@openzeppelin/contracts/token/ERC20/extensions/ERC1363.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

contract OzPlain is ERC20("Plain", "PLN") {
    constructor() {
        _mint(msg.sender, 1e27);
    }
}

contract OzBurnable is ERC20("Burnable", "BRN"), ERC20Burnable {
    constructor() {
        _mint(msg.sender, 1e27);
    }
}

contract OzPermit is ERC20("Permit", "PRM"), ERC20Permit("Permit") {
    constructor() {
        _mint(msg.sender, 1e27);
    }
}

contract OzVotes is ERC20("Votes", "VOT"), ERC20Permit("Votes"), ERC20Votes {
    constructor() {
        _mint(msg.sender, 1e27);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}

contract OzCapped is ERC20("Capped", "CAP"), ERC20Capped(1e27), Ownable(msg.sender) {
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Capped) {
        super._update(from, to, value);
    }
}

contract OzMintable is ERC20("Mintable", "MNT"), Ownable(msg.sender) {
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}

contract OzMinterRole is ERC20("Roles", "ROL"), AccessControl {
    bytes32 public constant MINTER = keccak256("MINTER");

    constructor() {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER) {
        _mint(to, amount);
    }
}

contract OzPausable is ERC20("Pausable", "PSB"), ERC20Pausable, Ownable2Step {
    constructor() Ownable(msg.sender) {
        _mint(msg.sender, 1e27);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) {
        super._update(from, to, value);
    }
}

contract OzFlashMint is ERC20("Flash", "FLS"), ERC20FlashMint {
    constructor() {
        _mint(msg.sender, 1e27);
    }
}

contract OzWrapper is ERC20("Wrapper", "WRP"), ERC20Wrapper {
    constructor(IERC20 token) ERC20Wrapper(token) {}

    function decimals() public view override(ERC20, ERC20Wrapper) returns (uint8) {
        return super.decimals();
    }
}

contract OzVault is ERC20("Vault", "VLT"), ERC4626 {
    constructor(IERC20 token) ERC4626(token) {}

    function decimals() public view override(ERC20, ERC4626) returns (uint8) {
        return super.decimals();
    }
}

contract OzTransferAndCall is ERC20("Call", "CLL"), ERC1363 {
    constructor() {
        _mint(msg.sender, 1e27);
    }
}

contract OzOwnable is ERC20("Owned", "OWN"), Ownable(msg.sender) {
    string public logo;

    constructor() {
        _mint(msg.sender, 1e27);
    }

    function setLogo(string calldata next) external onlyOwner {
        logo = next;
    }

    function rescue(IERC20 token, uint256 amount) external onlyOwner {
        require(address(token) != address(this));
        token.transfer(owner(), amount);
    }
}
