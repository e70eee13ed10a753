/** Generated from contracts/test/FeeDollar.sol by npm run generate; do not edit. */

export const feeDollarAbi = [
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "feeBps_",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "allowance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientAllowance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientBalance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "approver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidApprover",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "receiver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidReceiver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSpender",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Approval",
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
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "allowance",
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
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "balanceOf",
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
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "feeBps",
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
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "mint",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalSupply",
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
    "name": "transfer",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
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
    "name": "transferFrom",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const feeDollarBytecode = "0x60a06040523461034657610b7d6020813803918261001c8161034a565b9384928339810103126103465751610034604061034a565b90600b82526a2a32b9ba102237b63630b960a91b6020830152610057604061034a565b60088152671554d10b5d195cdd60c21b602082015282519091906001600160401b03811161024c57600354600181811c9116801561033c575b602082101461022e57601f81116102ce575b506020601f821160011461026b57819293945f92610260575b50508160011b915f199060031b1c1916176003555b81516001600160401b03811161024c57600454600181811c91168015610242575b602082101461022e57601f81116101c0575b50602092601f821160011461015f57928192935f92610154575b50508160011b915f199060031b1c1916176004555b60805260405161080d908161037082396080518181816102e801526106390152f35b015190505f8061011d565b601f1982169360045f52805f20915f5b8681106101a85750836001959610610190575b505050811b01600455610132565b01515f1960f88460031b161c191690555f8080610182565b9192602060018192868501518155019401920161016f565b818111156101035760045f52601f820160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b60208410610226575b81601f9101920160051c03905f5b828110610219575050610103565b5f8282015560010161020b565b5f91506101fd565b634e487b7160e01b5f52602260045260245ffd5b90607f16906100f1565b634e487b7160e01b5f52604160045260245ffd5b015190505f806100bb565b601f1982169060035f52805f20915f5b8181106102b65750958360019596971061029e575b505050811b016003556100d0565b01515f1960f88460031b161c191690555f8080610290565b9192602060018192868b01518155019401920161027b565b818111156100a25760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208410610334575b81601f9101920160051c03905f5b8281106103275750506100a2565b5f82820155600101610319565b5f915061030b565b90607f1690610090565b5f80fd5b6040519190601f01601f191682016001600160401b0381118382101761024c5760405256fe6080806040526004361015610012575f80fd5b5f3560e01c90816306fdde031461048957508063095ea7b31461040757806318160ddd146103ea57806323b872dd1461030b57806324a9d853146102d1578063313ce567146102b657806340c10f191461026c57806370a082311461023557806395d89b411461011a578063a9059cbb146100e95763dd62ed3e14610095575f80fd5b346100e55760403660031901126100e5576100ae61059f565b6100b66105b5565b6001600160a01b039182165f908152600160209081526040808320949093168252928352819020549051908152f35b5f80fd5b346100e55760403660031901126100e55761010f61010561059f565b60243590336105cb565b602060405160018152f35b346100e5575f3660031901126100e5576040515f6004548060011c9060018116801561022b575b602083108114610217578285529081156101fb57506001146101a6575b50819003601f01601f191681019067ffffffffffffffff8211818310176101925761018e82918260405282610558565b0390f35b634e487b7160e01b5f52604160045260245ffd5b905060045f527f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b5f905b8282106101e55750602091508201018261015e565b60018160209254838588010152019101906101d0565b90506020925060ff191682840152151560051b8201018261015e565b634e487b7160e01b5f52602260045260245ffd5b91607f1691610141565b346100e55760203660031901126100e5576001600160a01b0361025661059f565b165f525f602052602060405f2054604051908152f35b346100e55760403660031901126100e55761028561059f565b6001600160a01b038116156102a3576102a19060243590610609565b005b63ec442f0560e01b5f525f60045260245ffd5b346100e5575f3660031901126100e557602060405160128152f35b346100e5575f3660031901126100e55760206040517f00000000000000000000000000000000000000000000000000000000000000008152f35b346100e55760603660031901126100e55761032461059f565b61032c6105b5565b6001600160a01b0382165f818152600160209081526040808320338452909152902054909260443592915f19811061036a575b5061010f93506105cb565b8381106103cf5784156103bc5733156103a95761010f945f52600160205260405f2060018060a01b0333165f526020528360405f20910390558461035f565b634a1406b160e11b5f525f60045260245ffd5b63e602df0560e01b5f525f60045260245ffd5b8390637dc7a0d960e11b5f523360045260245260445260645ffd5b346100e5575f3660031901126100e5576020600254604051908152f35b346100e55760403660031901126100e55761042061059f565b6024359033156103bc576001600160a01b03169081156103a957335f52600160205260405f20825f526020528060405f20556040519081527f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560203392a3602060405160018152f35b346100e5575f3660031901126100e5575f6003548060011c9060018116801561054e575b602083108114610217578285529081156101fb57506001146104f95750819003601f01601f191681019067ffffffffffffffff8211818310176101925761018e82918260405282610558565b905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b5f905b8282106105385750602091508201018261015e565b6001816020925483858801015201910190610523565b91607f16916104ad565b9190916020815282518060208301525f5b818110610589575060409293505f838284010152601f8019910116010190565b8060208092870101516040828601015201610569565b600435906001600160a01b03821682036100e557565b602435906001600160a01b03821682036100e557565b91906001600160a01b038316156105f6576001600160a01b038116156102a3576105f492610614565b565b634b637e8f60e11b5f525f60045260245ffd5b906105f4915f610732565b919091610622828483610732565b6001600160a01b0316158015610721575b61071d577f0000000000000000000000000000000000000000000000000000000000000000908181029181830414901517156106b3576127109004906001600160a01b0316806106c757600254918083018093116106b35760205f5160206107ed5f395f51905f52915f946002555b8060025403600255604051908152a3565b634e487b7160e01b5f52601160045260245ffd5b805f939293525f60205260405f2054838110610703576020845f94955f5160206107ed5f395f51905f52938587528684520360408620556106a2565b915063391434e360e21b5f5260045260245260445260645ffd5b5050565b506001600160a01b03821615610633565b6001600160a01b0316908161079a576002548381018091116106b3575f5160206107ed5f395f51905f52916020916002555b6001600160a01b031693846107855780600254036002555b604051908152a3565b845f525f825260405f2081815401905561077c565b815f525f60205260405f20548381106107d1575f5160206107ed5f395f51905f529184602092855f525f84520360405f2055610764565b91905063391434e360e21b5f5260045260245260445260645ffdfeddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef" as const;
