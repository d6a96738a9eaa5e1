// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Buys, sends and sells a token within one eth_call that changes nothing. Its code is put at addresses that nobody has, by
/// the call's state overrides: one runs the trial and spends for its holders as a router does, the others hold tokens.
/// docs/token-security.md tells what each number means.
contract Probe {
    struct Trial {
        address token;
        /// What the pool trades the token for; zero when there is no pool.
        address base;
        /// The chain's wrapped coin, which is made of coins when the trial begins.
        address wrapped;
        address pair;
        /// The pool by which the wrapped coin becomes the base; zero when they are the same.
        address route;
        /// How much of the pool's base is spent, millionths; zero when the first holder has tokens already.
        uint256 millionths;
        address first;
        address second;
        address fresh;
    }

    /// Enough for a transfer that sells what was taken before; and no call of a token may take more.
    uint256 private constant GAS = 1_500_000;
    /// V2 pools count in 112 bits: what says more of itself is not believed, and nothing here overflows.
    uint256 private constant MOST = type(uint112).max;

    /// As a holder: calls `to`, and gives no bytes of its answer back, however many there are.
    function act(address to, bytes calldata data) external returns (bool) {
        return _call(to, data, GAS);
    }

    /// What happened: see the numbers below.
    function run(Trial calldata t) external returns (uint256[16] memory r) {
        r[0] = 1;
        if (t.millionths > 0) {
            uint256 spent = _fund(t, _balance(t.base, t.pair) * t.millionths / 1_000_000);
            if (spent == 0) return r;
            r[0] = 2;
            _buy(t, r);
            if (r[1] == 0 || r[3] == 0) return r;
        }
        uint256 held = _balance(t.token, t.first);
        r[4] = held;
        if (held < 8) return r;
        r[0] = 3;
        uint256 part = held / 4;
        (r[5], r[6]) = _send(t.token, t.first, t.fresh, part);
        r[7] = part;
        (, r[8]) = _send(t.token, t.first, t.second, part);
        if (t.pair == address(0)) return r;
        (r[9], r[10], r[11]) = _sell(t, t.first, held / 4);
        r[12] = held / 4;
        uint256 passed = _balance(t.token, t.second);
        if (passed == 0) return r;
        (r[13], r[14], r[15]) = _sell(t, t.second, passed);
    }

    /// Makes the base that is to be spent: of coins, and through the route's pool where the base is another token.
    function _fund(Trial calldata t, uint256 wanted) private returns (uint256) {
        if (wanted == 0) return 0;
        uint256 coins = wanted;
        if (t.route != address(0)) {
            (uint256 inside, uint256 outside) = _reserves(t.route, t.wrapped, t.base);
            if (wanted * 2 >= outside) return 0;
            coins = inside * wanted * 1000 / ((outside - wanted) * 970) + 1;
        }
        if (coins > address(this).balance) return 0;
        (bool made,) = t.wrapped.call{value: coins, gas: GAS}(abi.encodeWithSignature("deposit()"));
        if (!made) return 0;
        if (t.route != address(0)) {
            _call(t.wrapped, abi.encodeWithSignature("transfer(address,uint256)", t.route, coins), GAS);
            _swap(t.route, t.base, t.wrapped, wanted, address(this));
        }
        return _balance(t.base, address(this));
    }

    /// r[1] the pool paid, r[2] what it paid, r[3] what arrived.
    function _buy(Trial calldata t, uint256[16] memory r) private {
        _call(t.pair, abi.encodeWithSignature("sync()"), GAS);
        (uint256 inside, uint256 outside) = _reserves(t.pair, t.base, t.token);
        uint256 spent = _balance(t.base, address(this));
        _call(t.base, abi.encodeWithSignature("transfer(address,uint256)", t.pair, spent), GAS);
        r[2] = _price(_less(_balance(t.base, t.pair), inside), inside, outside);
        uint256 before = _balance(t.token, t.first);
        r[1] = _swap(t.pair, t.token, t.base, r[2], t.first) ? 1 : 0;
        r[3] = _less(_balance(t.token, t.first), before);
    }

    /// Whether a transfer went well, and what arrived.
    function _send(address token, address from, address to, uint256 amount) private returns (uint256 ok, uint256 got) {
        uint256 before = _balance(token, to);
        ok = _as(from, token, abi.encodeWithSignature("transfer(address,uint256)", to, amount)) ? 1 : 0;
        got = _less(_balance(token, to), before);
    }

    /// Whether the tokens could be moved to the pool, what arrived there, and what the pool paid the holder in base.
    function _sell(Trial calldata t, address holder, uint256 amount)
        private
        returns (uint256 moved, uint256 arrived, uint256 paid)
    {
        _call(t.pair, abi.encodeWithSignature("sync()"), GAS);
        _as(holder, t.token, abi.encodeWithSignature("approve(address,uint256)", address(this), type(uint256).max));
        bytes memory move = abi.encodeWithSignature("transferFrom(address,address,uint256)", holder, t.pair, amount);
        moved = _call(t.token, move, GAS) ? 1 : 0;
        (uint256 inside, uint256 outside) = _reserves(t.pair, t.token, t.base);
        arrived = _less(_balance(t.token, t.pair), inside);
        if (moved == 0 || arrived == 0) return (moved, arrived, 0);
        uint256 before = _balance(t.base, holder);
        _swap(t.pair, t.base, t.token, _price(arrived, inside, outside), holder);
        paid = _less(_balance(t.base, holder), before);
    }

    /// Takes `amount` of `out` from a pool that was paid in `given`.
    function _swap(address pair, address out, address given, uint256 amount, address to) private returns (bool) {
        (uint256 first, uint256 second) = out < given ? (amount, uint256(0)) : (uint256(0), amount);
        // A pool's swap holds two transfers and its own work.
        return _call(
            pair, abi.encodeWithSignature("swap(uint256,uint256,address,bytes)", first, second, to, ""), GAS * 2
        );
    }

    /// What a pool surely pays for `given`: three per cent less than its price, more than any V2 pool takes. How much it
    /// takes does not matter, since taxes are told from what it paid and what arrived.
    function _price(uint256 given, uint256 inside, uint256 outside) private pure returns (uint256) {
        uint256 worth = given * 970;
        return inside == 0 ? 0 : worth * outside / (inside * 1000 + worth);
    }

    function _reserves(address pair, address a, address b) private view returns (uint256, uint256) {
        bytes memory data = abi.encodeWithSignature("getReserves()");
        uint256 first;
        uint256 second;
        bool ok;
        assembly {
            let at := mload(0x40)
            ok := staticcall(1500000, pair, add(data, 32), mload(data), at, 64)
            if lt(returndatasize(), 64) { ok := 0 }
            first := mload(at)
            second := mload(add(at, 32))
        }
        if (!ok || first > MOST || second > MOST) return (0, 0);
        return a < b ? (first, second) : (second, first);
    }

    function _as(address holder, address to, bytes memory data) private returns (bool) {
        (bool ok, uint256 word, bool told) =
            _word(holder, abi.encodeWithSignature("act(address,bytes)", to, data), GAS + 200_000);
        return ok && told && word == 1;
    }

    /// A call that went well says nothing, or true: tokens of both kinds are about.
    function _call(address to, bytes memory data, uint256 most) private returns (bool) {
        (bool ok, uint256 word, bool told) = _word(to, data, most);
        return ok && to.code.length > 0 && (!told || word == 1);
    }

    /// Calls, and takes one word of the answer: whoever returns a megabyte pays for it alone.
    function _word(address to, bytes memory data, uint256 most) private returns (bool ok, uint256 word, bool told) {
        assembly {
            let at := mload(0x40)
            mstore(at, 0)
            ok := call(most, to, 0, add(data, 32), mload(data), at, 32)
            word := mload(at)
            told := gt(returndatasize(), 31)
        }
    }

    function _balance(address token, address who) private view returns (uint256 word) {
        bytes memory data = abi.encodeWithSignature("balanceOf(address)", who);
        bool ok;
        assembly {
            let at := mload(0x40)
            ok := staticcall(1500000, token, add(data, 32), mload(data), at, 32)
            if lt(returndatasize(), 32) { ok := 0 }
            word := mload(at)
        }
        if (!ok || word > MOST) return 0;
    }

    function _less(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a - b : 0;
    }
}
