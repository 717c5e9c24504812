import { AnnotationFact, SystemAnnotations } from '../../rules/annotation-facts';

/** The prefix, and the older one, which counts as well. */
export const PREFIXES: readonly string[] = ['metallb.io/', 'metallb.universe.tf/'];

// The last ones are keys that MetalLB itself writes.
const NAMES: readonly string[] = [
  'address-pool', 'allow-shared-ip', 'loadBalancerIPs', 'ip-allocated-from-pool', 'component-type', 'node', 'node-name', 'service-name', 'service-namespace',
];

const FACTS: readonly AnnotationFact[] = PREFIXES.flatMap((prefix) => NAMES.map((name): AnnotationFact => ({ key: `${prefix}${name}`, isLabel: 'both', kinds: ['*'] })));

/** Annotations of Services by which they ask for addresses. Labels with the prefix may be the user's own. */
export const METALLB_ANNOTATIONS: SystemAnnotations = {
  reader: 'MetalLB',
  owned: PREFIXES,
  facts: FACTS,
  source: 'metallb/metallb controller/service.go (AnnotationPrefix and others), internal/k8s/controllers/values.go, v0.16.1',
};
