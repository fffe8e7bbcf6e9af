// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ShareToken} from "./ShareToken.sol";

/// Makes the token of a share class at an address that follows from the class alone, so that asking twice makes one.
contract ShareTokenFactory is Ownable2Step {
    /// The code that every token of this factory runs.
    address public immutable implementation;

    event Deployed(bytes32 indexed class, address token);

    error IssuerRequired();

    constructor() Ownable(msg.sender) {
        implementation = address(new ShareToken());
    }

    /// Where the token of a class is, or will be. `class` is a digest of the organization's id and the class's.
    function tokenOf(bytes32 class) public view returns (address) {
        return Clones.predictDeterministicAddress(implementation, class);
    }

    /// Deploys and initializes the token of a class in one step; does nothing where it exists.
    function deploy(bytes32 class, string calldata name, string calldata symbol, uint256 authorized)
        external
        onlyOwner
        returns (address token)
    {
        token = tokenOf(class);
        if (token.code.length != 0) return token;
        Clones.cloneDeterministic(implementation, class);
        ShareToken(token).initialize(msg.sender, name, symbol, authorized);
        emit Deployed(class, token);
    }

    /// A factory without an owner could never deploy again.
    function renounceOwnership() public pure override {
        revert IssuerRequired();
    }
}
