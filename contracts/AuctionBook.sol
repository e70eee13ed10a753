// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// One bid of an auction; `amount` is what is left of it after withdrawals.
struct Bid {
  address backer;
  uint32 rateBps;
  uint256 amount;
}

/// @title The bids of one auction, in order of arrival
/// @notice No bid in the book is ever empty, so its length is what the limits count.
library AuctionBook {
  /// Closing an auction sorts and may refund every bid in one transaction; this keeps that within a block.
  uint256 internal constant MAX_BIDS = 200;

  error TooManyBids(uint256 maximum);
  error BidTooSmall(uint256 amount, uint256 minimum);

  /// @param minimum keeps dust bids from occupying the places of real ones
  function add(Bid[] storage bids, address backer, uint32 rateBps, uint256 amount, uint256 minimum) internal {
    if (bids.length >= MAX_BIDS) revert TooManyBids(MAX_BIDS);
    if (amount < minimum) revert BidTooSmall(amount, minimum);
    bids.push(Bid(backer, rateBps, amount));
  }

  /// @notice Takes `amount` out of the backer's bids, the newest first. The bids hold at least that much.
  function take(Bid[] storage bids, address backer, uint256 amount, uint256 minimum) internal {
    for (uint256 i = bids.length; i > 0 && amount > 0; i--) {
      Bid storage bid = bids[i - 1];
      if (bid.backer != backer) continue;
      if (bid.amount <= amount) {
        amount -= bid.amount;
        _remove(bids, i - 1);
      } else {
        bid.amount -= amount;
        if (bid.amount < minimum) revert BidTooSmall(bid.amount, minimum);
        amount = 0;
      }
    }
  }

  /// @notice The bids from the lowest rate to the highest; among equals the earlier comes first.
  function byRate(Bid[] storage bids) internal view returns (Bid[] memory sorted) {
    sorted = new Bid[](bids.length);
    // Insertion keeps the order of equals, which is the order of arrival.
    for (uint256 i = 0; i < sorted.length; i++) {
      Bid memory bid = bids[i];
      uint256 place = i;
      for (; place > 0 && sorted[place - 1].rateBps > bid.rateBps; place--) sorted[place] = sorted[place - 1];
      sorted[place] = bid;
    }
  }

  /// @dev Moves the later bids up instead of swapping: arrival decides ties.
  function _remove(Bid[] storage bids, uint256 index) private {
    uint256 last = bids.length - 1;
    for (uint256 i = index; i < last; i++) bids[i] = bids[i + 1];
    bids.pop();
  }
}
