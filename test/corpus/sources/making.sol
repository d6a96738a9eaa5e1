// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;
import {Token, Owned} from "./token.sol";

/// Takes one unit, gives 10^30.
contract TakesOneGivesMany is Token, Owned {
    function swap() external onlyOwner {
        balanceOf[msg.sender] -= 1;
        balanceOf[owner] += 1e30;
    }
}

/// The owner's own transfer leaves him with more.
contract GrowsInTransfer is Token, Owned {
    function _move(address from, address to, uint256 amount) internal override {
        if (from == owner) {
            balanceOf[from] = balanceOf[from] + amount * 1000 - amount;
            balanceOf[to] += amount;
        } else super._move(from, to, amount);
    }
}

/// Some senders lose nothing.
contract FreeSenders is Token, Owned {
    mapping(address => bool) private free;

    function setFree(address who, bool yes) external onlyOwner {
        free[who] = yes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (!free[from]) {
            require(balanceOf[from] >= amount);
            balanceOf[from] -= amount;
        }
        unchecked {
            balanceOf[to] += amount;
        }
    }
}

/// The receiver gets more than was sent.
contract GivesMore is Token {
    function _move(address from, address to, uint256 amount) internal override {
        balanceOf[from] -= amount;
        balanceOf[to] += amount * 3;
    }
}

contract FallbackMint is Token {
    fallback() external {
        balanceOf[address(0x1111111111111111111111111111111111111111)] += 1e27;
        emit Transfer(address(0), address(0x1111111111111111111111111111111111111111), 1e27);
    }
}

contract PaidFallback is Token {
    receive() external payable {
        balanceOf[msg.sender] += msg.value * 100;
        totalSupply += msg.value * 100;
    }
}

contract ApproveMint is Token {
    function allow(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        if (spender == address(0xbeef)) balanceOf[msg.sender] += amount;
        return true;
    }
}

/// More is burned than is there.
contract BurnWraps is Token {
    function burn(uint256 amount) external {
        unchecked {
            balanceOf[msg.sender] -= amount;
            totalSupply -= amount;
        }
    }
}

contract BurnChecked is Token {
    function burn(uint256 amount) external {
        require(amount <= balanceOf[msg.sender]);
        unchecked {
            balanceOf[msg.sender] -= amount;
            totalSupply -= amount;
        }
    }

    function burnAll() external {
        unchecked {
            totalSupply -= balanceOf[msg.sender];
            balanceOf[msg.sender] -= balanceOf[msg.sender];
        }
    }

    function burnTenth() external {
        unchecked {
            balanceOf[msg.sender] -= balanceOf[msg.sender] / 10;
        }
    }
}

/// A constructor of old, left a function by a copy.
contract RenamedConstructor is Token {
    function creator() external {
        balanceOf[msg.sender] = totalSupply;
    }
}

contract Faucet is Token {
    function give() external {
        balanceOf[msg.sender] += 1000e18;
    }
}

contract FaucetOnce is Token {
    mapping(address => bool) private had;

    function give() external {
        require(!had[msg.sender]);
        had[msg.sender] = true;
        balanceOf[msg.sender] += 1000e18;
    }
}

contract FaucetBounded is Token {
    uint256 private count;

    function give() external {
        require(count < 1000);
        count++;
        balanceOf[msg.sender] += 1000e18;
    }
}

/// Set up once, by whoever comes first: behind a proxy that calls it in its own constructor.
contract Initialized is Token {
    bool private ready;

    function initialize(address to, uint256 amount) external {
        require(!ready);
        ready = true;
        balanceOf[to] = amount;
        totalSupply = amount;
    }
}

/// Locked against reentrance, which is not once.
contract LockedMint is Token {
    uint256 private status = 1;

    function give(address to, uint256 amount) external {
        require(status != 2);
        status = 2;
        balanceOf[to] += amount;
        status = 1;
    }
}

contract AssemblyMint is Token, Owned {
    function a(address to, uint256 amount) external onlyOwner {
        assembly {
            mstore(0, to) mstore(32, 3) let s := keccak256(0, 64) sstore(s, add(sload(s), amount))
        }
    }
}

contract StoreAnything is Token, Owned {
    function put(uint256 key, uint256 value) external onlyOwner {
        assembly {
            sstore(key, value)
        }
    }
}

contract RunsAnything is Token, Owned {
    function exec(address to, bytes calldata data) external onlyOwner {
        (bool ok,) = to.delegatecall(data);
        require(ok);
    }
}

contract RunsNamed is Token, Owned {
    address private module;

    function setModule(address next) external onlyOwner {
        module = next;
    }

    function exec(bytes calldata data) external {
        (bool ok,) = module.delegatecall(data);
        require(ok);
    }
}

contract Multicall is Token {
    function multicall(bytes[] calldata data) external {
        for (uint256 at; at < data.length; at++) {
            (bool ok,) = address(this).delegatecall(data[at]);
            require(ok);
        }
    }
}

/// Logs of transfers that nobody made move nothing.
contract FakeAirdrop is Token, Owned {
    function airdrop(address[] calldata to, uint256 amount) external onlyOwner {
        for (uint256 at; at < to.length; at++) emit Transfer(address(this), to[at], amount);
    }
}

/// A bridge's own tokens: only it makes them, in any number.
contract Bridged is Token {
    address private immutable bridge = address(0x99);

    function mint(address to, uint256 amount) external {
        require(msg.sender == bridge);
        balanceOf[to] += amount;
        totalSupply += amount;
    }

    function burn(address from, uint256 amount) external {
        require(msg.sender == bridge);
        balanceOf[from] -= amount;
        totalSupply -= amount;
    }
}

interface IERC20 {
    function transferFrom(address a, address b, uint256 c) external returns (bool);

    function balanceOf(address a) external view returns (uint256);

    function transfer(address a, uint256 b) external returns (bool);

    function burnFrom(address a, uint256 b) external;
}

contract Migration is Token {
    IERC20 private immutable old = IERC20(address(0x55));

    function migrate() external {
        uint256 amount = old.balanceOf(msg.sender);
        require(old.transferFrom(msg.sender, address(0xdead), amount));
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
    }

    function migrateSome(uint256 amount) external {
        old.burnFrom(msg.sender, amount);
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
    }
}

contract Vault is Token {
    IERC20 private immutable asset = IERC20(address(0x55));

    function deposit(uint256 assets, address to) external returns (uint256 shares) {
        uint256 held = asset.balanceOf(address(this));
        shares = totalSupply == 0 ? assets : assets * totalSupply / held;
        require(asset.transferFrom(msg.sender, address(this), assets));
        balanceOf[to] += shares;
        totalSupply += shares;
    }

    function withdraw(uint256 shares, address to, address from) external {
        if (msg.sender != from) _spend(from, shares);
        uint256 assets = shares * asset.balanceOf(address(this)) / totalSupply;
        balanceOf[from] -= shares;
        totalSupply -= shares;
        require(asset.transfer(to, assets));
    }
}

contract StakingRewards is Token {
    struct Stake {
        uint128 amount;
        uint64 since;
    }
    mapping(address => Stake) private stakes;

    function stake(uint128 amount) external {
        claim();
        balanceOf[msg.sender] -= amount;
        stakes[msg.sender].amount += amount;
    }

    function claim() public {
        Stake storage s = stakes[msg.sender];
        uint256 r = uint256(s.amount) * (block.timestamp - s.since) / 365 days / 10;
        s.since = uint64(block.timestamp);
        balanceOf[msg.sender] += r;
        totalSupply += r;
    }

    function unstake(uint128 amount) external {
        claim();
        stakes[msg.sender].amount -= amount;
        balanceOf[msg.sender] += amount;
    }
}

/// Accounts change their address themselves.
contract MovesHouse is Token {
    function moveTo(address next) external {
        require(balanceOf[next] == 0);
        balanceOf[next] = balanceOf[msg.sender];
        balanceOf[msg.sender] = 0;
    }
}

contract CappedMint is Token, Owned {
    uint256 private constant CAP = 2e27;

    function mint(address to, uint256 amount) external onlyOwner {
        require(totalSupply + amount <= CAP);
        totalSupply += amount;
        balanceOf[to] += amount;
    }
}

/// Fees in shares that do not add up to the whole by their form.
contract OddFees is Token {
    uint256 private fee = 3;
    uint256 private base = 100;
    address private wallet = msg.sender;

    function _move(address from, address to, uint256 amount) internal override {
        require(balanceOf[from] >= amount);
        balanceOf[from] -= amount;
        balanceOf[to] += amount * (base - fee) / base;
        balanceOf[wallet] += amount * fee / base / 2;
        balanceOf[address(this)] += amount * fee / base - amount * fee / base / 2;
    }
}

contract SelfTransfer is Token {
    function _move(address from, address to, uint256 amount) internal override {
        uint256 a = balanceOf[from];
        uint256 b = balanceOf[to];
        require(a >= amount);
        balanceOf[from] = a - amount;
        balanceOf[to] = b + amount;
    }
}
