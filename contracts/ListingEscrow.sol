// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {EscrowListings} from "./EscrowListings.sol";
import {EscrowLoan} from "./EscrowLoan.sol";
import {EscrowRaise} from "./EscrowRaise.sol";
import {EscrowState} from "./EscrowState.sol";

/// @title The reference escrow: holds the money of many listings, numbered from 1
/// @notice `EscrowListings` writes the terms, `EscrowRaise` takes subscriptions and gives them back, `EscrowLoan`
/// pays out and takes repayments, `EscrowPayouts` shares those. What all of them know stands in `EscrowState`.
contract ListingEscrow is EscrowListings, EscrowRaise, EscrowLoan {
  /// @param owner_ who creates and runs the listings
  /// @param feeBps_ of the principal, taken at each drawdown for `feeRecipient_`
  constructor(IERC20 dollar_, address owner_, uint32 feeBps_, address feeRecipient_)
    EscrowState(dollar_, owner_, feeBps_, feeRecipient_)
  {}
}
