/** Generated from contracts/test/RogueEscrow.sol by npm run generate; do not edit. */

export const rogueEscrowAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "target",
        "type": "address"
      }
    ],
    "name": "AddressEmptyCode",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "FailedCall",
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
        "internalType": "address",
        "name": "escrow",
        "type": "address"
      }
    ],
    "name": "EscrowDeployed",
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
        "internalType": "uint8",
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
            "internalType": "uint8",
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
        "internalType": "struct RogueTerms",
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
        "internalType": "uint8",
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
            "internalType": "uint8",
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
        "internalType": "struct RogueTerms",
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
        "internalType": "uint256",
        "name": "offerId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "name": "OfferCancelled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "offerId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "seller",
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
        "name": "priceBps",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "expiresAt",
        "type": "uint64"
      }
    ],
    "name": "OfferCreated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "offerId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "buyer",
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
        "name": "cost",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "name": "OfferFilled",
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
        "internalType": "uint8",
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
        "internalType": "uint8",
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
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
        "type": "address"
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
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "calls",
        "type": "bytes[]"
      }
    ],
    "name": "batch",
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
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "fee",
        "type": "uint256"
      },
      {
        "internalType": "uint64",
        "name": "maturityAt",
        "type": "uint64"
      }
    ],
    "name": "emitDrawnDown",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "escrow",
        "type": "address"
      }
    ],
    "name": "emitEscrowDeployed",
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
    "name": "emitListingCancelled",
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
        "internalType": "uint8",
        "name": "reason",
        "type": "uint8"
      },
      {
        "internalType": "uint256",
        "name": "raisedAmount",
        "type": "uint256"
      },
      {
        "internalType": "bool",
        "name": "minRaiseMet",
        "type": "bool"
      },
      {
        "internalType": "uint32",
        "name": "couponRateBps",
        "type": "uint32"
      }
    ],
    "name": "emitListingClosed",
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
        "name": "originator",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
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
            "internalType": "uint8",
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
        "internalType": "struct RogueTerms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "internalType": "bytes32",
        "name": "metadataHash",
        "type": "bytes32"
      }
    ],
    "name": "emitListingCreated",
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
        "internalType": "uint8",
        "name": "outcome",
        "type": "uint8"
      },
      {
        "internalType": "uint256",
        "name": "writtenOffPrincipal",
        "type": "uint256"
      }
    ],
    "name": "emitListingSettled",
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
            "internalType": "uint8",
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
        "internalType": "struct RogueTerms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "internalType": "bytes32",
        "name": "metadataHash",
        "type": "bytes32"
      }
    ],
    "name": "emitListingTermsUpdated",
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
    "name": "emitListingVoided",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "offerId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "name": "emitOfferCancelled",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "offerId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "seller",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "priceBps",
        "type": "uint256"
      },
      {
        "internalType": "uint64",
        "name": "expiresAt",
        "type": "uint64"
      }
    ],
    "name": "emitOfferCreated",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "offerId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "buyer",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cost",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "name": "emitOfferFilled",
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
        "name": "holder",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "totalClaimed",
        "type": "uint256"
      }
    ],
    "name": "emitPayoutClaimed",
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
        "name": "backer",
        "type": "address"
      },
      {
        "internalType": "uint8",
        "name": "reason",
        "type": "uint8"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "totalRefunded",
        "type": "uint256"
      }
    ],
    "name": "emitRefunded",
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
        "name": "payer",
        "type": "address"
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
      },
      {
        "internalType": "uint256",
        "name": "outstandingPrincipal",
        "type": "uint256"
      }
    ],
    "name": "emitRepaid",
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
        "internalType": "uint8",
        "name": "reason",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "reserveBalance",
        "type": "uint256"
      }
    ],
    "name": "emitReserveChanged",
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
        "name": "backer",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "payer",
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
      },
      {
        "internalType": "uint256",
        "name": "totalRaised",
        "type": "uint256"
      }
    ],
    "name": "emitSubscribed",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "emitTransfer",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const rogueEscrowBytecode = "0x60808060405234601557610b49908161001a8239f35b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c9081621f76d4146108c1575080631a51d85d1461082d5780631e897afb1461072257806323de6651146106c15780632825fb971461064457806328e35e80146105c257806350f771a3146105635780635d5aeb7e1461051b578063665551d5146104a457806367f1193a14610473578063769a0849146103875780637c55a55614610337578063adc8c663146102c9578063c11f303e14610241578063d96aed5d146101fe578063dab882ef14610193578063e8e378a4146101225763efad8c35146100e1575f80fd5b3461011e5760207f28f8595f84926c73348b5392ae1f99665fda3fc51f0d31235bd9504b1da71d4b61011236610aa7565b604093919351908152a2005b5f80fd5b3461011e5760a036600319011261011e5761013b610a42565b6040805160443581526064356020820152608435918101919091526001600160a01b0390911690600435907fb7245d7a1156fb83f5e8da87a8cf6e6504842dce2a4d6a2946ad7e1067c50d859080606081015b0390a3005b3461011e5760a036600319011261011e576101ac610a97565b6101b4610a58565b60408051606435815260843560208201526001600160a01b039092169260ff1691600435917f91ec65a173dd2ed85dcff8dd55da97c0bd7e60e6ba50d3d298c17a6f36049c6191a4005b3461011e57604036600319011261011e5760405160243581527f33559c26e53c3e89ff8feeaf6cfba76e46453390b4a80b64e8672dad0a0a45fb602060043592a2005b3461011e5760a036600319011261011e5761025a610a42565b6084356001600160401b038116810361011e5760408051604435815260643560208201526001600160401b03909216908201526001600160a01b0390911690600435907f570a3e9a2fcf4e099a9de2f6f860ed51a9887f79ddb6eb40734398cbbc24d8fe90806060810161018e565b3461011e5760a036600319011261011e576102e2610a42565b6044359060ff821680920361011e5760408051606435815260843560208201526001600160a01b0390921691600435917f349129424afe6a29081ac6c0090df8b1fc07d8d459ace8df9b3a4304463187b991a4005b3461011e57606036600319011261011e57610350610a97565b60ff60405191604435835216907ff8490244bb2e23263da56ad5c918c8d285d5415f2c6ad90cb37b374fbcef65f8602060043592a3005b3461011e5761014036600319011261011e5761010036602319011261011e576040516024358152604435602082015260643563ffffffff811680910361011e57604082015260843563ffffffff811680910361011e57606082015260a43563ffffffff811680910361011e57608082015260c43560ff811680910361011e5760a082015260e4356001600160401b03811680910361011e5760c0820152610104356001600160401b03811680910361011e5760e0820152610124356101008201527f6a1bf74a1901f5091bba012f803daa240488a2b4136a83ecf7b50c5b565ef5b961012060043592a2005b3461011e5760207f3958a06c79e8ca0506298ace87303995caec3a5ef56a8c2aefd8e909abe848a661011236610aa7565b3461011e5760a036600319011261011e576104bd610a97565b6064359081151580920361011e5760ff9063ffffffff6104db610a84565b604051946044358652602086015216604084015216907fb66f0e6dba7a95f82610be3b6810f8289dc38e6786651cbe4d49b4cabb653305606060043592a3005b3461011e57602036600319011261011e576001600160a01b0361053c610a6e565b167f985bc84aef25790c9c57b0ad211a72a2e99bf79da9943bf86efa35d4520c01c15f80a2005b3461011e57608036600319011261011e5761057c610a42565b60408051604435815260643560208201526001600160a01b0390921691600435917f3626272622c96308891d49a949e7ebc210f36630db003f0846df166fdcc9f5e291a3005b3461011e5760c036600319011261011e576105db610a42565b6105e3610a58565b6105eb610a84565b60408051606435815263ffffffff909216602083015260a435908201526001600160a01b039182169290911690600435907ff013c538e8170b4df6fb49ecd97ab5bfe854b3d8cd673fdaa812c28545b0b1ff90606090a4005b3461011e5760c036600319011261011e5761065d610a42565b610665610a58565b604080516064358152608435602082015260a435918101919091526001600160a01b039182169290911690600435907f073e686829a5ce45b6f8a9d60be80528e5a896310b94e10babe463d231f9a0259080606081015b0390a4005b3461011e57606036600319011261011e576106da610a6e565b6106e2610a42565b60405160443581526001600160a01b0391821692909116907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef90602090a3005b3461011e57602036600319011261011e576004356001600160401b03811161011e573660238201121561011e5780600401356001600160401b03811161011e573660248260051b8401011161011e57903681900360421901905f5b8381101561082b5760248160051b830101358381121561011e578201906024820135916001600160401b03831161011e576044810190833603821361011e5760405190601f8501601f19908116603f011682016001600160401b0381118382101761081757604052848252602060248636930101011161011e575f60208560019661081095838601378301015230610abd565b500161077d565b634e487b7160e01b5f52604160045260245ffd5b005b3461011e5760c036600319011261011e57610846610a42565b61084e610a58565b60a4356001600160401b038116810361011e5760408051606435815260843560208201526001600160401b03909216908201526001600160a01b039182169290911690600435907f20f19875f595c78c7db6ce1823b3ba47f8b2183752cd7c3d38bba0a8e18e3dad9080606081016106bc565b3461011e576101a036600319011261011e576108db610a42565b906108e4610a58565b606435906001600160401b03821161011e573660238301121561011e578160040135916001600160401b03831161011e57366024848301011161011e5761010036608319011261011e5760248391610140865282610140870152016101608501375f6101608385010152608435602084015260a435604084015260c43563ffffffff811680910361011e57606084015260e43563ffffffff811680910361011e5760808401526101043563ffffffff811680910361011e5760a08401526101243560ff811680910361011e5760c0840152610144356001600160401b03811680910361011e5760e084015261016435906001600160401b03821680920361011e57610100840191909152610184356101208401526001600160a01b03908116931691600435917feffc4f76eee4b2de0ba64ae0877aac48e129269b55fc06c0849977825411fb2591601f909101601f191681018190036101600190a4005b602435906001600160a01b038216820361011e57565b604435906001600160a01b038216820361011e57565b600435906001600160a01b038216820361011e57565b6084359063ffffffff8216820361011e57565b6024359060ff8216820361011e57565b604090600319011261011e576004359060243590565b905f8091602081519101845af48080610b36575b15610af15750506040513d81523d5f602083013e60203d82010160405290565b15610b1657639996b31560e01b5f9081526001600160a01b0391909116600452602490fd5b3d15610b27576040513d5f823e3d90fd5b63d6bda27560e01b5f5260045ffd5b503d151580610ad15750813b1515610ad156" as const;
