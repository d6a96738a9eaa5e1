// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

interface IRouter {
    function WETH() external pure returns (address);
    function swapExactTokensForETHSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external;
}

/// Taxes that are sold for ether on the way, as most tokens of 2023 do; bounded, without a list or a switch.
contract TaxedSwap is Token, Owned {
    IRouter public router;
    address public pair;
    address payable public wallet = payable(msg.sender);
    uint256 public buyFee = 3;
    uint256 public sellFee = 3;
    uint256 public threshold = 1e24;
    bool private swapping;
    mapping(address => bool) public exempt;

    constructor(IRouter router_) {
        router = router_;
    }

    function setFees(uint256 buy, uint256 sell) external onlyOwner {
        require(buy <= 10 && sell <= 10, "too high");
        buyFee = buy;
        sellFee = sell;
    }

    function setExempt(address who, bool yes) external onlyOwner {
        exempt[who] = yes;
    }

    function setThreshold(uint256 amount) external onlyOwner {
        threshold = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (balanceOf[address(this)] >= threshold && !swapping && to == pair) {
            swapping = true;
            _swap(threshold);
            swapping = false;
        }
        uint256 fee = 0;
        if (!swapping && !exempt[from] && !exempt[to]) {
            if (from == pair) fee = (amount * buyFee) / 100;
            else if (to == pair) fee = (amount * sellFee) / 100;
        }
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }

    function _swap(uint256 amount) private {
        address[] memory path = new address[](2);
        path[0] = address(this);
        path[1] = router.WETH();
        allowance[address(this)][address(router)] = amount;
        router.swapExactTokensForETHSupportingFeeOnTransferTokens(amount, 0, path, address(this), block.timestamp);
        wallet.transfer(address(this).balance);
    }
}

/// The same with everything that a launch can have: switch, list, limits, cooldown, fees without bound.
contract Launch is Token, Owned {
    IRouter public router;
    address public pair;
    address payable public wallet = payable(msg.sender);
    uint256 public buyFee = 20;
    uint256 public sellFee = 30;
    uint256 public maxTx = 2e25;
    uint256 public maxWallet = 2e25;
    bool public tradingOpen;
    bool public limits = true;
    bool private swapping;
    mapping(address => bool) private bots;
    mapping(address => bool) private exempt;
    mapping(address => uint256) private lastBuy;

    constructor(IRouter router_) {
        router = router_;
        exempt[msg.sender] = true;
    }

    function openTrading(address pair_) external onlyOwner {
        pair = pair_;
        tradingOpen = true;
    }

    function removeLimits() external onlyOwner {
        limits = false;
    }

    function setMaxTx(uint256 amount) external onlyOwner {
        maxTx = amount;
    }

    function setMaxWallet(uint256 amount) external onlyOwner {
        maxWallet = amount;
    }

    function setFees(uint256 buy, uint256 sell) external onlyOwner {
        buyFee = buy;
        sellFee = sell;
    }

    function setBots(address[] memory list, bool yes) external onlyOwner {
        for (uint256 at = 0; at < list.length; at++) bots[list[at]] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!bots[from] && !bots[to], "bot");
        if (!exempt[from] && !exempt[to]) {
            require(tradingOpen, "closed");
            if (limits) {
                require(amount <= maxTx, "max tx");
                if (to != pair) require(balanceOf[to] + amount <= maxWallet, "max wallet");
                if (from == pair) lastBuy[to] = block.timestamp;
                else require(block.timestamp > lastBuy[from] + 30, "cooldown");
            }
        }
        uint256 fee = 0;
        if (!swapping && !exempt[from] && !exempt[to]) {
            uint256 held = balanceOf[address(this)];
            if (to == pair && held > 0) {
                swapping = true;
                _swap(held);
                swapping = false;
            }
            if (from == pair) fee = (amount * buyFee) / 100;
            else if (to == pair) fee = (amount * sellFee) / 100;
        }
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }

    function _swap(uint256 amount) private {
        address[] memory path = new address[](2);
        path[0] = address(this);
        path[1] = router.WETH();
        allowance[address(this)][address(router)] = amount;
        router.swapExactTokensForETHSupportingFeeOnTransferTokens(amount, 0, path, address(this), block.timestamp);
        wallet.transfer(address(this).balance);
    }
}
