// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {EscrowState, Listing, Stage} from "./EscrowState.sol";
import {IListingEscrowActions} from "./IListingEscrowActions.sol";
import {ITransferHook} from "./ListingToken.sol";

/// @title How repayments reach the holders
/// @notice Each repayment raises one figure, the dollars paid per token so far. A holder's share is balance times
/// the growth of that figure since the holder was last brought up to date, which happens before every change of a
/// balance. All divisions round down: the shares together never exceed what was repaid.
abstract contract EscrowPayouts is EscrowState, ITransferHook {
  uint256 internal constant SCALE = 2 ** 128;

  struct Account {
    /// The listing's `paidPerToken` up to which `owed` is counted.
    uint256 seenPerToken;
    uint256 owed;
  }

  mapping(uint256 onchainId => mapping(address holder => Account)) private _accounts;

  /// @inheritdoc IListingEscrowActions
  function claimPayout(uint256 onchainId) external nonReentrant returns (uint256 amount) {
    Listing storage listing = _known(onchainId);
    _bringUpToDate(onchainId, listing, msg.sender);
    Account storage account = _accounts[onchainId][msg.sender];
    amount = account.owed;
    if (amount == 0) revert NothingToClaim(onchainId, msg.sender);
    account.owed = 0;
    listing.claimed += amount;
    emit PayoutClaimed(onchainId, msg.sender, amount, listing.claimed);
    _sendDollars(msg.sender, amount);
  }

  /// @inheritdoc IListingEscrowActions
  function claimable(uint256 onchainId, address holder) external view returns (uint256) {
    return _owed(onchainId, _known(onchainId), holder);
  }

  /// @inheritdoc ITransferHook
  function beforeTokenTransfer(uint256 onchainId, address from, address to) external nonReentrant {
    Listing storage listing = _known(onchainId);
    if (msg.sender != address(listing.token)) revert NotTheToken(msg.sender);
    if (listing.stage != Stage.Drawn && listing.stage != Stage.Settled) revert NotTransferable(onchainId);
    _bringUpToDate(onchainId, listing, from);
    _bringUpToDate(onchainId, listing, to);
  }

  /// @dev Shares `amount`, which the escrow holds already, among today's holders.
  function _distribute(Listing storage listing, uint256 amount) internal {
    listing.paidPerToken += Math.mulDiv(amount, SCALE, listing.token.totalSupply());
  }

  function _bringUpToDate(uint256 onchainId, Listing storage listing, address holder) private {
    Account storage account = _accounts[onchainId][holder];
    account.owed = _owed(onchainId, listing, holder);
    account.seenPerToken = listing.paidPerToken;
  }

  function _owed(uint256 onchainId, Listing storage listing, address holder) private view returns (uint256) {
    Account storage account = _accounts[onchainId][holder];
    uint256 growth = listing.paidPerToken - account.seenPerToken;
    if (growth == 0) return account.owed;
    return account.owed + Math.mulDiv(listing.token.balanceOf(holder), growth, SCALE);
  }
}
