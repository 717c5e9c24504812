import { Chart } from 'cdk8s';
import { EtcdClient, etcdLabels } from './etcd-client';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { TypedApiObject } from '../app/synth/typed-api-object';

const COMPONENT = 'disruption-budget';

/**
 * Lets the drain of hosts evict one member at a time: with two of three members missing, etcd rejects writes, and every tenant stops. A
 * member that is not ready may always be evicted, so that a broken member does not block a drain.
 *
 * Source: kubernetes.io/docs/tasks/run-application/configure-pdb (unhealthy pod eviction policy).
 */
export function addDisruptionBudget(manifests: Chart, client: EtcdClient): void {
  new TypedApiObject(manifests, 'DisruptionBudget', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, {
    metadata: { name: client.name, namespace: client.namespace, labels: etcdLabels(client, COMPONENT), annotations: keepOnPrune() },
    spec: { maxUnavailable: 1, selector: { matchLabels: client.memberLabels }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  });
}
