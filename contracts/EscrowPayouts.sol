// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {EscrowState, Listing, Stage} from "./EscrowState.sol";
import {IListingEscrowActions} from "./IListingEscrowActions.sol";
import {ITransferHook} from "./ListingToken.sol";

/// @title How repayments reach the holders
/// @notice Each repayment raises one figure, all that was ever repaid. A holder's share is balance times the growth
/// of that figure since the holder was last brought up to date, which happens before every change of a balance.
/// Shares are kept as dollars times the token's supply and divided when they are claimed, the remainder kept: so
/// nothing is lost to rounding between claims, and all shares together are what was repaid, never more.
abstract contract EscrowPayouts is EscrowState, ITransferHook {
  struct Account {
    /// The listing's `repaid` up to which `owed` is counted.
    uint256 seen;
    /// Dollars owed, times the supply.
    uint256 owed;
  }

  mapping(uint256 onchainId => mapping(address holder => Account)) private _accounts;

  /// @inheritdoc IListingEscrowActions
  function claimPayout(uint256 onchainId) external nonReentrant returns (uint256 amount) {
    Listing storage listing = _known(onchainId);
    uint256 owed = _bringUpToDate(onchainId, listing, msg.sender);
    amount = _inDollars(listing, owed);
    if (amount == 0) revert NothingToClaim(onchainId, msg.sender);
    _accounts[onchainId][msg.sender].owed = owed - amount * _supply(listing);
    listing.claimed += amount;
    emit PayoutClaimed(onchainId, msg.sender, amount, listing.claimed);
    _sendDollars(msg.sender, amount);
  }

  /// @inheritdoc IListingEscrowActions
  function claimable(uint256 onchainId, address holder) external view returns (uint256) {
    Listing storage listing = _known(onchainId);
    return _inDollars(listing, _owed(onchainId, listing, holder));
  }

  /// @inheritdoc ITransferHook
  function beforeTokenTransfer(uint256 onchainId, address from, address to) external nonReentrant {
    Listing storage listing = _known(onchainId);
    if (msg.sender != address(listing.token)) revert NotTheToken(msg.sender);
    if (listing.stage != Stage.Drawn && listing.stage != Stage.Settled) revert NotTransferable(onchainId);
    _bringUpToDate(onchainId, listing, from);
    _bringUpToDate(onchainId, listing, to);
  }

  /// @dev Shares `amount`, which the escrow holds already, among today's holders. The limit keeps every later
  /// product of a balance and a repayment within a word, with room for the principal still owed: no payment of
  /// interest may lock the tokens, or the loan, by its size.
  function _distribute(Listing storage listing, uint256 amount) internal {
    uint256 limit = type(uint256).max / _supply(listing) - listing.repaid - listing.outstanding;
    if (amount > limit) revert RepaymentTooLarge(amount, limit);
    listing.repaid += amount;
  }

  function _bringUpToDate(uint256 onchainId, Listing storage listing, address holder) private returns (uint256 owed) {
    owed = _owed(onchainId, listing, holder);
    _accounts[onchainId][holder] = Account(listing.repaid, owed);
  }

  function _owed(uint256 onchainId, Listing storage listing, address holder) private view returns (uint256) {
    Account storage account = _accounts[onchainId][holder];
    uint256 growth = listing.repaid - account.seen;
    if (growth == 0) return account.owed;
    return account.owed + listing.token.balanceOf(holder) * growth;
  }

  /// @dev Nothing is owed before the drawdown, when there may be no supply to divide by.
  function _inDollars(Listing storage listing, uint256 owed) private view returns (uint256) {
    return owed == 0 ? 0 : owed / _supply(listing);
  }

  /// @dev After the drawdown nothing is minted or burned: the supply stays what was raised.
  function _supply(Listing storage listing) private view returns (uint256) {
    return listing.raised;
  }
}
