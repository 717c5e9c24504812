import { nameOf } from '../../objects/manifest-object';
import { specPath } from '../../rules/cluster-api/machine-template-rules';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { Cidr } from '../../values/cidr';
import { fieldAt, listAt, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

// Rules of the provider's webhooks, beyond its definitions.

const WEBHOOKS = 'kubernetes-sigs/cluster-api-provider-azure internal/webhooks';
const GROUP = 'infrastructure.cluster.x-k8s.io';

function objectText(kind: string, spec: string, name = 'acme'): string {
  return `apiVersion: ${GROUP}/v1beta1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: tenant-acme}\nspec:\n${spec}`;
}

const IDENTITY_TEXT = objectText('AzureMachineTemplate', `  template:
    spec:
      vmSize: Standard_D2s_v3
      osDisk: {osType: Linux, diskSizeGB: 128}
      identity: UserAssigned
      userAssignedIdentities: [{providerID: "azure:///subscriptions/0/resourceGroups/acme/providers/Microsoft.ManagedIdentity/userAssignedIdentities/nodes"}]
`);

const IDENTITY: ManifestRule = {
  id: 'TC-ADMIT-AZURE-IDENTITY',
  title: 'Machines of Azure must have the identity UserAssigned if, and only if, identities are listed, and a role with SystemAssigned alone.',
  source: `${WEBHOOKS}/azuremachine_validation.go (ValidateUserAssignedIdentity, ValidateSystemAssignedIdentityRole), v1.26.0`,
  kinds: ['AzureMachine', 'AzureMachineTemplate'].map((kind) => `${GROUP}/${kind}`),
  example: replaced(IDENTITY_TEXT, '      identity: UserAssigned\n', ''),
  check: (object) => {
    const spec = specPath(object);
    const [identity, isListed] = [stringAt(object, ...spec, 'identity') ?? 'None', listAt(object, ...spec, 'userAssignedIdentities').length > 0];
    return [
      ...(isListed === (identity === 'UserAssigned') ? [] : [{
        path: [...spec, isListed ? 'identity' : 'userAssignedIdentities'],
        message: isListed ? `identities are listed, and the identity of the machine is ${identity}` : 'no identities are listed, and the machine is to have one of them',
        fix: isListed ? 'write identity: UserAssigned' : 'list an identity, or remove identity',
      }]),
      ...(identity === 'SystemAssigned' || fieldAt(object, ...spec, 'systemAssignedIdentityRole') === undefined ? [] : [{
        path: [...spec, 'systemAssignedIdentityRole'], message: `a role is for SystemAssigned alone, and the identity of the machine is ${identity}`, fix: 'write identity: SystemAssigned, or remove the role',
      }]),
    ];
  },
};

const NETWORK_TEXT = objectText('AzureCluster', `  location: westeurope
  subscriptionID: "0"
  identityRef: {apiVersion: ${GROUP}/v1beta1, kind: AzureClusterIdentity, name: acme}
  networkSpec:
    vnet: {name: acme, cidrBlocks: [10.20.0.0/16]}
    subnets:
      - {name: control-plane, role: control-plane, cidrBlocks: [10.20.1.0/24]}
      - {name: nodes, role: node, cidrBlocks: [10.20.2.0/24]}
`);

/** The ranges of a network and its subnets without any (internal/api/v1beta1/azurecluster_default.go, v1.26.0). */
const DEFAULT_NETWORK = '10.0.0.0/8';
const DEFAULT_CONTROL_PLANE = '10.0.0.0/16';

const NETWORK: ManifestRule = {
  id: 'TC-ADMIT-AZURE-SUBNET',
  title: 'The ranges of subnets in Azure must be in that of their network; those that are not written are 10.0.0.0/16 of control planes, and 10.1.0.0/16 and so on of nodes.',
  source: `${WEBHOOKS}/azurecluster_validation.go (validateSubnets, validateSubnetCIDR); internal/api/v1beta1/azurecluster_default.go, v1.26.0`,
  kinds: [`${GROUP}/AzureCluster`],
  example: replaced(NETWORK_TEXT, 'cidrBlocks: [10.20.2.0/24]', 'cidrBlocks: [10.21.2.0/24]'),
  check: (object) => {
    const network = ['spec', 'networkSpec'];
    const stated = rangesOf(fieldAt(object, ...network, 'vnet'));
    const whole = stated.length > 0 ? stated : [DEFAULT_NETWORK];
    const blocks = whole.map((text) => Cidr.parse(text)).filter((block) => block !== undefined);
    let [controlPlanes, nodes] = [0, 0];
    return [
      ...unreadable(stated, [...network, 'vnet', 'cidrBlocks']),
      ...objectsAt(object, ...network, 'subnets').flatMap(([subnet, index]): Finding[] => {
        const [path, own, role] = [[...network, 'subnets', index, 'cidrBlocks'], rangesOf(subnet), stringAt(subnet, 'role')];
        if (role === 'node') nodes += 1;
        if (role === 'control-plane') controlPlanes += 1;
        const preset = role === 'node' ? [`10.${nodes}.0.0/16`] : role === 'control-plane' && controlPlanes === 1 ? [DEFAULT_CONTROL_PLANE] : [];
        const ranges = own.length > 0 ? own : preset;
        const outside = ranges.filter((text) => Cidr.parse(text) && !blocks.some((block) => block.contains(text.slice(0, text.indexOf('/')))));
        return [
          ...unreadable(own, path),
          ...outside.map((text) => ({
            path,
            message: `${own.length > 0 ? 'the range' : 'no range is written, and the default'} ${text} is outside of the network`,
            accepted: whole.join(', '),
            fix: 'write a range of the network',
          })),
        ];
      }),
    ];
  },
};

function rangesOf(value: unknown): string[] {
  return listAt(value, 'cidrBlocks').filter((text): text is string => typeof text === 'string');
}

function unreadable(ranges: readonly string[], path: readonly (string | number)[]): Finding[] {
  return ranges.filter((text) => !Cidr.parse(text) && !text.includes('$')).map((text) => ({ path, message: `${JSON.stringify(text)} is no range of addresses`, fix: 'write a range such as 10.20.0.0/16' }));
}

const POOL_TEXT = objectText('AzureManagedMachinePool', '  mode: User\n  sku: Standard_D2s_v3\n', 'general');

const POOL_NAME: ManifestRule = {
  id: 'TC-ADMIT-AZURE-POOL-NAME',
  title: 'The name of a pool of AKS, or of its object if it has none, must be lower-case letters and digits that begin with a letter, at most 12, and 6 of Windows.',
  source: `${WEBHOOKS}/azuremanagedmachinepool_validation.go (validateMPName), azuremanagedmachinepool_webhook.go (Default), v1.26.0`,
  kinds: [`${GROUP}/AzureManagedMachinePool`],
  example: replaced(POOL_TEXT, 'name: general', 'name: acme-general'),
  check: (object) => {
    const own = stringAt(object, 'spec', 'name');
    const name = own ?? nameOf(object);
    const longest = stringAt(object, 'spec', 'osType') === 'Windows' ? 6 : 12;
    if (name === undefined || name.includes('$') || (/^[a-z][a-z0-9]*$/.test(name) && name.length <= longest)) return [];
    return [{
      path: own === undefined ? ['metadata', 'name'] : ['spec', 'name'],
      message: `${JSON.stringify(name)} is no name of a pool of AKS${own === undefined ? ', and spec.name is not set' : ''}`,
      accepted: `lower-case letters and digits, ${longest} at most`,
      fix: own === undefined ? 'write spec.name' : 'write another name',
    }];
  },
};

/** Rules of the webhooks of Azure's provider. */
export const AZURE_WEBHOOKS: readonly ManifestRule[] = [IDENTITY, NETWORK, POOL_NAME];
