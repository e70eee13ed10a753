// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Announces each escrow deployment, so that a redeploy is picked up without a restart
interface IEscrowFactory {
  event EscrowDeployed(address indexed escrow);
}
