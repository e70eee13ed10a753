// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {EscrowPayouts} from "./EscrowPayouts.sol";
import {Listing, Stage} from "./EscrowState.sol";
import {Outcome, ReserveReason} from "./IListingEscrow.sol";
import {IListingEscrowActions} from "./IListingEscrowActions.sol";

/// @title The reserve, the drawdown, and repayment until settlement
abstract contract EscrowLoan is EscrowPayouts {
  /// @inheritdoc IListingEscrowActions
  function postReserve(uint256 onchainId, uint256 amount) external nonReentrant {
    Listing storage listing = _known(onchainId);
    if (_ended(listing)) revert ReserveNotNeeded(onchainId);
    uint256 received = _receiveDollars(amount);
    listing.reserve += received;
    emit ReserveChanged(onchainId, ReserveReason.Posted, msg.sender, received, listing.reserve);
  }

  /// @inheritdoc IListingEscrowActions
  function releaseReserve(uint256 onchainId, uint256 amount) external onlyOwner nonReentrant {
    Listing storage listing = _known(onchainId);
    if (!_ended(listing)) revert ReserveStillNeeded(onchainId);
    if (amount == 0) revert ZeroAmount();
    if (amount > listing.reserve) revert ReserveTooSmall(listing.reserve, amount);
    listing.reserve -= amount;
    emit ReserveChanged(onchainId, ReserveReason.Released, listing.originator, amount, listing.reserve);
    _sendDollars(listing.originator, amount);
  }

  /// @inheritdoc IListingEscrowActions
  function applyReserve(uint256 onchainId, uint256 amount) external onlyOwner nonReentrant {
    Listing storage listing = _repaying(onchainId);
    if (amount == 0) revert ZeroAmount();
    if (amount > listing.reserve) revert ReserveTooSmall(listing.reserve, amount);
    _applyReserve(onchainId, listing, Math.min(amount, listing.outstanding));
  }

  /// @inheritdoc IListingEscrowActions
  function drawDown(uint256 onchainId, address to) external nonReentrant {
    Listing storage listing = _known(onchainId);
    if (msg.sender != listing.originator) revert NotOriginator(msg.sender);
    if (listing.stage != Stage.Succeeded) revert NotReadyForDrawdown(onchainId);
    if (to == address(0)) revert ZeroAddress();
    uint256 needed = Math.mulDiv(listing.terms.targetAmount, listing.terms.insuranceBps, BPS);
    if (listing.reserve < needed) revert ReserveTooSmall(listing.reserve, needed);

    uint256 amount = listing.raised;
    uint256 fee = Math.mulDiv(amount, feeBps, BPS);
    uint64 maturityAt = uint64(block.timestamp + uint256(listing.terms.tenorDays) * 1 days);
    listing.stage = Stage.Drawn;
    listing.outstanding = amount;
    listing.maturityAt = maturityAt;
    emit DrawnDown(onchainId, to, amount, fee, maturityAt);
    _sendDollars(to, amount - fee);
    if (fee > 0) _sendDollars(feeRecipient, fee);
  }

  /// @inheritdoc IListingEscrowActions
  function repay(uint256 onchainId, uint256 principal, uint256 interest) external nonReentrant {
    Listing storage listing = _repaying(onchainId);
    principal = Math.min(principal, listing.outstanding);
    uint256 received = _receiveDollars(principal + interest);
    principal = Math.min(principal, received);
    _repay(onchainId, listing, msg.sender, principal, received - principal);
  }

  /// @inheritdoc IListingEscrowActions
  function settle(uint256 onchainId) external onlyOwner nonReentrant {
    Listing storage listing = _repaying(onchainId);
    if (block.timestamp < listing.maturityAt) revert NotMatured(listing.maturityAt);
    uint256 covered = Math.min(listing.reserve, listing.outstanding);
    if (covered > 0) _applyReserve(onchainId, listing, covered);
    if (listing.stage == Stage.Settled) return;
    uint256 writtenOff = listing.outstanding;
    listing.outstanding = 0;
    listing.stage = Stage.Settled;
    emit ListingSettled(onchainId, Outcome.Defaulted, writtenOff);
  }

  /// @notice When the principal is due; 0 before the drawdown.
  function maturityOf(uint256 onchainId) external view returns (uint64) {
    return _known(onchainId).maturityAt;
  }

  function _repaying(uint256 onchainId) private view returns (Listing storage listing) {
    listing = _known(onchainId);
    if (listing.stage != Stage.Drawn) revert NotRepaying(onchainId);
  }

  /// @dev Nothing can be owed to backers any more that a reserve would cover.
  function _ended(Listing storage listing) private view returns (bool) {
    Stage stage = listing.stage;
    return stage == Stage.Settled || stage == Stage.Cancelled || stage == Stage.Voided || _failed(listing);
  }

  /// @dev The escrow itself is the payer, so that readers can tell these repayments from the originator's.
  function _applyReserve(uint256 onchainId, Listing storage listing, uint256 amount) private {
    listing.reserve -= amount;
    listing.reserveApplied = true;
    emit ReserveChanged(onchainId, ReserveReason.Applied, address(this), amount, listing.reserve);
    _repay(onchainId, listing, address(this), amount, 0);
  }

  function _repay(uint256 onchainId, Listing storage listing, address payer, uint256 principal, uint256 interest)
    private
  {
    listing.outstanding -= principal;
    _distribute(listing, principal + interest);
    emit Repaid(onchainId, payer, principal, interest, listing.outstanding);
    if (listing.outstanding > 0) return;
    listing.stage = Stage.Settled;
    emit ListingSettled(onchainId, listing.reserveApplied ? Outcome.RepaidWithReserve : Outcome.Repaid, 0);
  }
}
