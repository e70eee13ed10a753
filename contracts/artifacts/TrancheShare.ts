/** Generated from contracts/examples/TranchedPools.sol by npm run generate; do not edit. */

export const trancheShareAbi = [
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "code",
        "type": "string"
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
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotThePools",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "StaysWithTheInvestor",
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
    "inputs": [
      {
        "internalType": "address",
        "name": "investor",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "burn",
    "outputs": [],
    "stateMutability": "nonpayable",
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
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "investor",
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
    "name": "pools",
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

export const trancheShareBytecode = "0x60a080604052346103a957610bf4803803809161001c82856103ad565b83398101906020818303126103a9578051906001600160401b0382116103a9570181601f820112156103a9578051906001600160401b0382116102b15760405191610071601f8201601f1916602001846103ad565b8083526020830193602082840101116103a95783602061009193016103d0565b6100cd602860405180946702a3930b731b432960c51b60208301526100bc85518092858501906103d0565b81010301601f1981018452836103ad565b81516001600160401b0381116102b157600354600181811c9116801561039f575b602082101461029357601f8111610331575b50602092601f82116001146102d057928192935f926102c5575b50508160011b915f199060031b1c1916176003555b80516001600160401b0381116102b157600454600181811c911680156102a7575b602082101461029357601f8111610225575b50602091601f82116001146101c5579181925f926101ba575b50508160011b915f199060031b1c1916176004555b3360805260405161080290816103f2823960805181818161010d0152818161018101526103de0152f35b015190505f8061017b565b601f1982169260045f52805f20915f5b85811061020d575083600195106101f5575b505050811b01600455610190565b01515f1960f88460031b161c191690555f80806101e7565b919260206001819286850151815501940192016101d5565b818111156101625760045f52601f820160051c7f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b6020841061028b575b81601f9101920160051c03905f5b82811061027e575050610162565b5f82820155600101610270565b5f9150610262565b634e487b7160e01b5f52602260045260245ffd5b90607f1690610150565b634e487b7160e01b5f52604160045260245ffd5b015190505f8061011a565b601f1982169360035f52805f20915f5b8681106103195750836001959610610301575b505050811b0160035561012f565b01515f1960f88460031b161c191690555f80806102f3565b919260206001819286850151815501940192016102e0565b818111156101005760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b60208410610397575b81601f9101920160051c03905f5b82811061038a575050610100565b5f8282015560010161037c565b5f915061036e565b90607f16906100ee565b5f80fd5b601f909101601f19168101906001600160401b038211908210176102b157604052565b5f5b8381106103e15750505f910152565b81810151838201526020016103d256fe6080806040526004361015610012575f80fd5b5f905f3560e01c90816306fdde031461063a57508063095ea7b3146105b857806318160ddd1461059b57806323b872dd146104c5578063313ce567146104aa57806340c10f19146103bf57806370a082311461038757806395d89b411461026b5780639dc29fac14610160578063a9059cbb1461013c578063c5c51dca146100f75763dd62ed3e146100a2575f80fd5b346100f45760403660031901126100f45760406100bd610795565b916100c66107ab565b9260018060a01b031681526001602052209060018060a01b03165f52602052602060405f2054604051908152f35b80fd5b50346100f457806003193601126100f4576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b50346100f45760403660031901126100f457610156610795565b60243590336107c1565b50346100f45760403660031901126100f45761017a610795565b60243591907f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03163303610258576001600160a01b031690811561024457806102355750805f525f60205260405f205482811061021c576020835f947fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef938587528684520360408620558060025403600255604051908152a3005b9063391434e360e21b5f5260045260245260445260645ffd5b63b9591e6560e01b8152600490fd5b634b637e8f60e11b81526004819052602490fd5b6314866dc560e21b825233600452602482fd5b50346100f457806003193601126100f457604051816004548060011c9060018116801561037d575b6020831081146103695782855290811561034d57506001146102f9575b50819003601f01601f191681019167ffffffffffffffff8311828410176102e557506102e18291826040528261074e565b0390f35b634e487b7160e01b81526041600452602490fd5b600484529050827f8a35acfbc15ff81a39ae7d344fd709f28e8600b4aa8c65c6b64bfe7fe36bd19b5b8282106103375750602091508201015f6102b0565b6001816020925483858801015201910190610322565b90506020925060ff191682840152151560051b8201015f6102b0565b634e487b7160e01b86526022600452602486fd5b91607f1691610293565b50346100f45760203660031901126100f4576020906040906001600160a01b036103af610795565b1681528083522054604051908152f35b346104a65760403660031901126104a6576103d8610795565b602435907f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03163303610493576001600160a01b0316908115610480576002549080820180921161046c5760207fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef915f9360025584845283825260408420818154019055604051908152a3005b634e487b7160e01b5f52601160045260245ffd5b63ec442f0560e01b5f525f60045260245ffd5b6314866dc560e21b5f523360045260245ffd5b5f80fd5b346104a6575f3660031901126104a657602060405160068152f35b346104a65760603660031901126104a6576104de610795565b6104e66107ab565b6001600160a01b0382165f81815260016020908152604080832033845290915290205460443593915f19821061051e575b50506107c1565b84821061058057801561056d57331561055a575f52600160205260405f2060018060a01b0333165f526020528360405f20910390558380610517565b634a1406b160e11b5f525f60045260245ffd5b63e602df0560e01b5f525f60045260245ffd5b8482637dc7a0d960e11b5f523360045260245260445260645ffd5b346104a6575f3660031901126104a6576020600254604051908152f35b346104a65760403660031901126104a6576105d1610795565b60243590331561056d576001600160a01b031690811561055a57335f52600160205260405f20825f526020528060405f20556040519081527f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560203392a3602060405160018152f35b346104a6575f3660031901126104a6575f6003548060011c90600181168015610744575b6020831081146107305782855290811561071457506001146106bf575b50819003601f01601f191681019067ffffffffffffffff8211818310176106ab576102e18291826040528261074e565b634e487b7160e01b5f52604160045260245ffd5b905060035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b5f905b8282106106fe5750602091508201018261067b565b60018160209254838588010152019101906106e9565b90506020925060ff191682840152151560051b8201018261067b565b634e487b7160e01b5f52602260045260245ffd5b91607f169161065e565b9190916020815282518060208301525f5b81811061077f575060409293505f838284010152601f8019910116010190565b806020809287010151604082860101520161075f565b600435906001600160a01b03821682036104a657565b602435906001600160a01b03821682036104a657565b9091506001600160a01b0316156107ef576001600160a01b0316156104805763b9591e6560e01b5f5260045ffd5b634b637e8f60e11b5f525f60045260245ffd" as const;
