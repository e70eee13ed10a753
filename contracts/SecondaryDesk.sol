// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ISecondaryDesk} from "./ISecondaryDesk.sol";

/// @title Fixed-price offers for listing tokens
/// @notice The desk never holds a token: it moves the seller's by allowance at the fill. So the seller goes on
/// earning the payouts until then. A fill reverts where the seller has spent the tokens or the allowance meanwhile.
contract SecondaryDesk is ISecondaryDesk, ReentrancyGuard {
  using SafeERC20 for IERC20;

  uint256 private constant PAR_BPS = 10_000;

  struct Offer {
    address token;
    uint64 expiresAt;
    address seller;
    uint256 remaining;
    uint256 priceBps;
  }

  IERC20 public immutable dollar;
  uint256 public offerCount;
  mapping(uint256 offerId => Offer) public offers;

  error ZeroAddress();
  error ZeroAmount();
  error ZeroPrice();
  error NotAToken(address token);
  error ExpiresInThePast(uint64 expiresAt);
  error BalanceTooSmall(uint256 balance, uint256 needed);
  error AllowanceTooSmall(uint256 allowance, uint256 needed);
  /// Never created, filled or cancelled.
  error NoSuchOffer(uint256 offerId);
  error OfferExpired(uint256 offerId);
  error AmountAboveOffer(uint256 amount, uint256 remaining);
  error NotTheSeller(address caller);

  constructor(IERC20 dollar_) {
    if (address(dollar_) == address(0)) revert ZeroAddress();
    dollar = dollar_;
  }

  /// @inheritdoc ISecondaryDesk
  function createOffer(address token, uint256 amount, uint256 priceBps, uint64 expiresAt)
    external
    nonReentrant
    returns (uint256 offerId)
  {
    if (amount == 0) revert ZeroAmount();
    if (priceBps == 0) revert ZeroPrice();
    if (expiresAt <= block.timestamp) revert ExpiresInThePast(expiresAt);
    if (token.code.length == 0) revert NotAToken(token);
    uint256 balance = IERC20(token).balanceOf(msg.sender);
    if (balance < amount) revert BalanceTooSmall(balance, amount);
    uint256 allowance = IERC20(token).allowance(msg.sender, address(this));
    if (allowance < amount) revert AllowanceTooSmall(allowance, amount);
    offerId = ++offerCount;
    offers[offerId] = Offer(token, expiresAt, msg.sender, amount, priceBps);
    emit OfferCreated(offerId, token, msg.sender, amount, priceBps, expiresAt);
  }

  /// @inheritdoc ISecondaryDesk
  function fillOffer(uint256 offerId, uint256 amount) external nonReentrant {
    Offer storage offer = _open(offerId);
    if (amount == 0) revert ZeroAmount();
    if (block.timestamp >= offer.expiresAt) revert OfferExpired(offerId);
    if (amount > offer.remaining) revert AmountAboveOffer(amount, offer.remaining);
    offer.remaining -= amount;
    uint256 cost = Math.mulDiv(amount, offer.priceBps, PAR_BPS, Math.Rounding.Ceil);
    emit OfferFilled(offerId, offer.token, msg.sender, amount, cost, offer.remaining);
    dollar.safeTransferFrom(msg.sender, offer.seller, cost);
    IERC20(offer.token).safeTransferFrom(offer.seller, msg.sender, amount);
  }

  /// @inheritdoc ISecondaryDesk
  function cancelOffer(uint256 offerId) external nonReentrant {
    Offer storage offer = _open(offerId);
    if (msg.sender != offer.seller && block.timestamp < offer.expiresAt) revert NotTheSeller(msg.sender);
    emit OfferCancelled(offerId, offer.remaining);
    offer.remaining = 0;
  }

  function _open(uint256 offerId) private view returns (Offer storage offer) {
    offer = offers[offerId];
    if (offer.remaining == 0) revert NoSuchOffer(offerId);
  }
}
