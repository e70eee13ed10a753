// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Fixed-price offers for listing tokens
/// @notice `priceBps` is of par: 10000 = one dollar for one token. Amounts in base units, times in unix seconds.
interface ISecondaryDesk {
  event OfferCreated(
    uint256 indexed offerId,
    address indexed token,
    address indexed seller,
    uint256 amount,
    uint256 priceBps,
    uint64 expiresAt
  );

  /// @param cost what the buyer paid, in base units of the dollar
  /// @param remaining what is left of the offer after this fill
  event OfferFilled(
    uint256 indexed offerId,
    address indexed token,
    address indexed buyer,
    uint256 amount,
    uint256 cost,
    uint256 remaining
  );

  event OfferCancelled(uint256 indexed offerId, uint256 remaining);

  /// @notice Offers `amount` of the caller's `token`. The desk takes no custody: it needs the balance and an
  /// allowance of that amount now, and again at each fill. `expiresAt` lies in the future.
  function createOffer(address token, uint256 amount, uint256 priceBps, uint64 expiresAt)
    external
    returns (uint256 offerId);

  /// @notice Buys `amount` from an offer that has not expired; pays the seller amount * priceBps / 10000, rounded up.
  function fillOffer(uint256 offerId, uint256 amount) external;

  /// @notice The seller at any time, anyone once it has expired. No token moves: the seller held them throughout.
  function cancelOffer(uint256 offerId) external;
}
