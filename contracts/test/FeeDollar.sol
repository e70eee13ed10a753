// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TestDollar} from "../TestDollar.sol";

/// @title A dollar that keeps a fee of each transfer: the recipient gets less than the sender pays
contract FeeDollar is TestDollar {
  uint256 public immutable feeBps;

  constructor(uint256 feeBps_) {
    feeBps = feeBps_;
  }

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, value);
    if (from == address(0) || to == address(0)) return;
    super._update(to, address(0), (value * feeBps) / 10_000);
  }
}
