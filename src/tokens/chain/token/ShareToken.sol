// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// One share class as a token. The issuer's ledger is the record and this contract is its mirror: the issuer (the
/// contract's owner) issues, cancels and moves shares by right, holders move them only between allowed addresses.
/// Each operation of the issuer carries a key that works once, so that repeating a transaction cannot repeat its effect.
contract ShareToken is ERC20, Ownable2Step, Initializable {
    /// `authorized` of a class that has no limit.
    uint256 public constant NO_LIMIT = type(uint256).max;

    string private _name;
    string private _symbol;

    /// The most shares that may exist, in units of 10^-10 share.
    uint256 public authorized;
    /// Whether an operation with this key has been carried out.
    mapping(bytes32 key => bool) public processed;
    /// Whether a holder at this address may send to, and receive from, other allowed addresses.
    mapping(address account => bool) public allowed;

    event Issued(bytes32 indexed key, address indexed to, uint256 amount);
    event Cancelled(bytes32 indexed key, address indexed from, uint256 amount);
    event Moved(bytes32 indexed key, address indexed from, address indexed to, uint256 amount);
    event AuthorizedSet(bytes32 indexed key, uint256 authorized);
    event AllowedSet(bytes32 indexed key, address indexed account, bool allowed);

    error ZeroKey();
    error KeyUsed(bytes32 key);
    error LengthMismatch();
    error AuthorizedExceeded(uint256 supply, uint256 authorized);
    error TransferNotAllowed(address from, address to);
    error IssuerRequired();

    /// A key works once.
    modifier once(bytes32 key) {
        if (!_use(key)) revert KeyUsed(key);
        _;
    }

    /// The implementation that all clones share has no owner and can never be initialized.
    constructor() ERC20("", "") Ownable(address(0xdead)) {
        _disableInitializers();
    }

    function initialize(address issuer, string calldata name_, string calldata symbol_, uint256 authorized_)
        external
        initializer
    {
        _name = name_;
        _symbol = symbol_;
        authorized = authorized_;
        _transferOwnership(issuer);
    }

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    /// The ledger counts in units of 10^-10, and so does the token.
    function decimals() public pure override returns (uint8) {
        return 10;
    }

    function issue(bytes32 key, address to, uint256 amount) external onlyOwner once(key) {
        _issue(key, to, amount);
    }

    /// Issues to each holder whose key is unused, and passes over the others.
    function issueBatch(bytes32[] calldata keys, address[] calldata to, uint256[] calldata amounts)
        external
        onlyOwner
    {
        if (keys.length != to.length || keys.length != amounts.length) revert LengthMismatch();
        for (uint256 i = 0; i < keys.length; i++) {
            if (_use(keys[i])) _issue(keys[i], to[i], amounts[i]);
        }
    }

    function cancel(bytes32 key, address from, uint256 amount) external onlyOwner once(key) {
        _cancel(key, from, amount);
    }

    /// Cancels at each holder whose key is unused, and passes over the others.
    function cancelBatch(bytes32[] calldata keys, address[] calldata from, uint256[] calldata amounts)
        external
        onlyOwner
    {
        if (keys.length != from.length || keys.length != amounts.length) revert LengthMismatch();
        for (uint256 i = 0; i < keys.length; i++) {
            if (_use(keys[i])) _cancel(keys[i], from[i], amounts[i]);
        }
    }

    /// Moves shares by the issuer's right, whatever the two holders.
    function controllerTransfer(bytes32 key, address from, address to, uint256 amount) external onlyOwner once(key) {
        if (from == address(0)) revert ERC20InvalidSender(from);
        if (to == address(0)) revert ERC20InvalidReceiver(to);
        super._update(from, to, amount);
        emit Moved(key, from, to, amount);
    }

    function setAuthorized(bytes32 key, uint256 authorized_) external onlyOwner once(key) {
        if (authorized_ < totalSupply()) revert AuthorizedExceeded(totalSupply(), authorized_);
        authorized = authorized_;
        emit AuthorizedSet(key, authorized_);
    }

    function setAllowed(bytes32 key, address account, bool allowed_) external onlyOwner once(key) {
        allowed[account] = allowed_;
        emit AllowedSet(key, account, allowed_);
    }

    /// A token without an issuer could never follow its ledger again.
    function renounceOwnership() public pure override {
        revert IssuerRequired();
    }

    function balancesOf(address[] calldata accounts) external view returns (uint256[] memory balances) {
        balances = new uint256[](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) balances[i] = balanceOf(accounts[i]);
    }

    function processedMany(bytes32[] calldata keys) external view returns (bool[] memory used) {
        used = new bool[](keys.length);
        for (uint256 i = 0; i < keys.length; i++) used[i] = processed[keys[i]];
    }

    /// Every way by which a holder can move shares ends here; the issuer's own goes around it.
    function _update(address from, address to, uint256 amount) internal override {
        bool holders = from != address(0) && to != address(0);
        if (holders && !(allowed[from] && allowed[to])) revert TransferNotAllowed(from, to);
        super._update(from, to, amount);
    }

    function _issue(bytes32 key, address to, uint256 amount) private {
        _mint(to, amount);
        if (totalSupply() > authorized) revert AuthorizedExceeded(totalSupply(), authorized);
        emit Issued(key, to, amount);
    }

    function _cancel(bytes32 key, address from, uint256 amount) private {
        _burn(from, amount);
        emit Cancelled(key, from, amount);
    }

    /// Uses up a key; false where it was used before.
    function _use(bytes32 key) private returns (bool) {
        if (key == bytes32(0)) revert ZeroKey();
        if (processed[key]) return false;
        processed[key] = true;
        return true;
    }
}
