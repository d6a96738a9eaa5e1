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
        /// Whether that is a pool of the V3 kind.
        bool pairIsV3;
        /// The pool by which the wrapped coin becomes the base; zero when they are the same.
        address route;
        bool routeIsV3;
        /// How much of the base is spent; zero when the first holder has tokens already.
        uint256 spend;
        /// Of what the first holder has, no more than this is passed on and sold.
        uint256 most;
        address first;
        address second;
        address fresh;
    }

    /// Enough for a transfer that sells what was taken before; and no call of a token may take more.
    uint256 private constant GAS = 1_500_000;
    /// V2 pools count in 112 bits: what says more of itself is not believed, and nothing here overflows.
    uint256 private constant MOST = type(uint112).max;
    /// The ends of the prices of a V3 pool, which its swaps stay within.
    uint160 private constant LOWEST = 4295128739 + 1;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970342 - 1;

    /// The V3 pool that is to be paid now; nobody else is.
    address private paying;

    /// As a holder: calls `to`, and gives no bytes of its answer back, however many there are.
    function act(address to, bytes calldata data) external returns (bool) {
        return _call(to, data, GAS);
    }

    /// What a V3 pool calls in the middle of a swap, whatever its maker named that: pays what it is owed, or what a holder gives.
    fallback() external {
        require(msg.sender == paying);
        paying = address(0);
        (int256 a, int256 b, bytes memory data) = abi.decode(msg.data[4:], (int256, int256, bytes));
        (address given, address wrapped, address holder, uint256 amount) =
            abi.decode(data, (address, address, address, uint256));
        if (holder != address(0)) {
            _call(given, abi.encodeWithSignature("transferFrom(address,address,uint256)", holder, msg.sender, amount), GAS);
            return;
        }
        uint256 owed = uint256(a > 0 ? a : b);
        if (given == wrapped) _wrap(wrapped, _less(owed, _balance(wrapped, address(this))));
        _call(given, abi.encodeWithSignature("transfer(address,uint256)", msg.sender, owed), GAS);
    }

    /// Moves tokens to a pool and takes that back, since a V3 pool counts only what comes in the middle of a swap. Always
    /// fails, with whether they could be moved and how many arrived.
    function weigh(address token, address holder, address pool, uint256 amount) external {
        uint256 before = _balance(token, pool);
        bytes memory move = abi.encodeWithSignature("transferFrom(address,address,uint256)", holder, pool, amount);
        uint256 moved = _call(token, move, GAS) ? 1 : 0;
        uint256 arrived = _less(_balance(token, pool), before);
        assembly {
            mstore(0, moved)
            mstore(32, arrived)
            revert(0, 64)
        }
    }

    /// What happened: see the numbers below.
    function run(Trial calldata t) external returns (uint256[16] memory r) {
        r[0] = 1;
        if (t.spend > 0) {
            if (_fund(t, t.spend) == 0) return r;
            r[0] = 2;
            if (t.pairIsV3) _buyV3(t, r);
            else _buy(t, r);
            if (r[1] == 0 || r[3] == 0) return r;
        }
        uint256 held = _balance(t.token, t.first);
        if (held > t.most) held = t.most;
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
        if (t.route == address(0)) {
            _wrap(t.wrapped, wanted);
        } else if (t.routeIsV3) {
            if (wanted <= MOST) _swapV3(t.route, t.base, t.wrapped, -int256(wanted), address(this), _pays(t.wrapped, t.wrapped));
        } else {
            (uint256 inside, uint256 outside) = _reserves(t.route, t.wrapped, t.base);
            if (wanted * 2 >= outside) return 0;
            uint256 coins = inside * wanted * 1000 / ((outside - wanted) * 970) + 1;
            _wrap(t.wrapped, coins);
            _call(t.wrapped, abi.encodeWithSignature("transfer(address,uint256)", t.route, coins), GAS);
            _swap(t.route, t.base, t.wrapped, wanted, address(this));
        }
        return _balance(t.base, address(this));
    }

    /// Makes coins into the token that wraps them.
    function _wrap(address wrapped, uint256 coins) private {
        if (coins == 0 || coins > address(this).balance) return;
        (bool made,) = wrapped.call{value: coins, gas: GAS}(abi.encodeWithSignature("deposit()"));
        // What could not be made is missing when it is to be paid.
        made;
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

    function _buyV3(Trial calldata t, uint256[16] memory r) private {
        uint256 spent = _balance(t.base, address(this));
        uint256 before = _balance(t.token, t.first);
        r[2] = _swapV3(t.pair, t.token, t.base, int256(spent), t.first, _pays(t.base, t.wrapped));
        r[1] = r[2] > 0 ? 1 : 0;
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
        _as(holder, t.token, abi.encodeWithSignature("approve(address,uint256)", address(this), type(uint256).max));
        if (t.pairIsV3) return _sellV3(t, holder, amount);
        _call(t.pair, abi.encodeWithSignature("sync()"), GAS);
        bytes memory move = abi.encodeWithSignature("transferFrom(address,address,uint256)", holder, t.pair, amount);
        moved = _call(t.token, move, GAS) ? 1 : 0;
        (uint256 inside, uint256 outside) = _reserves(t.pair, t.token, t.base);
        arrived = _less(_balance(t.token, t.pair), inside);
        if (moved == 0 || arrived == 0) return (moved, arrived, 0);
        uint256 before = _balance(t.base, holder);
        _swap(t.pair, t.base, t.token, _price(arrived, inside, outside), holder);
        paid = _less(_balance(t.base, holder), before);
    }

    /// The same: what arrives is tried out first, and that much is sold.
    function _sellV3(Trial calldata t, address holder, uint256 amount)
        private
        returns (uint256 moved, uint256 arrived, uint256 paid)
    {
        (moved, arrived) = _weighed(
            abi.encodeWithSignature("weigh(address,address,address,uint256)", t.token, holder, t.pair, amount)
        );
        if (moved == 0 || arrived == 0) return (moved, arrived, 0);
        uint256 before = _balance(t.base, holder);
        bytes memory gives = abi.encode(t.token, t.wrapped, holder, amount);
        _swapV3(t.pair, t.base, t.token, int256(arrived), holder, gives);
        paid = _less(_balance(t.base, holder), before);
    }

    /// Asks itself, and reads the two words of the failure.
    function _weighed(bytes memory data) private returns (uint256 moved, uint256 arrived) {
        assembly {
            let at := mload(0x40)
            mstore(at, 0)
            pop(call(2000000, address(), 0, add(data, 32), mload(data), at, 64))
            if eq(returndatasize(), 64) {
                moved := mload(at)
                arrived := mload(add(at, 32))
            }
        }
        if (moved > 1 || arrived > MOST) return (0, 0);
    }

    /// What the fallback is to pay with: tokens of its own.
    function _pays(address given, address wrapped) private pure returns (bytes memory) {
        return abi.encode(given, wrapped, address(0), uint256(0));
    }

    /// Sells `amount` of `given` to a V3 pool, or buys as many of `out` when it is negative. @return what the pool paid.
    function _swapV3(address pool, address out, address given, int256 amount, address to, bytes memory data)
        private
        returns (uint256)
    {
        bool isFirst = given < out;
        paying = pool;
        bytes memory swap = abi.encodeWithSignature(
            "swap(address,bool,int256,uint160,bytes)", to, isFirst, amount, isFirst ? LOWEST : HIGHEST, data
        );
        int256 first;
        int256 second;
        bool ok;
        assembly {
            let at := mload(0x40)
            // It holds two transfers, the payment and its own work.
            ok := call(3500000, pool, 0, add(swap, 32), mload(swap), at, 64)
            if lt(returndatasize(), 64) { ok := 0 }
            first := mload(at)
            second := mload(add(at, 32))
        }
        paying = address(0);
        int256 change = isFirst ? second : first;
        return ok && change < 0 && change >= -int256(MOST) ? uint256(-change) : 0;
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
