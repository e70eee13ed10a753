// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Bid} from "./AuctionBook.sol";
import {IListingEscrow, ListingTerms} from "./IListingEscrow.sol";
import {IListingEscrowActions} from "./IListingEscrowActions.sol";
import {IListingEscrowErrors} from "./IListingEscrowErrors.sol";
import {IListingEscrowViews} from "./IListingEscrowViews.sol";
import {ListingToken} from "./ListingToken.sol";

/// Where a listing stands on the chain. `Open` outlasts `closeAt` until somebody closes.
enum Stage { None, Open, Succeeded, Failed, Cancelled, Voided, Drawn, Settled }

/// @dev Before the drawdown a backer's principal is the backer's token balance: minted with it, burned with it,
/// and not transferable. No second record of it can disagree.
struct Listing {
  address originator;
  Stage stage;
  bool everSubscribed;
  bool reserveApplied;
  uint64 maturityAt;
  ListingToken token;
  ListingTerms terms;
  bytes32 metadataHash;
  uint256 raised;
  uint256 refunded;
  uint256 reserve;
  uint256 outstanding;
  /// Principal and interest so far, the reserve's part included.
  uint256 repaid;
  uint256 claimed;
  Bid[] bids;
}

/// @title What the escrow remembers, and how money enters and leaves it
abstract contract EscrowState is
  IListingEscrow,
  IListingEscrowViews,
  IListingEscrowActions,
  IListingEscrowErrors,
  Ownable,
  ReentrancyGuard
{
  using SafeERC20 for IERC20;

  uint32 internal constant BPS = 10_000;

  IERC20 public immutable dollar;
  /// Of the principal, taken at the drawdown.
  uint32 public immutable feeBps;
  address public immutable feeRecipient;

  uint256 public listingCount;
  mapping(uint256 onchainId => Listing) internal _listings;

  /// @inheritdoc IListingEscrowViews
  uint256 public override requiredBalance;

  constructor(IERC20 dollar_, address owner_, uint32 feeBps_, address feeRecipient_) Ownable(owner_) {
    if (address(dollar_) == address(0) || feeRecipient_ == address(0)) revert ZeroAddress();
    if (feeBps_ >= BPS) revert FeeTooHigh(feeBps_);
    dollar = dollar_;
    feeBps = feeBps_;
    feeRecipient = feeRecipient_;
  }

  function raisedAmount(uint256 onchainId) external view returns (uint256) {
    return _known(onchainId).raised;
  }

  function refundedAmount(uint256 onchainId) external view returns (uint256) {
    return _known(onchainId).refunded;
  }

  function reserveBalance(uint256 onchainId) external view returns (uint256) {
    return _known(onchainId).reserve;
  }

  function outstandingPrincipal(uint256 onchainId) external view returns (uint256) {
    return _known(onchainId).outstanding;
  }

  /// @notice Every payout of the listing so far.
  function claimedAmount(uint256 onchainId) external view returns (uint256) {
    return _known(onchainId).claimed;
  }

  function stageOf(uint256 onchainId) external view returns (Stage) {
    return _known(onchainId).stage;
  }

  function termsOf(uint256 onchainId) external view returns (ListingTerms memory) {
    return _known(onchainId).terms;
  }

  function tokenOf(uint256 onchainId) external view returns (address) {
    return address(_known(onchainId).token);
  }

  function _known(uint256 onchainId) internal view returns (Listing storage listing) {
    listing = _listings[onchainId];
    if (listing.stage == Stage.None) revert UnknownListing(onchainId);
  }

  function _deadlinePassed(Listing storage listing) internal view returns (bool) {
    return listing.terms.closeAt != 0 && block.timestamp >= listing.terms.closeAt;
  }

  /// @dev A raise of nothing is missed even where the minimum is zero: there is nothing to draw down.
  function _minRaiseMet(Listing storage listing) internal view returns (bool) {
    return listing.raised > 0 && listing.raised >= listing.terms.minRaise;
  }

  /// @dev Missed minimum, whether or not somebody has called `close`: no backer waits for that.
  function _failed(Listing storage listing) internal view returns (bool) {
    if (listing.stage == Stage.Failed) return true;
    return listing.stage == Stage.Open && _deadlinePassed(listing) && !_minRaiseMet(listing);
  }

  /// @dev What arrived, which is less than `amount` where the dollar takes a fee. Whatever arrives beyond
  /// `amount` during the transfer was sent by itself and counts for nobody.
  function _receiveDollars(uint256 amount) internal returns (uint256 received) {
    if (amount == 0) revert ZeroAmount();
    uint256 before = dollar.balanceOf(address(this));
    dollar.safeTransferFrom(msg.sender, address(this), amount);
    received = Math.min(dollar.balanceOf(address(this)) - before, amount);
    if (received == 0) revert NothingReceived();
    requiredBalance += received;
  }

  function _sendDollars(address to, uint256 amount) internal {
    requiredBalance -= amount;
    dollar.safeTransfer(to, amount);
  }
}
