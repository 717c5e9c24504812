import { METAL3_ADDRESS_POOLS } from './address-pools';
import { METAL3_POOLS } from './ip-pools';
import { METAL3_MACHINES } from './machine-data';
import { METAL3_NODES } from './nodes';
import { METAL3_REMEDIATION } from './remediation';
import { METAL3_WEBHOOKS } from './webhooks';
import { ManifestRule } from '../../rules/manifest-rule';

/** The rules of Metal3. */
export const METAL3_RULES: readonly ManifestRule[] = [
  ...METAL3_WEBHOOKS, ...METAL3_MACHINES, ...METAL3_NODES, ...METAL3_POOLS, ...METAL3_ADDRESS_POOLS, METAL3_REMEDIATION,
];
