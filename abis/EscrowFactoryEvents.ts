/** Generated from contracts/IEscrowFactory.sol by npm run generate; do not edit. */
export const escrowFactoryEventsAbi = [
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"escrow","type":"address"}],"name":"EscrowDeployed","type":"event"},
] as const;
