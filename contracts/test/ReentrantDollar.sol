// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TestDollar} from "../TestDollar.sol";

/// @title A dollar that makes one call of anybody's choice in the middle of a transfer
contract ReentrantDollar is TestDollar {
  address public target;
  bytes public data;
  bool public called;
  bool public succeeded;
  bytes public result;

  /// @notice Arms the next transfer.
  function arm(address target_, bytes calldata data_) external {
    target = target_;
    data = data_;
    called = false;
  }

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, value);
    if (target == address(0) || from == address(0)) return;
    address callee = target;
    target = address(0);
    called = true;
    (succeeded, result) = callee.call(data);
  }

  /// @notice Lets the attack come from an account with a position: the dollar itself backs, holds and claims.
  function act(address callee, bytes calldata callData) external {
    (bool ok, bytes memory returned) = callee.call(callData);
    if (ok) return;
    assembly {
      revert(add(returned, 32), mload(returned))
    }
  }
}
