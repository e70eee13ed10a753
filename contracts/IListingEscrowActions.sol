// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ListingTerms} from "./IListingEscrow.sol";

/// @title What people do with the reference escrow
/// @notice Amounts in base units of the dollar. Who may call is said at each function.
interface IListingEscrowActions {
  /// @notice Owner only. Deploys the listing's token (symbol = refnum) and returns the new id, counting from 1.
  function createListing(address originator, string calldata refnum, ListingTerms calldata terms, bytes32 metadataHash)
    external
    returns (uint256 onchainId);

  /// @notice Owner only, before the close. Anything before the first subscription; afterwards only a later
  /// `closeAt`, with the same `metadataHash`.
  function updateTerms(uint256 onchainId, ListingTerms calldata terms, bytes32 metadataHash) external;

  /// @notice Anyone with an allowance; the position belongs to `backer`, the money comes from the caller.
  /// In an auction `bidRateBps` is 1 to `couponRateBps` of the terms; in a fixed raise it is 0, and of an `amount`
  /// beyond the target only what fits is taken.
  function subscribe(uint256 onchainId, address backer, uint256 amount, uint32 bidRateBps) external;

  /// @notice The backer, before the close. In an auction the newest bids go first.
  function withdraw(uint256 onchainId, uint256 amount) external;

  /// @notice Anyone after `closeAt`; the owner at any time (`Manual`). Clears an auction.
  function close(uint256 onchainId) external;

  /// @notice Owner only, before `ListingClosed` and before `closeAt`.
  function cancel(uint256 onchainId, bytes32 reason) external;

  /// @notice Owner only, after the close and before the drawdown (of a failed raise too).
  function voidListing(uint256 onchainId, bytes32 reason) external;

  /// @notice Anyone, for any backer, after a missed minimum, a cancel or a void: the backer's whole principal.
  function refund(uint256 onchainId, address backer) external;

  /// @notice Anyone (in practice the originator), until the raise has ended.
  function postReserve(uint256 onchainId, uint256 amount) external;

  /// @notice Owner only. What is left after the raise has ended goes to the originator: after `ListingSettled`,
  /// a cancel, a void or a missed minimum.
  function releaseReserve(uint256 onchainId, uint256 amount) external;

  /// @notice Owner only, while principal is outstanding, which the reserve pays: emits `ReserveChanged(Applied)` and
  /// then `Repaid`.
  function applyReserve(uint256 onchainId, uint256 amount) external;

  /// @notice The originator, once closed with the minimum met and the reserve posted. Pays raised less fee to `to`.
  function drawDown(uint256 onchainId, address to) external;

  /// @notice Anyone. Of a `principal` beyond what is outstanding only the outstanding part is taken. Settles by
  /// itself when none is left.
  function repay(uint256 onchainId, uint256 principal, uint256 interest) external;

  /// @notice Owner only, after maturity: the reserve is applied first, the rest is written off.
  function settle(uint256 onchainId) external;

  /// @notice The holder's share of what was repaid, cumulative per token; returns what was paid.
  function claimPayout(uint256 onchainId) external returns (uint256 amount);

  /// @notice What `claimPayout` would pay `holder` now.
  function claimable(uint256 onchainId, address holder) external view returns (uint256);
}
