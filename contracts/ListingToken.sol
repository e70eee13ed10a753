// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice What a listing token asks its escrow.
interface ITransferHook {
  /// @notice Called before each transfer between holders. Reverts while tokens are locked.
  function beforeTokenTransfer(uint256 onchainId, address from, address to) external;
}

/// @title A backer's share of one raise
/// @notice Minted 1:1 with accepted principal, 18 decimals, symbol = refnum. Locked before the drawdown: until
/// then the token is the claim to a refund, and must not be sold away from it.
contract ListingToken is ERC20 {
  address public immutable escrow;
  uint256 public immutable onchainId;

  error NotTheEscrow(address caller);

  modifier onlyEscrow() {
    if (msg.sender != escrow) revert NotTheEscrow(msg.sender);
    _;
  }

  /// @dev The deployer is the escrow.
  constructor(uint256 onchainId_, string memory refnum) ERC20(string.concat("Raisebook ", refnum), refnum) {
    escrow = msg.sender;
    onchainId = onchainId_;
  }

  function mint(address backer, uint256 amount) external onlyEscrow {
    _mint(backer, amount);
  }

  function burn(address backer, uint256 amount) external onlyEscrow {
    _burn(backer, amount);
  }

  /// @dev Mints and burns happen before anything was repaid, so only transfers move entitlements.
  function _update(address from, address to, uint256 value) internal override {
    if (from != address(0) && to != address(0)) ITransferHook(escrow).beforeTokenTransfer(onchainId, from, to);
    super._update(from, to, value);
  }
}
