// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title One raise, in an escrow of its own: an example of contracts that are not the project's own
/// @notice It says who pays in, who gets money back and what is repaid, and nothing else: its close, the owner's taking of the money
/// and its end are not announced, and its terms are in no event.
contract RaiseEscrow {
  using SafeERC20 for IERC20;

  event Deposited(address indexed backer, uint256 amount);
  event Withdrawn(address indexed backer, uint256 amount);
  event Repaid(uint256 amount);

  error Closed();
  error NotClosed();
  error Failed();
  error NotFailed();
  error NotTheOwner(address caller);
  error NotTaken();
  error Taken();
  error Nothing();

  IERC20 public immutable dollar;
  address public immutable owner;
  uint256 public immutable goal;
  uint256 public immutable minimum;
  uint64 public immutable opensAt;
  uint64 public immutable closesAt;
  uint256 public raised;
  uint256 public repaid;
  bool public isTaken;
  mapping(address backer => uint256) public positions;
  mapping(address backer => uint256) private _collected;

  constructor(IERC20 dollar_, address owner_, uint256 goal_, uint256 minimum_, uint64 opensAt_, uint64 closesAt_) {
    dollar = dollar_;
    owner = owner_;
    goal = goal_;
    minimum = minimum_;
    opensAt = opensAt_;
    closesAt = closesAt_;
  }

  /// @notice Takes what is left up to the goal, which ends the raise.
  function deposit(uint256 amount) external {
    if (isClosed() || block.timestamp < opensAt) revert Closed();
    amount = Math.min(amount, goal - raised);
    if (amount == 0) revert Nothing();
    raised += amount;
    positions[msg.sender] += amount;
    emit Deposited(msg.sender, amount);
    dollar.safeTransferFrom(msg.sender, address(this), amount);
  }

  function withdraw(uint256 amount) external {
    if (isClosed()) revert Closed();
    raised -= amount;
    _payBack(msg.sender, amount);
  }

  /// @notice Anyone gives a backer everything back once the raise has failed.
  function giveBack(address backer) external {
    if (!isClosed()) revert NotClosed();
    if (raised >= minimum) revert NotFailed();
    _payBack(backer, positions[backer]);
  }

  function take() external {
    if (msg.sender != owner) revert NotTheOwner(msg.sender);
    if (!isClosed()) revert NotClosed();
    if (raised < minimum) revert Failed();
    if (isTaken) revert Taken();
    isTaken = true;
    dollar.safeTransfer(owner, raised);
  }

  function repay(uint256 amount) external {
    if (!isTaken) revert NotTaken();
    if (amount == 0) revert Nothing();
    repaid += amount;
    emit Repaid(amount);
    dollar.safeTransferFrom(msg.sender, address(this), amount);
  }

  /// @notice Pays the caller's part of what was repaid.
  function collect() external {
    if (repaid == 0) revert Nothing();
    uint256 all = Math.mulDiv(repaid, positions[msg.sender], raised);
    uint256 amount = all - _collected[msg.sender];
    if (amount == 0) revert Nothing();
    _collected[msg.sender] = all;
    dollar.safeTransfer(msg.sender, amount);
  }

  function isClosed() public view returns (bool) {
    return raised == goal || block.timestamp >= closesAt;
  }

  function _payBack(address backer, uint256 amount) private {
    if (amount == 0) revert Nothing();
    positions[backer] -= amount;
    emit Withdrawn(backer, amount);
    dollar.safeTransfer(backer, amount);
  }
}

/// @title Deploys an escrow for each raise and announces it
contract RaiseFactory is Ownable {
  event RaiseDeployed(address indexed raise, address indexed owner);

  IERC20 public immutable dollar;
  address[] public raises;

  constructor(IERC20 dollar_, address owner_) Ownable(owner_) {
    dollar = dollar_;
  }

  function deploy(address owner_, uint256 goal, uint256 minimum, uint64 opensAt, uint64 closesAt) external onlyOwner {
    address raise = address(new RaiseEscrow(dollar, owner_, goal, minimum, opensAt, closesAt));
    raises.push(raise);
    emit RaiseDeployed(raise, owner_);
  }

  function raiseCount() external view returns (uint256) {
    return raises.length;
  }
}
