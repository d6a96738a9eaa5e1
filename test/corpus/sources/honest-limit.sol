// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token, Owned} from "./token.sol";

/// A lock that both transfers and the owner's functions take is no switch.
contract LockedTwice is Token, Owned {
    uint256 private entered = 1;
    bool private busy;

    modifier once() {
        require(entered == 1);
        entered = 2;
        _;
        entered = 1;
    }

    modifier alone() {
        require(!busy);
        busy = true;
        _;
        busy = false;
    }

    function sweep() external onlyOwner once alone {
        payable(owner).transfer(address(this).balance);
    }

    function _move(address from, address to, uint256 amount) internal override once alone {
        super._move(from, to, amount);
    }
}

/// What the owner sends by way of transfer's own code writes what every transfer writes.
contract GivesAway is Token, Owned {
    mapping(address => uint256) public lastTrade;
    mapping(address => bool) public known;
    uint256 public moved;

    function airdrop(address[] calldata to, uint256 amount) external onlyOwner {
        for (uint256 at = 0; at < to.length; at++) _move(msg.sender, to[at], amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(lastTrade[from] < block.number, "one a block");
        lastTrade[to] = block.number;
        known[to] = true;
        moved += amount;
        super._move(from, to, amount);
    }
}

/// Rates within bounds and wallets of the owner, in arithmetic that fails when it is not exact.
contract ExactTaxes is Token, Owned {
    uint256 public tax = 5;
    uint256 public liquidityPart = 2;
    uint256 public marketingPart = 3;
    uint256 public denominator = 100;
    address public wallet = msg.sender;
    address public liquidity = msg.sender;

    function setTax(uint256 next, uint256 liquidityPart_, uint256 marketingPart_) external onlyOwner {
        require(next <= 10 && liquidityPart_ + marketingPart_ <= 10 && marketingPart_ > 0);
        tax = next;
        liquidityPart = liquidityPart_;
        marketingPart = marketingPart_;
    }

    function setDenominator(uint256 next) external onlyOwner {
        require(next >= 100);
        denominator = next;
    }

    function setWallets(address next, address liquidity_) external onlyOwner {
        wallet = next;
        liquidity = liquidity_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 kept = (amount * (100 - tax)) / denominator;
        uint256 rest = amount - kept;
        uint256 first = (rest * liquidityPart) / (liquidityPart + marketingPart);
        _give(from, liquidity, first);
        _give(from, wallet, rest - first);
        _give(from, to, kept);
    }

    function _give(address from, address to, uint256 amount) private {
        require(from != address(0) && to != address(0), "zero");
        super._move(from, to, amount);
    }
}

/// Transfers of nothing, to oneself, to the contract and to where tokens are burned go their own ways.
contract Shortcuts is Token, Owned {
    address private constant DEAD = address(0xdead);
    uint256 public burned;
    bool public counted;

    function setCounted(bool yes) external onlyOwner {
        counted = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(to != address(this), "not to itself");
        if (amount == 0) {
            emit Transfer(from, to, 0);
            return;
        }
        if (from == to) return;
        if (to == DEAD || to == address(0)) {
            balanceOf[from] -= amount;
            totalSupply -= amount;
            if (counted) burned += amount;
            return;
        }
        super._move(from, to, amount);
    }
}

/// Whoever wants may lock his own tokens, nobody another's.
contract OwnLock is Token {
    mapping(address => bool) public locked;
    mapping(address => uint256) public until;

    function lock(bool yes) external {
        locked[msg.sender] = yes;
    }

    function lockUntil(uint256 time) external {
        require(time > until[msg.sender]);
        until[msg.sender] = time;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!locked[from] && block.timestamp >= until[from]);
        super._move(from, to, amount);
    }
}

/// An allowance must be zero before it is set anew, as in tokens of 2017.
contract ApproveOnce is Owned {
    string public name = "Once";
    uint256 public totalSupply = 1e27;
    string public site;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public partner;

    constructor() {
        balanceOf[msg.sender] = 1e27;
    }

    function setSite(string calldata next) external onlyOwner {
        site = next;
    }

    function setPartner(address who, bool yes) external onlyOwner {
        partner[who] = yes;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(amount == 0 || allowance[msg.sender][spender] == 0 || partner[spender]);
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

interface IOracle {
    function price() external view returns (uint256);
    function sync() external;
}

/// Another contract is asked, and whatever it answers, the transfer goes on.
contract AsksPrice is Token, Owned {
    IOracle public oracle;
    uint256 public lastPrice;

    function setOracle(IOracle next) external onlyOwner {
        oracle = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (address(oracle) != address(0)) {
            try oracle.price() returns (uint256 found) {
                lastPrice = found;
            } catch {}
        }
        super._move(from, to, amount);
    }
}

/// Stakes open a function for whoever has them: what anybody may earn is no privilege over others.
contract StakedLevels is Token {
    mapping(address => uint256) public staked;
    mapping(address => bytes32) public message;

    function stake(uint256 amount) external {
        _move(msg.sender, address(this), amount);
        staked[msg.sender] += amount;
    }

    function unstake(uint256 amount) external {
        require(staked[msg.sender] >= amount);
        staked[msg.sender] -= amount;
        _move(address(this), msg.sender, amount);
    }

    function say(bytes32 text) external {
        require(staked[msg.sender] >= 1e18);
        message[msg.sender] = text;
    }
}

/// What is asked of buyers alone, whose tokens come from the pair, keeps nobody from selling.
contract BuyersOnly is Token, Owned {
    mapping(address => bool) public early;
    mapping(address => bool) public pairs;
    address public pair;
    uint256 public most = 1e25;
    uint256 private openedAt;

    function set(address pair_, uint256 most_) external onlyOwner {
        pair = pair_;
        pairs[pair_] = true;
        most = most_;
    }

    function setEarly(address who, bool yes) external onlyOwner {
        early[who] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && openedAt == 0) openedAt = block.timestamp;
        if (from == pair) {
            require(amount <= most, "most");
            if (block.timestamp <= openedAt + 420) require(early[to], "early");
        }
        if (pairs[from] && !pairs[to]) require(amount <= most * 2);
        super._move(from, to, amount);
    }
}

/// A switch decides whether taxes are sold on the way, and nothing of what comes after.
contract SwapSwitch is Token, Owned {
    IOracle private router;
    address private pair;
    uint256 private threshold = 1e20;
    address private maker = msg.sender;
    bool private opened;
    bool private swapEnabled = true;
    bool private busy;

    function setSwap(bool yes, uint256 next) external onlyOwner {
        swapEnabled = yes;
        threshold = next;
    }

    function setPair(address next) external onlyOwner {
        pair = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (swapEnabled && balanceOf[address(this)] >= threshold && from != pair && !busy) {
            busy = true;
            router.sync();
            busy = false;
        }
        if (to == pair && !opened) {
            require(from == maker);
            opened = true;
        }
        super._move(from, to, amount);
    }
}

interface IExchange {
    function token0() external view returns (address);
    function getPair(address a, address b) external view returns (address);
    function rate() external view returns (uint256);
}

/// Whether the receiver is a pair is asked of it and of a factory, a fee follows, by a rate that divides. Dust stays behind.
contract FindsPairs is Token, Owned {
    IExchange private immutable factory = IExchange(msg.sender);
    mapping(address => bool) public exempt;
    uint256 public burned;

    function setExempt(address who, bool yes) external onlyOwner {
        exempt[who] = yes;
    }

    function _isPair(address to) private view returns (bool) {
        if (to.code.length == 0) return false;
        try IExchange(to).token0() returns (address token) {
            return factory.getPair(token, address(this)) == to;
        } catch {
            return false;
        }
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (!exempt[from]) {
            require(amount > 1e9, "dust");
            if (_isPair(to)) {
                uint256 fee = amount / 100;
                burned += fee / factory.rate();
                balanceOf[from] -= fee;
                amount -= fee;
            }
        }
        super._move(from, to, amount);
    }
}

/// A largest transfer for all but the pair, to which tokens are sold.
contract NotTowardsPair is Token, Owned {
    address public pair;
    uint256 public most = 1e25;
    uint256 public bought;

    function set(address pair_, uint256 most_) external onlyOwner {
        pair = pair_;
        most = most_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair) bought += amount;
        if (to != pair) require(amount <= most, "most");
        super._move(from, to, amount);
    }
}
