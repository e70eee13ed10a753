/** Generated from contracts/examples/RaiseEscrow.sol by npm run generate; do not edit. */

export const raiseEscrowAbi = [
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
        "internalType": "uint256",
        "name": "goal_",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "minimum_",
        "type": "uint256"
      },
      {
        "internalType": "uint64",
        "name": "opensAt_",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "closesAt_",
        "type": "uint64"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "Closed",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "Failed",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NotClosed",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NotFailed",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NotTaken",
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
    "name": "NotTheOwner",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "Nothing",
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
    "inputs": [],
    "name": "Taken",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "backer",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Deposited",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
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
        "internalType": "address",
        "name": "backer",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Withdrawn",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "closesAt",
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
    "inputs": [],
    "name": "collect",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "deposit",
    "outputs": [],
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
        "internalType": "address",
        "name": "backer",
        "type": "address"
      }
    ],
    "name": "giveBack",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "goal",
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
    "name": "isClosed",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "isTaken",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "minimum",
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
    "name": "opensAt",
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
        "internalType": "address",
        "name": "backer",
        "type": "address"
      }
    ],
    "name": "positions",
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
    "name": "raised",
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
    "name": "repaid",
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
        "name": "amount",
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
    "name": "take",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
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

export const raiseEscrowBytecode = "0x6101403461013a57601f610b2938819003918201601f19168301916001600160401b0383118484101761013e5780849260c09460405283398101031261013a578051906001600160a01b038216820361013a5760208101516001600160a01b038116810361013a57604082015160608301519161008a60a061008360808701610152565b9501610152565b9460805260a05260c05260e05261010052610120526040516109c290816101678239608051818181610173015281816102890152818161042401528181610537015281816106c40152610880015260a0518181816103480152610643015260c0518181816101fc0152818161046a015261074b015260e0518181816103ec015281816105d801526106830152610100518181816102c8015261030f0152610120518181816104ad01526107800152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffd5b51906001600160401b038216820361013a5756fe60806040526004361015610011575f80fd5b5f3560e01c8063159090bd1461063157806320198234146105a15780632e1a7d4d1461056a578063371fd8e6146104d157806339a3a99a1461048d578063401938831461045357806351adeb571461040f57806352d6804d146103d557806355f57510146103995780635ef436a1146103775780638da5cb5b146103335780639eaf08c1146102ef578063b6b55f25146101cc578063c2b6b58c146101a8578063e522538114610111578063f0ea4bfc146100f55763fbb27dce146100d4575f80fd5b346100f1575f3660031901126100f1576020600154604051908152f35b5f80fd5b346100f1575f3660031901126100f15760205f54604051908152f35b346100f1575f3660031901126100f15760015480156101995761014390335f52600360205260405f20545f549161090f565b335f52600460205261015960405f205482610719565b80156101995761019791335f52600460205260405f2055337f00000000000000000000000000000000000000000000000000000000000000006107a6565b005b63f9820cc160e01b5f5260045ffd5b346100f1575f3660031901126100f15760206101c2610747565b6040519015158152f35b346100f15760203660031901126100f1576004356101e8610747565b80156102bc575b6102ad575f5490610220827f0000000000000000000000000000000000000000000000000000000000000000610719565b908180821091180280821891146101995761023e816101979361073a565b5f55335f52600360205260405f2061025782825461073a565b90556040518181527f2da466a7b24304f47e87fa2e1e5a81b9831ce54fec19055ce277ca2f39ba42c460203392a230337f00000000000000000000000000000000000000000000000000000000000000006108a6565b631cdde67b60e01b5f5260045ffd5b5067ffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001642106101ef565b346100f1575f3660031901126100f157602060405167ffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346100f1575f3660031901126100f1576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b346100f1575f3660031901126100f157602060ff600254166040519015158152f35b346100f15760203660031901126100f1576004356001600160a01b038116908190036100f1575f526003602052602060405f2054604051908152f35b346100f1575f3660031901126100f15760206040517f00000000000000000000000000000000000000000000000000000000000000008152f35b346100f1575f3660031901126100f1576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b346100f1575f3660031901126100f15760206040517f00000000000000000000000000000000000000000000000000000000000000008152f35b346100f1575f3660031901126100f157602060405167ffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b346100f15760203660031901126100f15760043560ff600254161561055b57801561019957806105066101979260015461073a565b6001557f33a382daad6aace935340a474d09fec82af4bec7e2b69518d283231b03a65f246020604051838152a130337f00000000000000000000000000000000000000000000000000000000000000006108a6565b636013c8ff60e11b5f5260045ffd5b346100f15760203660031901126100f157600435610586610747565b6102ad5780610599610197925f54610719565b5f5533610827565b346100f15760203660031901126100f1576004356001600160a01b038116908181036100f1576105cf610747565b15610622575f547f0000000000000000000000000000000000000000000000000000000000000000111561061357610197915f52600360205260405f205490610827565b637d7c293760e01b5f5260045ffd5b6345a5a96f60e11b5f5260045ffd5b346100f1575f3660031901126100f1577f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03811633036107065761067a610747565b15610622575f547f000000000000000000000000000000000000000000000000000000000000000081106106f7576002549160ff83166106e85760016101979360ff1916176002557f00000000000000000000000000000000000000000000000000000000000000006107a6565b633d90016760e11b5f5260045ffd5b63312d207360e11b5f5260045ffd5b63f9ebb4c760e01b5f523360045260245ffd5b9190820391821161072657565b634e487b7160e01b5f52601160045260245ffd5b9190820180921161072657565b5f547f00000000000000000000000000000000000000000000000000000000000000001480156107745790565b5067ffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001642101590565b916040519163a9059cbb60e01b5f5260018060a01b031660045260245260205f60448180865af19060015f5114821615610806575b604052156107e65750565b635274afe760e01b5f9081526001600160a01b0391909116600452602490fd5b90600181151661081e57823b15153d151616906107db565b503d5f823e3d90fd5b908015610199576108a49160018060a01b038116805f52600360205260405f20610852848254610719565b90557f7084f5476618d8e60b11ef0d7d3f06914655adb8793e28ff7f018d4c76d505d56020604051858152a27f00000000000000000000000000000000000000000000000000000000000000006107a6565b565b6040516323b872dd60e01b5f9081526001600160a01b039384166004529290931660245260449390935260209060648180865af19060015f51148216156108f7575b6040525f606052156107e65750565b90600181151661081e57823b15153d151616906108e8565b90915f1983830992808302928380861095039480860395146109a057848311156109885790829109815f0382168092046002816003021880820260020302808202600203028082026002030280820260020302808202600203028091026002030293600183805f03040190848311900302920304170290565b82634e487b715f52156003026011186020526024601cfd5b5050809250156109ae570490565b634e487b7160e01b5f52601260045260245ffd" as const;
