// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {EscrowState, Listing, Stage} from "./EscrowState.sol";
import {ListingTerms, PricingMode} from "./IListingEscrow.sol";
import {IListingEscrowActions} from "./IListingEscrowActions.sol";
import {ListingToken} from "./ListingToken.sol";

/// @title Listings and their terms
abstract contract EscrowListings is EscrowState {
  /// @inheritdoc IListingEscrowActions
  function createListing(
    address originator,
    string calldata refnum,
    ListingTerms calldata terms,
    bytes32 metadataHash
  ) external onlyOwner nonReentrant returns (uint256 onchainId) {
    if (originator == address(0)) revert ZeroAddress();
    if (bytes(refnum).length == 0) revert EmptyRefnum();
    _checkTerms(terms);
    onchainId = ++listingCount;
    Listing storage listing = _listings[onchainId];
    listing.stage = Stage.Open;
    listing.originator = originator;
    listing.terms = terms;
    listing.metadataHash = metadataHash;
    listing.token = new ListingToken(onchainId, refnum);
    emit ListingCreated(onchainId, originator, address(listing.token), refnum, terms, metadataHash);
  }

  /// @inheritdoc IListingEscrowActions
  function updateTerms(uint256 onchainId, ListingTerms calldata terms, bytes32 metadataHash)
    external
    onlyOwner
    nonReentrant
  {
    Listing storage listing = _known(onchainId);
    if (listing.stage != Stage.Open || _deadlinePassed(listing)) revert RaiseOver(onchainId);
    if (listing.everSubscribed) _checkOnlyPostponed(onchainId, listing, terms, metadataHash);
    _checkTerms(terms);
    listing.terms = terms;
    listing.metadataHash = metadataHash;
    emit ListingTermsUpdated(onchainId, terms, metadataHash);
  }

  function _checkTerms(ListingTerms calldata terms) private view {
    if (terms.targetAmount == 0) revert ZeroTarget();
    if (terms.targetAmount > type(uint128).max) revert TargetTooLarge(terms.targetAmount);
    if (terms.tenorDays == 0) revert ZeroTenor();
    if (terms.minRaise > terms.targetAmount) revert MinRaiseAboveTarget(terms.minRaise, terms.targetAmount);
    if (terms.pricingMode == PricingMode.Auction && terms.couponRateBps == 0) revert ZeroRateCeiling();
    if (terms.closeAt == 0) return;
    if (terms.closeAt <= terms.goLiveAt) revert ClosesBeforeGoLive(terms.goLiveAt, terms.closeAt);
    if (terms.closeAt <= block.timestamp) revert ClosesInThePast(terms.closeAt);
  }

  /// @dev Whoever has subscribed agreed to these terms and to this description. A raise without a closing time
  /// has no later one.
  function _checkOnlyPostponed(
    uint256 onchainId,
    Listing storage listing,
    ListingTerms memory proposed,
    bytes32 metadataHash
  ) private view {
    uint64 current = listing.terms.closeAt;
    uint64 closeAt = proposed.closeAt;
    proposed.closeAt = current;
    bool same = keccak256(abi.encode(proposed)) == keccak256(abi.encode(listing.terms));
    if (!same || metadataHash != listing.metadataHash) revert TermsFixed(onchainId);
    if (current == 0 || closeAt <= current) revert CloseAtNotLater(current, closeAt);
  }
}
