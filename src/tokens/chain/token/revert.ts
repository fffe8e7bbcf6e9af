// Revert reasons: why a contract refused a call, in words for the reader of `tokenError`. Pure.
import { decodeErrorResult, parseAbi } from "viem";
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import { ChainError, type Hex } from "../port.ts";
import { shareTokenAbi } from "./abi.ts";

/** The contracts' errors, and Solidity's own for `require` and failed arithmetic. */
const errors = [...shareTokenAbi, ...parseAbi(["error Error(string reason)", "error Panic(uint256 code)"])] as const;

/** The failure for a revert's data; unknown data becomes a plain `reverted`. */
export function revertError(data: Hex | null): ChainError {
  const decoded = decode(data);
  if (!decoded) return new ChainError("reverted", "the contract refused the operation without saying why");
  switch (decoded.errorName) {
    case "KeyUsed":
      return new ChainError("key-used", "the operation was carried out before");
    case "AuthorizedExceeded": {
      const [supply, authorized] = decoded.args;
      const [shares, limit] = [formatDecimal(supply), formatDecimal(authorized)];
      return new ChainError(
        "reverted",
        `${shares} shares would exist on chain, more than the token's limit of ${limit}`,
      );
    }
    case "ERC20InsufficientBalance": {
      const [holder, balance, needed] = decoded.args;
      const [has, needs] = [formatDecimal(balance), formatDecimal(needed)];
      return new ChainError(
        "reverted",
        `the holder ${holder} has ${has} shares on chain, fewer than the ${needs} needed`,
      );
    }
    case "OwnableUnauthorizedAccount":
      return new ChainError("not-issuer", `the contract does not obey the operator's key (${decoded.args[0]})`);
    case "TransferNotAllowed":
      return new ChainError("reverted", "holders may not transfer between these addresses");
    case "Error":
      return new ChainError("reverted", `the contract refused the operation: ${printable(decoded.args[0])}`);
    case "Panic":
      return new ChainError("reverted", `the contract failed (panic ${decoded.args[0]})`);
    default:
      return new ChainError("reverted", `the contract refused the operation: ${decoded.errorName}`);
  }
}

function decode(data: Hex | null) {
  if (data === null || data === "0x") return null;
  try {
    return decodeErrorResult({ abi: errors, data });
  } catch {
    return null;
  }
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, " ").slice(0, 100);
}
