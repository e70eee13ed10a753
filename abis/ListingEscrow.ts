/** Generated from contracts/ListingEscrow.sol by npm run generate; do not edit. */
export const listingEscrowAbi = [
  {
    "inputs": [
      {
        "internalType": "contract IERC20",
        "name": "dollar_",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "owner_",
        "type": "address"
      },
      {
        "internalType": "uint32",
        "name": "feeBps_",
        "type": "uint32"
      },
      {
        "internalType": "address",
        "name": "feeRecipient_",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "position",
        "type": "uint256"
      }
    ],
    "name": "AmountAbovePosition",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "bidRateBps",
        "type": "uint32"
      }
    ],
    "name": "BidInFixedRaise",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "bidRateBps",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "ceilingBps",
        "type": "uint32"
      }
    ],
    "name": "BidRateOutOfRange",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "minimum",
        "type": "uint256"
      }
    ],
    "name": "BidTooSmall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "current",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "proposed",
        "type": "uint64"
      }
    ],
    "name": "CloseAtNotLater",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "goLiveAt",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "closeAt",
        "type": "uint64"
      }
    ],
    "name": "ClosesBeforeGoLive",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "closeAt",
        "type": "uint64"
      }
    ],
    "name": "ClosesInThePast",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "closeAt",
        "type": "uint64"
      }
    ],
    "name": "DeadlineNotReached",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "EmptyRefnum",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "feeBps",
        "type": "uint32"
      }
    ],
    "name": "FeeTooHigh",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "minRaise",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "targetAmount",
        "type": "uint256"
      }
    ],
    "name": "MinRaiseAboveTarget",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "goLiveAt",
        "type": "uint64"
      }
    ],
    "name": "NotLiveYet",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "maturityAt",
        "type": "uint64"
      }
    ],
    "name": "NotMatured",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotOriginator",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "NotReadyForDrawdown",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "NotRefunding",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "NotRepaying",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotTheToken",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "NotTransferable",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "NotVoidable",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NothingReceived",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "holder",
        "type": "address"
      }
    ],
    "name": "NothingToClaim",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "backer",
        "type": "address"
      }
    ],
    "name": "NothingToRefund",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "OwnableInvalidOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "OwnableUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "RaiseNotClosed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "RaiseOver",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "limit",
        "type": "uint256"
      }
    ],
    "name": "RepaymentTooLarge",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "ReserveNotNeeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "ReserveStillNeeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "reserve",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ReserveTooSmall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "targetAmount",
        "type": "uint256"
      }
    ],
    "name": "TargetTooLarge",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "TermsFixed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "maximum",
        "type": "uint256"
      }
    ],
    "name": "TooManyBids",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "UnknownListing",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAddress",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroRateCeiling",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroTarget",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroTenor",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "fee",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "maturityAt",
        "type": "uint64"
      }
    ],
    "name": "DrawnDown",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "reason",
        "type": "bytes32"
      }
    ],
    "name": "ListingCancelled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "enum CloseReason",
        "name": "reason",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "raisedAmount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "minRaiseMet",
        "type": "bool"
      },
      {
        "indexed": false,
        "internalType": "uint32",
        "name": "couponRateBps",
        "type": "uint32"
      }
    ],
    "name": "ListingClosed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "originator",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "refnum",
        "type": "string"
      },
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "targetAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "minRaise",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "couponRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "insuranceBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "tenorDays",
            "type": "uint32"
          },
          {
            "internalType": "enum PricingMode",
            "name": "pricingMode",
            "type": "uint8"
          },
          {
            "internalType": "uint64",
            "name": "goLiveAt",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "closeAt",
            "type": "uint64"
          }
        ],
        "indexed": false,
        "internalType": "struct ListingTerms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "metadataHash",
        "type": "bytes32"
      }
    ],
    "name": "ListingCreated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "enum Outcome",
        "name": "outcome",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "writtenOffPrincipal",
        "type": "uint256"
      }
    ],
    "name": "ListingSettled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "targetAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "minRaise",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "couponRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "insuranceBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "tenorDays",
            "type": "uint32"
          },
          {
            "internalType": "enum PricingMode",
            "name": "pricingMode",
            "type": "uint8"
          },
          {
            "internalType": "uint64",
            "name": "goLiveAt",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "closeAt",
            "type": "uint64"
          }
        ],
        "indexed": false,
        "internalType": "struct ListingTerms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "metadataHash",
        "type": "bytes32"
      }
    ],
    "name": "ListingTermsUpdated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "reason",
        "type": "bytes32"
      }
    ],
    "name": "ListingVoided",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "previousOwner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "OwnershipTransferred",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "holder",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "totalClaimed",
        "type": "uint256"
      }
    ],
    "name": "PayoutClaimed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "backer",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "enum RefundReason",
        "name": "reason",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "totalRefunded",
        "type": "uint256"
      }
    ],
    "name": "Refunded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "payer",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "principal",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "interest",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "outstandingPrincipal",
        "type": "uint256"
      }
    ],
    "name": "Repaid",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "enum ReserveReason",
        "name": "reason",
        "type": "uint8"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "reserveBalance",
        "type": "uint256"
      }
    ],
    "name": "ReserveChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "backer",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "payer",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint32",
        "name": "bidRateBps",
        "type": "uint32"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "totalRaised",
        "type": "uint256"
      }
    ],
    "name": "Subscribed",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "applyReserve",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "beforeTokenTransfer",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "bidsOf",
    "outputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "backer",
            "type": "address"
          },
          {
            "internalType": "uint32",
            "name": "rateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint256",
            "name": "amount",
            "type": "uint256"
          }
        ],
        "internalType": "struct Bid[]",
        "name": "",
        "type": "tuple[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "bytes32",
        "name": "reason",
        "type": "bytes32"
      }
    ],
    "name": "cancel",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "claimPayout",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "holder",
        "type": "address"
      }
    ],
    "name": "claimable",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "claimedAmount",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "close",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "originator",
        "type": "address"
      },
      {
        "internalType": "string",
        "name": "refnum",
        "type": "string"
      },
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "targetAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "minRaise",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "couponRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "insuranceBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "tenorDays",
            "type": "uint32"
          },
          {
            "internalType": "enum PricingMode",
            "name": "pricingMode",
            "type": "uint8"
          },
          {
            "internalType": "uint64",
            "name": "goLiveAt",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "closeAt",
            "type": "uint64"
          }
        ],
        "internalType": "struct ListingTerms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "internalType": "bytes32",
        "name": "metadataHash",
        "type": "bytes32"
      }
    ],
    "name": "createListing",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "dollar",
    "outputs": [
      {
        "internalType": "contract IERC20",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "drawDown",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "feeBps",
    "outputs": [
      {
        "internalType": "uint32",
        "name": "",
        "type": "uint32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "feeRecipient",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "listingCount",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "maturityOf",
    "outputs": [
      {
        "internalType": "uint64",
        "name": "",
        "type": "uint64"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "minimumBid",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "outstandingPrincipal",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "owner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "postReserve",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "raisedAmount",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "backer",
        "type": "address"
      }
    ],
    "name": "refund",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "refundedAmount",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "releaseReserve",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "renounceOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "principal",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "interest",
        "type": "uint256"
      }
    ],
    "name": "repay",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "requiredBalance",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "reserveBalance",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "settle",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "stageOf",
    "outputs": [
      {
        "internalType": "enum Stage",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "backer",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint32",
        "name": "bidRateBps",
        "type": "uint32"
      }
    ],
    "name": "subscribe",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "termsOf",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "targetAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "minRaise",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "couponRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "insuranceBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "tenorDays",
            "type": "uint32"
          },
          {
            "internalType": "enum PricingMode",
            "name": "pricingMode",
            "type": "uint8"
          },
          {
            "internalType": "uint64",
            "name": "goLiveAt",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "closeAt",
            "type": "uint64"
          }
        ],
        "internalType": "struct ListingTerms",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      }
    ],
    "name": "tokenOf",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "transferOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "targetAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "minRaise",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "couponRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "insuranceBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "tenorDays",
            "type": "uint32"
          },
          {
            "internalType": "enum PricingMode",
            "name": "pricingMode",
            "type": "uint8"
          },
          {
            "internalType": "uint64",
            "name": "goLiveAt",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "closeAt",
            "type": "uint64"
          }
        ],
        "internalType": "struct ListingTerms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "internalType": "bytes32",
        "name": "metadataHash",
        "type": "bytes32"
      }
    ],
    "name": "updateTerms",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "bytes32",
        "name": "reason",
        "type": "bytes32"
      }
    ],
    "name": "voidListing",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "onchainId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "withdraw",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;
