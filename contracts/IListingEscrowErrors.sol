// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Why the reference escrow refuses
/// @notice One error for each guard, so that a wallet can say what is wrong. Times in unix seconds.
interface IListingEscrowErrors {
  error UnknownListing(uint256 onchainId);
  error ZeroAddress();
  error ZeroAmount();
  /// The dollar's transfer succeeded and brought nothing.
  error NothingReceived();

  error EmptyRefnum();
  error ZeroTarget();
  /// Beyond 2^128 base units the shares of a repayment would not fit into a word.
  error TargetTooLarge(uint256 targetAmount);
  error ZeroTenor();
  error MinRaiseAboveTarget(uint256 minRaise, uint256 targetAmount);
  error ClosesBeforeGoLive(uint64 goLiveAt, uint64 closeAt);
  error ClosesInThePast(uint64 closeAt);
  /// An auction needs a ceiling of at least one basis point, or no bid is possible.
  error ZeroRateCeiling();
  error FeeTooHigh(uint32 feeBps);

  /// After the first subscription only `closeAt` may change.
  error TermsFixed(uint256 onchainId);
  error CloseAtNotLater(uint64 current, uint64 proposed);

  error NotLiveYet(uint64 goLiveAt);
  /// The raise takes no more money and gives none back on request: it is closed, cancelled, or past `closeAt`.
  error RaiseOver(uint256 onchainId);
  error RaiseNotClosed(uint256 onchainId);
  /// Before `closeAt` only the owner may close.
  error DeadlineNotReached(uint64 closeAt);
  error BidInFixedRaise(uint32 bidRateBps);
  error BidRateOutOfRange(uint32 bidRateBps, uint32 ceilingBps);
  error AmountAbovePosition(uint256 amount, uint256 position);

  error NotRefunding(uint256 onchainId);
  error NothingToRefund(uint256 onchainId, address backer);
  /// Drawn down, settled, cancelled or voided already: too late to void.
  error NotVoidable(uint256 onchainId);

  error NotOriginator(address caller);
  /// Not closed with its minimum met, or drawn down or voided already.
  error NotReadyForDrawdown(uint256 onchainId);
  error ReserveTooSmall(uint256 reserve, uint256 needed);
  error ReserveStillNeeded(uint256 onchainId);
  error ReserveNotNeeded(uint256 onchainId);
  /// Not drawn down yet, or settled already.
  error NotRepaying(uint256 onchainId);
  error NotMatured(uint64 maturityAt);

  error RepaymentTooLarge(uint256 amount, uint256 limit);

  error NotTheToken(address caller);
  error NotTransferable(uint256 onchainId);
  error NothingToClaim(uint256 onchainId, address holder);
}
