/** @module Numbers of the Solidity enums in `contracts/IListingEscrow.sol`. */

export const PRICING = { fixed: 0, auction: 1 } as const;
export const CLOSE = { filled: 0, deadline: 1, manual: 2 } as const;
export const REFUND = { withdrawn: 0, outbid: 1, minNotMet: 2, cancelled: 3, voided: 4 } as const;
export const RESERVE = { posted: 0, applied: 1, released: 2 } as const;
export const OUTCOME = { repaid: 0, repaidWithReserve: 1, defaulted: 2 } as const;
export const STAGE = {
  open: 1,
  succeeded: 2,
  failed: 3,
  cancelled: 4,
  voided: 5,
  drawn: 6,
  settled: 7,
} as const;
