// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// How the coupon of a raise is found: the terms fix it, or an auction clears at one rate.
enum PricingMode { Fixed, Auction }

/// Why a raise stopped taking money.
enum CloseReason { Filled, Deadline, Manual }

/// Why money went back to a backer. `Withdrawn` and `Outbid` lower the amount raised; the others do not.
enum RefundReason { Withdrawn, Outbid, MinNotMet, Cancelled, Voided }

/// What happened to the originator's reserve.
enum ReserveReason { Posted, Applied, Released }

/// How a raise ended after its drawdown.
enum Outcome { Repaid, RepaidWithReserve, Defaulted }

/// What a raise asks for. Amounts in base units (18 decimals), rates in basis points, times in unix seconds.
struct ListingTerms {
  uint256 targetAmount;
  uint256 minRaise;
  uint32 couponRateBps;
  uint32 insuranceBps;
  uint32 tenorDays;
  PricingMode pricingMode;
  uint64 goLiveAt;
  /// 0 = no closing time
  uint64 closeAt;
}

/// @title The events that Raisebook indexes
/// @notice An escrow holds the money of many listings, numbered from 1 in each deployment (`onchainId`).
/// The indexer depends on these events and on nothing else: whoever emits them needs none of our implementation.
/// Every amount is what the escrow received or paid; every running figure is the value after the event.
interface IListingEscrow {
  event ListingCreated(
    uint256 indexed onchainId,
    address indexed originator,
    address indexed token,
    string refnum,
    ListingTerms terms,
    bytes32 metadataHash
  );

  event ListingTermsUpdated(uint256 indexed onchainId, ListingTerms terms, bytes32 metadataHash);

  /// @param payer who paid; `backer` is whose position grows (they differ behind a router)
  /// @param bidRateBps the rate bid in an auction, 0 in a fixed raise
  /// @param totalRaised subscriptions less `Withdrawn` and `Outbid` refunds
  event Subscribed(
    uint256 indexed onchainId,
    address indexed backer,
    address indexed payer,
    uint256 amount,
    uint32 bidRateBps,
    uint256 totalRaised
  );

  /// @param totalRefunded every refund of the listing so far, whatever the reason
  event Refunded(
    uint256 indexed onchainId,
    address indexed backer,
    RefundReason indexed reason,
    uint256 amount,
    uint256 totalRefunded
  );

  /// @param account who posted it, to whom it was released; the escrow itself where it was applied
  event ReserveChanged(
    uint256 indexed onchainId,
    ReserveReason indexed reason,
    address indexed account,
    uint256 amount,
    uint256 reserveBalance
  );

  /// @param minRaiseMet what the escrow held true; readers decide from `raisedAmount` and the terms
  /// @param couponRateBps the coupon that counts from here on (the clearing rate of an auction)
  event ListingClosed(
    uint256 indexed onchainId,
    CloseReason indexed reason,
    uint256 raisedAmount,
    bool minRaiseMet,
    uint32 couponRateBps
  );

  /// @param amount the principal owed, the fee included
  event DrawnDown(uint256 indexed onchainId, address indexed to, uint256 amount, uint256 fee, uint64 maturityAt);

  /// @param payer who paid; the escrow itself where the reserve did
  event Repaid(
    uint256 indexed onchainId,
    address indexed payer,
    uint256 principal,
    uint256 interest,
    uint256 outstandingPrincipal
  );

  /// @param totalClaimed every payout of the listing so far
  event PayoutClaimed(uint256 indexed onchainId, address indexed holder, uint256 amount, uint256 totalClaimed);

  /// @param writtenOffPrincipal the principal still unpaid at settlement
  event ListingSettled(uint256 indexed onchainId, Outcome indexed outcome, uint256 writtenOffPrincipal);

  event ListingCancelled(uint256 indexed onchainId, bytes32 reason);

  event ListingVoided(uint256 indexed onchainId, bytes32 reason);
}
