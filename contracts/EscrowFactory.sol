// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IEscrowFactory} from "./IEscrowFactory.sol";
import {ListingEscrow} from "./ListingEscrow.sol";

/// @title Deploys escrows and announces them
/// @notice Owner only: whoever can announce an escrow puts listings into the book.
contract EscrowFactory is IEscrowFactory, Ownable {
  constructor(address owner_) Ownable(owner_) {}

  /// @param escrowOwner who creates and runs the listings of the new escrow
  /// @param feeBps of the principal, taken at each drawdown for `feeRecipient`
  function deploy(IERC20 dollar, address escrowOwner, uint32 feeBps, address feeRecipient)
    external
    onlyOwner
    returns (address escrow)
  {
    escrow = address(new ListingEscrow(dollar, escrowOwner, feeBps, feeRecipient));
    emit EscrowDeployed(escrow);
  }
}
