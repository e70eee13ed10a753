// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {AuctionBook, Bid} from "./AuctionBook.sol";
import {EscrowState, Listing, Stage} from "./EscrowState.sol";
import {CloseReason, PricingMode, RefundReason} from "./IListingEscrow.sol";
import {IListingEscrowActions} from "./IListingEscrowActions.sol";

/// @title The raise, from the first subscription to its close, and how it is undone
abstract contract EscrowRaise is EscrowState {
  using AuctionBook for Bid[];

  /// @inheritdoc IListingEscrowActions
  function subscribe(uint256 onchainId, address backer, uint256 amount, uint32 bidRateBps) external nonReentrant {
    Listing storage listing = _known(onchainId);
    _checkRaising(onchainId, listing);
    if (block.timestamp < listing.terms.goLiveAt) revert NotLiveYet(listing.terms.goLiveAt);
    if (backer == address(0)) revert ZeroAddress();
    bool auction = listing.terms.pricingMode == PricingMode.Auction;
    uint32 ceiling = listing.terms.couponRateBps;
    if (!auction && bidRateBps != 0) revert BidInFixedRaise(bidRateBps);
    if (auction && (bidRateBps == 0 || bidRateBps > ceiling)) revert BidRateOutOfRange(bidRateBps, ceiling);

    if (!auction) amount = Math.min(amount, listing.terms.targetAmount - listing.raised);
    uint256 received = _receiveDollars(amount);
    if (auction) listing.bids.add(backer, bidRateBps, received, _minimumBid(listing));
    listing.everSubscribed = true;
    listing.raised += received;
    listing.token.mint(backer, received);
    emit Subscribed(onchainId, backer, msg.sender, received, bidRateBps, listing.raised);
    if (!auction && listing.raised == listing.terms.targetAmount) _close(onchainId, listing, CloseReason.Filled);
  }

  /// @inheritdoc IListingEscrowActions
  function withdraw(uint256 onchainId, uint256 amount) external nonReentrant {
    Listing storage listing = _known(onchainId);
    _checkRaising(onchainId, listing);
    if (amount == 0) revert ZeroAmount();
    uint256 position = listing.token.balanceOf(msg.sender);
    if (amount > position) revert AmountAbovePosition(amount, position);
    if (listing.terms.pricingMode == PricingMode.Auction) {
      listing.bids.take(msg.sender, amount, _minimumBid(listing));
    }
    listing.raised -= amount;
    _payBack(onchainId, listing, msg.sender, amount, RefundReason.Withdrawn);
  }

  /// @inheritdoc IListingEscrowActions
  function close(uint256 onchainId) external nonReentrant {
    Listing storage listing = _known(onchainId);
    if (listing.stage != Stage.Open) revert RaiseOver(onchainId);
    bool deadline = _deadlinePassed(listing);
    if (!deadline && msg.sender != owner()) revert DeadlineNotReached(listing.terms.closeAt);
    _close(onchainId, listing, deadline ? CloseReason.Deadline : CloseReason.Manual);
  }

  /// @inheritdoc IListingEscrowActions
  function cancel(uint256 onchainId, bytes32 reason) external onlyOwner nonReentrant {
    Listing storage listing = _known(onchainId);
    _checkRaising(onchainId, listing);
    listing.stage = Stage.Cancelled;
    emit ListingCancelled(onchainId, reason);
  }

  /// @inheritdoc IListingEscrowActions
  function voidListing(uint256 onchainId, bytes32 reason) external onlyOwner nonReentrant {
    Listing storage listing = _known(onchainId);
    if (listing.stage == Stage.Open) revert RaiseNotClosed(onchainId);
    if (listing.stage != Stage.Succeeded && listing.stage != Stage.Failed) revert NotVoidable(onchainId);
    listing.stage = Stage.Voided;
    emit ListingVoided(onchainId, reason);
  }

  /// @inheritdoc IListingEscrowActions
  function refund(uint256 onchainId, address backer) external nonReentrant {
    Listing storage listing = _known(onchainId);
    RefundReason reason;
    if (listing.stage == Stage.Cancelled) reason = RefundReason.Cancelled;
    else if (listing.stage == Stage.Voided) reason = RefundReason.Voided;
    else if (_failed(listing)) reason = RefundReason.MinNotMet;
    else revert NotRefunding(onchainId);
    uint256 principal = listing.token.balanceOf(backer);
    if (principal == 0) revert NothingToRefund(onchainId, backer);
    _payBack(onchainId, listing, backer, principal, reason);
  }

  /// @notice The smallest bid that an auction takes. A full book of such bids reaches the target.
  function minimumBid(uint256 onchainId) external view returns (uint256) {
    return _minimumBid(_known(onchainId));
  }

  /// @notice The bids of an auction in order of arrival, as far as they were not withdrawn.
  function bidsOf(uint256 onchainId) external view returns (Bid[] memory) {
    return _known(onchainId).bids;
  }

  function _checkRaising(uint256 onchainId, Listing storage listing) private view {
    if (listing.stage != Stage.Open || _deadlinePassed(listing)) revert RaiseOver(onchainId);
  }

  function _minimumBid(Listing storage listing) private view returns (uint256) {
    return Math.ceilDiv(listing.terms.targetAmount, AuctionBook.MAX_BIDS);
  }

  function _close(uint256 onchainId, Listing storage listing, CloseReason reason) private {
    bool met = _minRaiseMet(listing);
    listing.stage = met ? Stage.Succeeded : Stage.Failed;
    uint32 coupon = listing.terms.couponRateBps;
    if (met && listing.terms.pricingMode == PricingMode.Auction) coupon = _clear(onchainId, listing);
    emit ListingClosed(onchainId, reason, listing.raised, met, coupon);
  }

  /// @dev Accepts the cheapest bids up to the target and pays the rest back. Every accepted bid earns the rate of
  /// the dearest of them. A dollar that refuses one outbid backer would hold the close up; ours refuses nobody.
  function _clear(uint256 onchainId, Listing storage listing) private returns (uint32 clearingRate) {
    Bid[] memory sorted = listing.bids.byRate();
    uint256 room = listing.terms.targetAmount;
    for (uint256 i = 0; i < sorted.length; i++) {
      Bid memory bid = sorted[i];
      uint256 accepted = Math.min(bid.amount, room);
      room -= accepted;
      if (accepted > 0) clearingRate = bid.rateBps;
      uint256 outbid = bid.amount - accepted;
      if (outbid == 0) continue;
      listing.raised -= outbid;
      _payBack(onchainId, listing, bid.backer, outbid, RefundReason.Outbid);
    }
  }

  function _payBack(uint256 onchainId, Listing storage listing, address backer, uint256 amount, RefundReason reason)
    private
  {
    listing.refunded += amount;
    listing.token.burn(backer, amount);
    emit Refunded(onchainId, backer, reason, amount, listing.refunded);
    _sendDollars(backer, amount);
  }
}
