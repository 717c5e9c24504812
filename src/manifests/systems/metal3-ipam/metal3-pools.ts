/** A pool of addresses, as `group/Kind`. */
export const METAL3_IP_POOL = 'ipam.metal3.io/IPPool';

/** The API version of pools. */
export const METAL3_IPAM_API_VERSION = 'ipam.metal3.io/v1alpha1';

/** A pool that is right, for examples of rules. */
export const POOL_TEXT = `apiVersion: ipam.metal3.io/v1alpha1
kind: IPPool
metadata: {name: nodes, namespace: tenant-acme}
spec:
  namePrefix: nodes
  prefix: 24
  gateway: 192.0.2.1
  pools:
  - {start: 192.0.2.10, end: 192.0.2.60}
`;
