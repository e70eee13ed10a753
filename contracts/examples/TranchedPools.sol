// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {TestDollar} from "../TestDollar.sol";

/// @title A dollar of a test network with six decimals
contract SixDecimalDollar is TestDollar {
  function decimals() public pure override returns (uint8) {
    return 6;
  }
}

/// @title What one investor has in one tranche
/// @notice Minted with each deposit and burned with each withdrawal; it stays with the investor.
contract TrancheShare is ERC20 {
  address public immutable pools = msg.sender;

  error StaysWithTheInvestor();
  error NotThePools(address caller);

  constructor(string memory code) ERC20(string.concat("Tranche ", code), code) {}

  function decimals() public pure override returns (uint8) {
    return 6;
  }

  function mint(address investor, uint256 amount) external {
    if (msg.sender != pools) revert NotThePools(msg.sender);
    _mint(investor, amount);
  }

  function burn(address investor, uint256 amount) external {
    if (msg.sender != pools) revert NotThePools(msg.sender);
    _burn(investor, amount);
  }

  function _update(address from, address to, uint256 value) internal override {
    if (from != address(0) && to != address(0)) revert StaysWithTheInvestor();
    super._update(from, to, value);
  }
}

/// @title Pooled loans in tranches: an example of contracts that are not the project's own
/// @notice A pool is one borrower's loan. Each of its tranches collects deposits, is locked, drawn and repaid on its own, and is
/// senior to those opened after it: no principal goes to a tranche while one before it is owed any. Nothing is announced as a
/// running total.
contract TranchedPools is Ownable {
  using SafeERC20 for IERC20;

  enum Stage {
    None,
    Open,
    Locked,
    Failed,
    Cancelled,
    Unwound,
    Drawn,
    Repaid
  }

  struct Tranche {
    uint256 poolId;
    /// The tranche that is repaid before this one; 0 for none.
    uint256 senior;
    TrancheShare share;
    uint256 target;
    uint256 minimum;
    uint256 deposited;
    uint256 owed;
    /// Principal and interest so far.
    uint256 received;
    uint64 opensAt;
    uint64 closesAt;
    uint32 termDays;
    Stage stage;
  }

  /// @param rateBps a year, in basis points
  event TrancheOpened(
    uint256 indexed trancheId,
    uint256 indexed poolId,
    address indexed borrower,
    address share,
    string code,
    uint256 target,
    uint256 minimum,
    uint32 rateBps,
    uint32 termDays,
    uint64 opensAt,
    uint64 closesAt
  );
  event DepositMade(address indexed investor, uint256 indexed trancheId, uint256 amount);
  event WithdrawalMade(address indexed investor, uint256 indexed trancheId, uint256 amount);
  event TrancheLocked(uint256 indexed trancheId, uint256 amount);
  event TrancheCancelled(uint256 indexed trancheId, bool wasLocked);
  event DrawdownMade(uint256 indexed trancheId, uint256 amount, uint64 dueAt);
  event PaymentApplied(uint256 indexed trancheId, uint256 interest, uint256 principal);
  event TrancheRepaid(uint256 indexed trancheId);
  event ProceedsCollected(address indexed investor, uint256 indexed trancheId, uint256 amount);

  error WrongStage(uint256 trancheId, Stage stage);
  error NotOpenNow(uint256 trancheId);
  error NotTheBorrower(address caller);
  error SeniorIsOwed(uint256 trancheId);
  error Nothing();

  IERC20 public immutable dollar;
  uint256 public trancheCount;
  mapping(uint256 poolId => address) public borrowerOf;
  mapping(uint256 trancheId => Tranche) public tranches;
  mapping(uint256 poolId => uint256) private _last;
  mapping(uint256 trancheId => mapping(address investor => uint256)) private _collected;

  constructor(IERC20 dollar_, address owner_) Ownable(owner_) {
    dollar = dollar_;
  }

  /// @notice The first tranche of a pool names its borrower, whom the later ones must repeat.
  function openTranche(
    uint256 poolId,
    address borrower,
    string calldata code,
    uint256 target,
    uint256 minimum,
    uint32 rateBps,
    uint32 termDays,
    uint64 opensAt,
    uint64 closesAt
  ) external onlyOwner returns (uint256 trancheId) {
    if (borrowerOf[poolId] == address(0)) borrowerOf[poolId] = borrower;
    if (borrowerOf[poolId] != borrower) revert NotTheBorrower(borrower);
    trancheId = ++trancheCount;
    Tranche storage tranche = tranches[trancheId];
    tranche.poolId = poolId;
    tranche.senior = _last[poolId];
    tranche.share = new TrancheShare(code);
    tranche.target = target;
    tranche.minimum = minimum;
    tranche.opensAt = opensAt;
    tranche.closesAt = closesAt;
    tranche.termDays = termDays;
    tranche.stage = Stage.Open;
    _last[poolId] = trancheId;
    address share = address(tranche.share);
    emit TrancheOpened(
      trancheId, poolId, borrower, share, code, target, minimum, rateBps, termDays, opensAt, closesAt
    );
  }

  /// @notice Takes what is left up to the target, and locks the tranche once it is full.
  function deposit(uint256 trancheId, uint256 amount) external {
    Tranche storage tranche = _openNow(trancheId);
    amount = Math.min(amount, tranche.target - tranche.deposited);
    if (amount == 0) revert Nothing();
    tranche.deposited += amount;
    tranche.share.mint(msg.sender, amount);
    dollar.safeTransferFrom(msg.sender, address(this), amount);
    emit DepositMade(msg.sender, trancheId, amount);
    if (tranche.deposited == tranche.target) _lock(trancheId, tranche);
  }

  function withdraw(uint256 trancheId, uint256 amount) external {
    Tranche storage tranche = _openNow(trancheId);
    tranche.deposited -= amount;
    _payBack(trancheId, tranche, msg.sender, amount);
  }

  /// @notice Anyone locks a tranche after its time, the owner before.
  function lock(uint256 trancheId) external {
    Tranche storage tranche = _in(trancheId, Stage.Open);
    if (block.timestamp < tranche.closesAt) _checkOwner();
    _lock(trancheId, tranche);
  }

  function cancel(uint256 trancheId) external onlyOwner {
    Tranche storage tranche = tranches[trancheId];
    bool wasLocked = tranche.stage == Stage.Locked;
    if (!wasLocked) _in(trancheId, Stage.Open);
    tranche.stage = wasLocked ? Stage.Unwound : Stage.Cancelled;
    emit TrancheCancelled(trancheId, wasLocked);
  }

  /// @notice Anyone gives a deposit back that was made for nothing.
  function giveBack(uint256 trancheId, address investor) external {
    Tranche storage tranche = tranches[trancheId];
    Stage stage = tranche.stage;
    if (stage != Stage.Failed && stage != Stage.Cancelled && stage != Stage.Unwound) {
      revert WrongStage(trancheId, stage);
    }
    _payBack(trancheId, tranche, investor, tranche.share.balanceOf(investor));
  }

  function drawdown(uint256 trancheId) external {
    Tranche storage tranche = _in(trancheId, Stage.Locked);
    _checkBorrower(tranche);
    tranche.stage = Stage.Drawn;
    tranche.owed = tranche.deposited;
    emit DrawdownMade(trancheId, tranche.deposited, uint64(block.timestamp + tranche.termDays * 1 days));
    dollar.safeTransfer(msg.sender, tranche.deposited);
  }

  function pay(uint256 trancheId, uint256 principal, uint256 interest) external {
    Tranche storage tranche = _in(trancheId, Stage.Drawn);
    _checkBorrower(tranche);
    principal = Math.min(principal, tranche.owed);
    if (principal > 0 && isSeniorOwed(trancheId)) revert SeniorIsOwed(tranche.senior);
    tranche.owed -= principal;
    tranche.received += principal + interest;
    dollar.safeTransferFrom(msg.sender, address(this), principal + interest);
    emit PaymentApplied(trancheId, interest, principal);
    if (tranche.owed > 0) return;
    tranche.stage = Stage.Repaid;
    emit TrancheRepaid(trancheId);
  }

  /// @notice Pays the caller's part of what the borrower has paid.
  function collect(uint256 trancheId) external {
    Tranche storage tranche = tranches[trancheId];
    if (tranche.received == 0) revert Nothing();
    uint256 all = Math.mulDiv(tranche.received, tranche.share.balanceOf(msg.sender), tranche.deposited);
    uint256 amount = all - _collected[trancheId][msg.sender];
    if (amount == 0) revert Nothing();
    _collected[trancheId][msg.sender] = all;
    emit ProceedsCollected(msg.sender, trancheId, amount);
    dollar.safeTransfer(msg.sender, amount);
  }

  function depositedIn(uint256 trancheId) external view returns (uint256) {
    return tranches[trancheId].deposited;
  }

  function owedOn(uint256 trancheId) external view returns (uint256) {
    return tranches[trancheId].owed;
  }

  function isSeniorOwed(uint256 trancheId) public view returns (bool) {
    uint256 senior = tranches[trancheId].senior;
    return senior != 0 && (tranches[senior].owed > 0 || isSeniorOwed(senior));
  }

  function _lock(uint256 trancheId, Tranche storage tranche) private {
    tranche.stage = tranche.deposited >= tranche.minimum ? Stage.Locked : Stage.Failed;
    emit TrancheLocked(trancheId, tranche.deposited);
  }

  function _payBack(uint256 trancheId, Tranche storage tranche, address investor, uint256 amount) private {
    if (amount == 0) revert Nothing();
    tranche.share.burn(investor, amount);
    emit WithdrawalMade(investor, trancheId, amount);
    dollar.safeTransfer(investor, amount);
  }

  function _openNow(uint256 trancheId) private view returns (Tranche storage tranche) {
    tranche = _in(trancheId, Stage.Open);
    if (block.timestamp < tranche.opensAt || block.timestamp >= tranche.closesAt) revert NotOpenNow(trancheId);
  }

  function _in(uint256 trancheId, Stage stage) private view returns (Tranche storage tranche) {
    tranche = tranches[trancheId];
    if (tranche.stage != stage) revert WrongStage(trancheId, tranche.stage);
  }

  function _checkBorrower(Tranche storage tranche) private view {
    if (msg.sender != borrowerOf[tranche.poolId]) revert NotTheBorrower(msg.sender);
  }
}
