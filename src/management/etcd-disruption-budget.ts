import { Chart } from 'cdk8s';
import { EtcdClient, etcdLabels } from './etcd-client';
import { keepOnPrune } from '../delivery/marks';
import { TypedApiObject } from '../synth/typed-api-object';

const COMPONENT = 'disruption-budget';

/**
 * Lets the drain of hosts evict one member at a time: without a second one of three, etcd takes no more writes, and every tenant stands
 * still. A member that is not ready may always go, so that a broken one does not block a drain.
 *
 * Source: kubernetes.io/docs/tasks/run-application/configure-pdb (unhealthy pod eviction policy).
 */
export function addDisruptionBudget(manifests: Chart, client: EtcdClient): void {
  new TypedApiObject(manifests, 'DisruptionBudget', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, {
    metadata: { name: client.name, namespace: client.namespace, labels: etcdLabels(client, COMPONENT), annotations: keepOnPrune() },
    spec: { maxUnavailable: 1, selector: { matchLabels: client.memberLabels }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  });
}
