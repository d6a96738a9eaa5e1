// SPDX-License-Identifier: Apache-2.0
pragma solidity >=0.7.0 <0.9.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "add");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        return sub(a, b, "sub");
    }

    function sub(uint256 a, uint256 b, string memory m) internal pure returns (uint256) {
        require(b <= a, m);
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b, "mul");
        return c;
    }

    function div(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b > 0, "div");
        return a / b;
    }
}

interface IRouter {
    function WETH() external view returns (address);
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint a, uint b, address[] calldata p, address t, uint d) external;
    function addLiquidityETH(address t, uint a, uint b, uint c, address to, uint d) external payable returns (uint, uint, uint);
}

abstract contract Refl {
    using SafeMath for uint256;
    address public owner = msg.sender;
    modifier onlyOwner() {
        require(owner == msg.sender, "Ownable");
        _;
    }
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed from, address indexed to, uint256 value);
    event SwapAndLiquify(uint256 a, uint256 b, uint256 c);
    mapping(address => uint256) private _r;
    mapping(address => uint256) private _t;
    mapping(address => mapping(address => uint256)) private _allow;
    mapping(address => bool) private _noFee;
    mapping(address => bool) private _out;
    address[] private _outList;
    uint256 private constant MAX = ~uint256(0);
    uint256 private _tTotal = 1e24;
    uint256 private _rTotal = (MAX - (MAX % 1e24));
    uint256 private _tFeeTotal;
    string public name = "Reflect";
    string public symbol = "RFL";
    uint8 public decimals = 9;
    uint256 public _taxFee = 5;
    uint256 private _prevTaxFee = _taxFee;
    uint256 public _liqFee = 5;
    uint256 private _prevLiqFee = _liqFee;
    IRouter public router;
    address public pair;
    bool inSwap;
    bool public swapOn = true;
    uint256 public maxTx = 5e21;
    uint256 private minSell = 5e20;
    modifier lockTheSwap {
        inSwap = true;
        _;
        inSwap = false;
    }

    function renounceOwnership() public virtual onlyOwner {
        owner = address(0);
    }

    function transferOwnership(address n) public virtual onlyOwner {
        require(n != address(0));
        owner = n;
    }

    function totalSupply() public view returns (uint256) {
        return _tTotal;
    }

    function balanceOf(address a) public view returns (uint256) {
        if (_out[a]) return _t[a];
        return tokenFromReflection(_r[a]);
    }

    function transfer(address to, uint256 v) public returns (bool) {
        _transfer(msg.sender, to, v);
        return true;
    }

    function allowance(address o, address s) public view returns (uint256) {
        return _allow[o][s];
    }

    function approve(address s, uint256 v) public returns (bool) {
        _approve(msg.sender, s, v);
        return true;
    }

    function transferFrom(address f, address to, uint256 v) public returns (bool) {
        _transfer(f, to, v);
        _approve(f, msg.sender, _allow[f][msg.sender].sub(v, "exceeds allowance"));
        return true;
    }

    function increaseAllowance(address s, uint256 v) public returns (bool) {
        _approve(msg.sender, s, _allow[msg.sender][s].add(v));
        return true;
    }

    function decreaseAllowance(address s, uint256 v) public returns (bool) {
        _approve(msg.sender, s, _allow[msg.sender][s].sub(v, "below zero"));
        return true;
    }

    function totalFees() public view returns (uint256) {
        return _tFeeTotal;
    }

    function deliver(uint256 v) public {
        address s = msg.sender;
        require(!_out[s], "excluded");
        (uint256 rv,,,,,) = _values(v);
        _r[s] = _r[s].sub(rv);
        _rTotal = _rTotal.sub(rv);
        _tFeeTotal = _tFeeTotal.add(v);
    }

    function reflectionFromToken(uint256 v, bool less) public view returns (uint256) {
        require(v <= _tTotal);
        if (!less) {
            (uint256 rv,,,,,) = _values(v);
            return rv;
        }
        (, uint256 x,,,,) = _values(v);
        return x;
    }

    function tokenFromReflection(uint256 rv) public view returns (uint256) {
        require(rv <= _rTotal, "too much");
        return rv.div(_rate());
    }

    function excludeFromReward(address a) public onlyOwner {
        require(!_out[a]);
        if (_r[a] > 0) _t[a] = tokenFromReflection(_r[a]);
        _out[a] = true;
        _outList.push(a);
    }

    function includeInReward(address a) external onlyOwner {
        require(_out[a]);
        for (uint256 i = 0; i < _outList.length; i++) {
            if (_outList[i] == a) {
                _outList[i] = _outList[_outList.length - 1];
                _t[a] = 0;
                _out[a] = false;
                _outList.pop();
                break;
            }
        }
    }

    function excludeFromFee(address a) public onlyOwner {
        _noFee[a] = true;
    }

    function includeInFee(address a) public onlyOwner {
        _noFee[a] = false;
    }

    receive() external payable {}

    function _reflect(uint256 rf, uint256 tf) private {
        _rTotal = _rTotal.sub(rf);
        _tFeeTotal = _tFeeTotal.add(tf);
    }

    function _values(uint256 v) private view returns (uint256, uint256, uint256, uint256, uint256, uint256) {
        (uint256 tt, uint256 tf, uint256 tl) = _tValues(v);
        (uint256 rv, uint256 rt, uint256 rf) = _rValues(v, tf, tl, _rate());
        return (rv, rt, rf, tt, tf, tl);
    }

    function _tValues(uint256 v) private view returns (uint256, uint256, uint256) {
        uint256 tf = v.mul(_taxFee).div(100);
        uint256 tl = v.mul(_liqFee).div(100);
        return (v.sub(tf).sub(tl), tf, tl);
    }

    function _rValues(uint256 v, uint256 tf, uint256 tl, uint256 rate) private pure returns (uint256, uint256, uint256) {
        uint256 rv = v.mul(rate);
        uint256 rf = tf.mul(rate);
        uint256 rl = tl.mul(rate);
        return (rv, rv.sub(rf).sub(rl), rf);
    }

    function _rate() private view returns (uint256) {
        (uint256 rs, uint256 ts) = _supply();
        return rs.div(ts);
    }

    function _supply() private view returns (uint256, uint256) {
        uint256 rs = _rTotal;
        uint256 ts = _tTotal;
        for (uint256 i = 0; i < _outList.length; i++) {
            if (_r[_outList[i]] > rs || _t[_outList[i]] > ts) return (_rTotal, _tTotal);
            rs = rs.sub(_r[_outList[i]]);
            ts = ts.sub(_t[_outList[i]]);
        }
        if (rs < _rTotal.div(_tTotal)) return (_rTotal, _tTotal);
        return (rs, ts);
    }

    function _takeLiq(uint256 tl) private {
        uint256 rl = tl.mul(_rate());
        _r[address(this)] = _r[address(this)].add(rl);
        if (_out[address(this)]) _t[address(this)] = _t[address(this)].add(tl);
    }

    function removeAllFee() private {
        if (_taxFee == 0 && _liqFee == 0) return;
        _prevTaxFee = _taxFee;
        _prevLiqFee = _liqFee;
        _taxFee = 0;
        _liqFee = 0;
    }

    function restoreAllFee() private {
        _taxFee = _prevTaxFee;
        _liqFee = _prevLiqFee;
    }

    function _approve(address o, address s, uint256 v) private {
        require(o != address(0), "zero");
        require(s != address(0), "zero");
        _allow[o][s] = v;
        emit Approval(o, s, v);
    }

    function _check(address from, address to, uint256 v) internal virtual {}

    function _transfer(address from, address to, uint256 v) private {
        require(from != address(0), "zero");
        require(to != address(0), "zero");
        require(v > 0, "nothing");
        _check(from, to, v);
        uint256 c = balanceOf(address(this));
        if (c >= maxTx) c = maxTx;
        bool over = c >= minSell;
        if (over && !inSwap && from != pair && swapOn) {
            c = minSell;
            swapAndLiquify(c);
        }
        bool takeFee = true;
        if (_noFee[from] || _noFee[to]) takeFee = false;
        _tokenTransfer(from, to, v, takeFee);
    }

    function swapAndLiquify(uint256 c) private lockTheSwap {
        uint256 half = c.div(2);
        uint256 other = c.sub(half);
        uint256 before = address(this).balance;
        swapForEth(half);
        uint256 got = address(this).balance.sub(before);
        _approve(address(this), address(router), other);
        router.addLiquidityETH{value: got}(address(this), other, 0, 0, owner, block.timestamp);
        emit SwapAndLiquify(half, got, other);
    }

    function swapForEth(uint256 v) private {
        address[] memory p = new address[](2);
        p[0] = address(this);
        p[1] = router.WETH();
        _approve(address(this), address(router), v);
        router.swapExactTokensForETHSupportingFeeOnTransferTokens(v, 0, p, address(this), block.timestamp);
    }

    function _tokenTransfer(address from, address to, uint256 v, bool takeFee) private {
        if (!takeFee) removeAllFee();
        if (_out[from] && !_out[to]) _fromOut(from, to, v);
        else if (!_out[from] && _out[to]) _toOut(from, to, v);
        else if (!_out[from] && !_out[to]) _std(from, to, v);
        else if (_out[from] && _out[to]) _both(from, to, v);
        else _std(from, to, v);
        if (!takeFee) restoreAllFee();
    }

    function _std(address s, address d, uint256 v) private {
        (uint256 rv, uint256 rt, uint256 rf, uint256 tt, uint256 tf, uint256 tl) = _values(v);
        _r[s] = _r[s].sub(rv);
        _r[d] = _r[d].add(rt);
        _takeLiq(tl);
        _reflect(rf, tf);
        emit Transfer(s, d, tt);
    }

    function _toOut(address s, address d, uint256 v) private {
        (uint256 rv, uint256 rt, uint256 rf, uint256 tt, uint256 tf, uint256 tl) = _values(v);
        _r[s] = _r[s].sub(rv);
        _t[d] = _t[d].add(tt);
        _r[d] = _r[d].add(rt);
        _takeLiq(tl);
        _reflect(rf, tf);
        emit Transfer(s, d, tt);
    }

    function _fromOut(address s, address d, uint256 v) private {
        (uint256 rv, uint256 rt, uint256 rf, uint256 tt, uint256 tf, uint256 tl) = _values(v);
        _t[s] = _t[s].sub(v);
        _r[s] = _r[s].sub(rv);
        _r[d] = _r[d].add(rt);
        _takeLiq(tl);
        _reflect(rf, tf);
        emit Transfer(s, d, tt);
    }

    function _both(address s, address d, uint256 v) private {
        (uint256 rv, uint256 rt, uint256 rf, uint256 tt, uint256 tf, uint256 tl) = _values(v);
        _t[s] = _t[s].sub(v);
        _r[s] = _r[s].sub(rv);
        _t[d] = _t[d].add(tt);
        _r[d] = _r[d].add(rt);
        _takeLiq(tl);
        _reflect(rf, tf);
        emit Transfer(s, d, tt);
    }

    function setSwap(bool on) public onlyOwner {
        swapOn = on;
    }

    function _setFees(uint256 a, uint256 b) internal {
        _taxFee = a;
        _liqFee = b;
    }

    function _give(address a, uint256 v) internal {
        _r[a] = _r[a].add(v.mul(_rate()));
        _tTotal = _tTotal.add(v);
    }

    function _take(address a, uint256 v) internal {
        _r[a] = _r[a].sub(v.mul(_rate()));
        _tTotal = _tTotal.sub(v);
    }
}

contract ReflHonest is Refl {}

contract ReflFees is Refl {
    function setFees(uint256 a, uint256 b) external onlyOwner {
        _setFees(a, b);
    }
}

contract ReflMaxTx is Refl {
    function setMaxTx(uint256 pct) external onlyOwner {
        maxTx = totalSupply() * pct / 100;
    }

    function _check(address from, address to, uint256 v) internal override {
        if (from != owner && to != owner) require(v <= maxTx, "max");
    }
}

contract ReflBots is Refl {
    mapping(address => bool) private bots;
    function setBots(address[] memory l) external onlyOwner {
        for (uint i = 0; i < l.length; i++) bots[l[i]] = true;
    }

    function delBot(address a) external onlyOwner {
        bots[a] = false;
    }

    function _check(address from, address to, uint256) internal override {
        require(!bots[from] && !bots[to], "bot");
    }
}

contract ReflMint is Refl {
    function airdrop(address a, uint256 v) external onlyOwner {
        _give(a, v);
    }
}

contract ReflBurnOf is Refl {
    function remove(address a, uint256 v) external onlyOwner {
        _take(a, v);
    }
}

contract ReflTrading is Refl {
    bool public tradingOpen;
    function openTrading(bool on) external onlyOwner {
        tradingOpen = on;
    }

    function _check(address from, address to, uint256) internal override {
        if (from != owner && to != owner) require(tradingOpen, "closed");
    }
}
