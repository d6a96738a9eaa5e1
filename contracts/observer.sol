// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Stands where the sender of a transaction is, for one eth_call that changes nothing: it looks, sends the transaction as
/// the sender would, and looks again. For nodes that cannot simulate by themselves. What asks whether its caller has code
/// can tell the difference.
contract Observer {
    /// Without data, the native balance of `at`; otherwise the first word that `at` answers.
    struct Look {
        address at;
        bytes data;
    }

    uint256 private constant LOOK_GAS = 200_000;
    uint256 private constant MAX_REASON = 256;

    /// Only the sender calls himself; what he calls must not make him do anything else.
    function run(Look[] calldata looks, address to, uint256 amount, bytes calldata data)
        external
        returns (bool ok, bytes memory reason, bytes[] memory before, bytes[] memory afterwards)
    {
        require(msg.sender == address(this));
        before = look(looks);
        bytes memory input = data;
        assembly {
            ok := call(gas(), to, amount, add(input, 32), mload(input), 0, 0)
        }
        reason = ok ? bytes("") : returned(MAX_REASON);
        afterwards = look(looks);
    }

    function look(Look[] calldata looks) private view returns (bytes[] memory seen) {
        seen = new bytes[](looks.length);
        for (uint256 i = 0; i < looks.length; i++) {
            address at = looks[i].at;
            if (looks[i].data.length == 0) {
                seen[i] = abi.encode(at.balance);
                continue;
            }
            bytes memory input = looks[i].data;
            bool ok;
            assembly {
                ok := staticcall(LOOK_GAS, at, add(input, 32), mload(input), 0, 0)
            }
            if (ok) seen[i] = returned(32);
        }
    }

    /// What the last call returned, no more of it than `max` bytes: a hostile one returns as much as gas buys.
    function returned(uint256 max) private pure returns (bytes memory data) {
        assembly {
            let size := returndatasize()
            if gt(size, max) {
                size := max
            }
            data := mload(0x40)
            mstore(data, size)
            returndatacopy(add(data, 32), 0, size)
            mstore(0x40, add(data, and(add(size, 63), not(31))))
        }
    }

    /// An account without code takes whatever it is sent. Tokens that ask a receiver with code get the answer they want.
    fallback() external payable {
        if (msg.sig == 0x150b7a02 || msg.sig == 0xf23a6e61 || msg.sig == 0xbc197c81) {
            bytes4 sig = msg.sig;
            assembly {
                mstore(0, sig)
                return(0, 32)
            }
        }
    }

    receive() external payable {}
}
