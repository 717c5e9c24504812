/** Prefix of the annotations that the cloud controller manager reads. */
export const PREFIX = 'service.beta.kubernetes.io/vultr-loadbalancer-';

/** Protocols of clients and of pods. */
export const PROTOCOLS: readonly string[] = ['tcp', 'udp', 'http', 'https'];

/** True if a number of seconds or answers is one that Vultr accepts. */
export function isWholeFrom1(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** True if a load balancer can have this number of nodes. */
export function isNodeCount(count: number): boolean {
  return isWholeFrom1(count) && count % 2 === 1;
}
