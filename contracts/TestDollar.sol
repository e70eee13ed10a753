// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The dollar of a test network
/// @notice 18 decimals; anyone mints. It has no value and is not any asset of the same name elsewhere.
contract TestDollar is ERC20 {
  constructor() ERC20("Test Dollar", "USD-test") {}

  function mint(address to, uint256 amount) external {
    _mint(to, amount);
  }
}
