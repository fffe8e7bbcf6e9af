// ABI of the contracts: the parts that the program calls, in Solidity's syntax, from which TypeScript derives the
// types. A test compares each line with the compiler's output (ShareToken.json, ShareTokenFactory.json).
import { parseAbi } from "viem";

/** The token of one share class: ShareToken.sol. */
export const shareTokenAbi = parseAbi([
  "function issue(bytes32 key, address to, uint256 amount)",
  "function issueBatch(bytes32[] keys, address[] to, uint256[] amounts)",
  "function cancel(bytes32 key, address from, uint256 amount)",
  "function cancelBatch(bytes32[] keys, address[] from, uint256[] amounts)",
  "function controllerTransfer(bytes32 key, address from, address to, uint256 amount)",
  "function setAuthorized(bytes32 key, uint256 authorized_)",
  "function setAllowed(bytes32 key, address account, bool allowed_)",
  "function transferOwnership(address newOwner)",
  "function acceptOwnership()",
  "function owner() view returns (address)",
  "function pendingOwner() view returns (address)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() pure returns (uint8)",
  "function authorized() view returns (uint256)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function balancesOf(address[] accounts) view returns (uint256[] balances)",
  "function processed(bytes32 key) view returns (bool)",
  "function processedMany(bytes32[] keys) view returns (bool[] used)",
  "event Issued(bytes32 indexed key, address indexed to, uint256 amount)",
  "event Cancelled(bytes32 indexed key, address indexed from, uint256 amount)",
  "event Moved(bytes32 indexed key, address indexed from, address indexed to, uint256 amount)",
  "event AuthorizedSet(bytes32 indexed key, uint256 authorized)",
  "event AllowedSet(bytes32 indexed key, address indexed account, bool allowed)",
  "error ZeroKey()",
  "error KeyUsed(bytes32 key)",
  "error LengthMismatch()",
  "error AuthorizedExceeded(uint256 supply, uint256 authorized)",
  "error TransferNotAllowed(address from, address to)",
  "error IssuerRequired()",
  "error InvalidInitialization()",
  "error OwnableUnauthorizedAccount(address account)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InvalidReceiver(address receiver)",
  "error ERC20InvalidSender(address sender)",
]);

/** The factory of tokens: ShareTokenFactory.sol. */
export const shareTokenFactoryAbi = parseAbi([
  "constructor()",
  "function implementation() view returns (address)",
  "function tokenOf(bytes32 class) view returns (address)",
  "function deploy(bytes32 class, string name, string symbol, uint256 authorized) returns (address token)",
  "function transferOwnership(address newOwner)",
  "function acceptOwnership()",
  "function owner() view returns (address)",
  "event Deployed(bytes32 indexed class, address token)",
  "error OwnableUnauthorizedAccount(address account)",
]);
