// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// `ListingTerms` with a bare number for the pricing mode.
struct RogueTerms {
  uint256 targetAmount;
  uint256 minRaise;
  uint32 couponRateBps;
  uint32 insuranceBps;
  uint32 tenorDays;
  uint8 pricingMode;
  uint64 goLiveAt;
  uint64 closeAt;
}

/// @title The events of an escrow, a desk, a factory and a token, with the same topics as the real ones
/// @notice Enums are declared as uint8: an operator's contract may emit a value that ours does not know.
interface IRogueEvents {
  event ListingCreated(
    uint256 indexed onchainId, address indexed originator, address indexed token,
    string refnum, RogueTerms terms, bytes32 metadataHash
  );
  event ListingTermsUpdated(uint256 indexed onchainId, RogueTerms terms, bytes32 metadataHash);
  event Subscribed(
    uint256 indexed onchainId, address indexed backer, address indexed payer,
    uint256 amount, uint32 bidRateBps, uint256 totalRaised
  );
  event Refunded(
    uint256 indexed onchainId, address indexed backer, uint8 indexed reason, uint256 amount, uint256 totalRefunded
  );
  event ReserveChanged(
    uint256 indexed onchainId, uint8 indexed reason, address indexed account, uint256 amount, uint256 reserveBalance
  );
  event ListingClosed(
    uint256 indexed onchainId, uint8 indexed reason, uint256 raisedAmount, bool minRaiseMet, uint32 couponRateBps
  );
  event DrawnDown(uint256 indexed onchainId, address indexed to, uint256 amount, uint256 fee, uint64 maturityAt);
  event Repaid(
    uint256 indexed onchainId, address indexed payer, uint256 principal, uint256 interest, uint256 outstandingPrincipal
  );
  event PayoutClaimed(uint256 indexed onchainId, address indexed holder, uint256 amount, uint256 totalClaimed);
  event ListingSettled(uint256 indexed onchainId, uint8 indexed outcome, uint256 writtenOffPrincipal);
  event ListingCancelled(uint256 indexed onchainId, bytes32 reason);
  event ListingVoided(uint256 indexed onchainId, bytes32 reason);
  event OfferCreated(
    uint256 indexed offerId, address indexed token, address indexed seller,
    uint256 amount, uint256 priceBps, uint64 expiresAt
  );
  event OfferFilled(
    uint256 indexed offerId, address indexed token, address indexed buyer,
    uint256 amount, uint256 cost, uint256 remaining
  );
  event OfferCancelled(uint256 indexed offerId, uint256 remaining);
  event EscrowDeployed(address indexed escrow);
  event Transfer(address indexed from, address indexed to, uint256 value);
}

/// @title Emits whatever it is told to, without a guard
/// @notice The functions take the arguments of the event of the same name, in its order.
contract RogueEscrow is IRogueEvents {
  /// @notice Makes several calls in one transaction, so that their events share it.
  function batch(bytes[] calldata calls) external {
    for (uint256 i = 0; i < calls.length; i++) Address.functionDelegateCall(address(this), calls[i]);
  }

  function emitListingCreated(
    uint256 onchainId, address originator, address token, string calldata refnum,
    RogueTerms calldata terms, bytes32 metadataHash
  ) external {
    emit ListingCreated(onchainId, originator, token, refnum, terms, metadataHash);
  }

  function emitListingTermsUpdated(uint256 onchainId, RogueTerms calldata terms, bytes32 metadataHash) external {
    emit ListingTermsUpdated(onchainId, terms, metadataHash);
  }

  function emitSubscribed(
    uint256 onchainId, address backer, address payer, uint256 amount, uint32 bidRateBps, uint256 totalRaised
  ) external {
    emit Subscribed(onchainId, backer, payer, amount, bidRateBps, totalRaised);
  }

  function emitRefunded(uint256 onchainId, address backer, uint8 reason, uint256 amount, uint256 totalRefunded)
    external
  {
    emit Refunded(onchainId, backer, reason, amount, totalRefunded);
  }

  function emitReserveChanged(
    uint256 onchainId, uint8 reason, address account, uint256 amount, uint256 reserveBalance
  ) external {
    emit ReserveChanged(onchainId, reason, account, amount, reserveBalance);
  }

  function emitListingClosed(
    uint256 onchainId, uint8 reason, uint256 raisedAmount, bool minRaiseMet, uint32 couponRateBps
  ) external {
    emit ListingClosed(onchainId, reason, raisedAmount, minRaiseMet, couponRateBps);
  }

  function emitDrawnDown(uint256 onchainId, address to, uint256 amount, uint256 fee, uint64 maturityAt) external {
    emit DrawnDown(onchainId, to, amount, fee, maturityAt);
  }

  function emitRepaid(
    uint256 onchainId, address payer, uint256 principal, uint256 interest, uint256 outstandingPrincipal
  ) external {
    emit Repaid(onchainId, payer, principal, interest, outstandingPrincipal);
  }

  function emitPayoutClaimed(uint256 onchainId, address holder, uint256 amount, uint256 totalClaimed) external {
    emit PayoutClaimed(onchainId, holder, amount, totalClaimed);
  }

  function emitListingSettled(uint256 onchainId, uint8 outcome, uint256 writtenOffPrincipal) external {
    emit ListingSettled(onchainId, outcome, writtenOffPrincipal);
  }

  function emitListingCancelled(uint256 onchainId, bytes32 reason) external {
    emit ListingCancelled(onchainId, reason);
  }

  function emitListingVoided(uint256 onchainId, bytes32 reason) external {
    emit ListingVoided(onchainId, reason);
  }

  function emitOfferCreated(
    uint256 offerId, address token, address seller, uint256 amount, uint256 priceBps, uint64 expiresAt
  ) external {
    emit OfferCreated(offerId, token, seller, amount, priceBps, expiresAt);
  }

  function emitOfferFilled(
    uint256 offerId, address token, address buyer, uint256 amount, uint256 cost, uint256 remaining
  ) external {
    emit OfferFilled(offerId, token, buyer, amount, cost, remaining);
  }

  function emitOfferCancelled(uint256 offerId, uint256 remaining) external {
    emit OfferCancelled(offerId, remaining);
  }

  function emitEscrowDeployed(address escrow) external {
    emit EscrowDeployed(escrow);
  }

  /// @notice For a listing whose token is this contract.
  function emitTransfer(address from, address to, uint256 value) external {
    emit Transfer(from, to, value);
  }
}
