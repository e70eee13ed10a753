// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The figures an escrow can be asked for
/// @notice What an audit compares the indexed tables with, at a pinned block. Amounts in base units.
interface IListingEscrowViews {
  /// @notice Subscriptions less `Withdrawn` and `Outbid` refunds; fixed once the raise is closed.
  function raisedAmount(uint256 onchainId) external view returns (uint256);

  /// @notice Every refund so far, whatever the reason.
  function refundedAmount(uint256 onchainId) external view returns (uint256);

  function reserveBalance(uint256 onchainId) external view returns (uint256);

  /// @notice Principal drawn and not yet repaid; 0 before drawdown and once settled.
  function outstandingPrincipal(uint256 onchainId) external view returns (uint256);

  /// @notice The dollars that this escrow must hold for all its listings together.
  function requiredBalance() external view returns (uint256);
}
