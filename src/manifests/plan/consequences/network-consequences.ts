import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { Consequence } from '../../rules/changes/consequences';
import { Effect } from '../../rules/changes/effects';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { deliveryFacts, providers } from '../../systems/providers';
import { podNetworkOf } from '../../validation/changes/cluster-changes';
import { fieldAt, sameValue } from '../../values/fields';
import { Difference } from '../paired-objects';
import { ComparedCluster } from '../part-effects';
import { isSelected } from '../selection-effects';

/** DaemonSets that are the network of pods where it is applied as manifests: install/kubernetes, manifests and deployments of these projects. */
const AGENTS: readonly string[] = [
  'antrea-agent', 'calico-node', 'canal', 'cilium', 'kube-flannel', 'kube-flannel-ds', 'kube-ovn-cni', 'kube-router', 'ovnkube-node', 'weave-net',
];

/**
 * The pod network, if a change takes it away: its delivery or DaemonSet goes, delivers another chart, is installed elsewhere in the cluster, or
 * does not select the cluster any more.
 *
 * Sources: fluxcd/helm-controller internal/reconcile (uninstall of a release that moves), v1.6.3;
 * kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy (deletion of releases that are not selected), v0.6.4.
 */
export function networkConsequences(difference: Difference, effects: ReadonlySet<Effect>, cluster: ComparedCluster): Consequence[] {
  const { before, after, shown } = difference;
  const { old, now } = cluster.comparison;
  if (!before) return [];
  if (groupKind(before) === CLUSTER) return after && isLeftByNetwork(before, after, cluster) ? [podNetwork()] : [];
  if (!after && shown.inTenant && groupKind(before) === 'apps/DaemonSet' && AGENTS.includes(nameOf(before) ?? '')) return [podNetwork()];
  const network = podNetworkOf(before, old);
  if (network === undefined) return [];
  const facts = deliveryFacts(before)!;
  if (!after) return facts.keepsRemoved?.(before) ? [] : [podNetwork()];
  if (facts.appliesOnce?.(before) && facts.appliesOnce(after)) return [];
  const chart = deliveryFacts(after)?.read?.(after, now).chart;
  if (chart !== network) return [podNetwork(chart)];
  const isLeft = difference.formerOwners?.some(({ namespace, name }) => {
    const [was, is] = [old, now].map((index) => index.find(CLUSTER, namespace, name));
    return was && is && isSelected(was, before, facts) && !isSelected(is, after, facts);
  });
  if (isLeft && !facts.keepsRemoved?.(after)) return [podNetwork()];
  return effects.has(Effect.REDIRECTED) && sameValue(facts.target(before), facts.target(after)) ? [podNetwork(network)] : [];
}

/** True if a delivery of a pod network selected a Cluster, and its changed labels do not. */
function isLeftByNetwork(before: ManifestObject, after: ManifestObject, { comparison: { old, now } }: ComparedCluster): boolean {
  // Of a delivery that changes itself, that is told.
  if (sameValue(fieldAt(before, 'metadata', 'labels'), fieldAt(after, 'metadata', 'labels'))) return false;
  return providers().flatMap(({ deliveries = [] }) => deliveries).some((facts) => now.all(facts.kind).some((delivery) => {
    if (namespaceOf(delivery) !== namespaceOf(after)) return false;
    const former = old.find(facts.kind, namespaceOf(delivery), nameOf(delivery));
    return former !== undefined && isSelected(before, former, facts) && !isSelected(after, delivery, facts)
      && podNetworkOf(former, old) !== undefined && !facts.keepsRemoved?.(delivery);
  }));
}

function podNetwork(successor = 'another one'): Consequence {
  return { what: 'pod network', detail: `until ${successor} runs and all pods are restarted` };
}
