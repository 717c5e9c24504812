import { PodLoad } from './pod-load';
import { Manifest } from './written-objects';
import { containersOf } from '../../../manifests/objects/container-load';
import { ControlPlanePods, PublishedService } from '../../../manifests/rules/provider';
import { fieldAt, numberAt, stringAt } from '../../../manifests/values/fields';
import { NANO } from '../../../manifests/values/quantity';

/** What a hosted control plane counts for while it is rolled. */
export function hostedLoad({ replicas, strategy, containers, initContainers }: ControlPlanePods): PodLoad {
  return {
    what: 'pods of the control plane',
    ...replicasOf({ replicas }, strategy),
    containers,
    initContainers,
    besides: { 'pods': NANO, 'count/pods': NANO },
  };
}

/** Amounts of a quota that a Service takes (kubernetes/kubernetes pkg/quota/v1/evaluator/core/services.go). */
export function serviceLoad(what: string, { type = 'ClusterIP', ports }: PublishedService): PodLoad {
  return {
    what,
    count: 1,
    reckoning: '1',
    containers: [],
    initContainers: [],
    besides: {
      'services': NANO,
      'count/services': NANO,
      ...(type === 'LoadBalancer' && { 'services.loadbalancers': NANO }),
      ...(['LoadBalancer', 'NodePort'].includes(type) && { 'services.nodeports': NANO * BigInt(ports) }),
    },
  };
}

/** What a controller of the cluster counts for while it is rolled. */
export function deploymentLoad(deployment: Manifest): PodLoad {
  const spec = fieldAt(deployment, 'spec');
  const pod = fieldAt(spec, 'template', 'spec');
  return {
    what: `pods of the Deployment ${stringAt(deployment, 'metadata', 'name')}`,
    ...replicasOf(spec, fieldAt(spec, 'strategy')),
    containers: containersOf(pod, 'containers'),
    initContainers: containersOf(pod, 'initContainers'),
    besides: { 'pods': NANO, 'count/pods': NANO },
  };
}

/** Deployments round percentages of a surge up; without a word they surge by a quarter. */
function replicasOf(spec: unknown, strategy: unknown): Pick<PodLoad, 'count' | 'reckoning'> {
  const replicas = numberAt(spec, 'replicas') ?? 1;
  const text = stringAt(strategy, 'rollingUpdate', 'maxSurge') ?? '25%';
  const percentage = /^(\d+)%$/.exec(text);
  const number = numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? Math.ceil(replicas * Number(percentage?.[1] ?? 0) / 100);
  const surge = stringAt(strategy, 'type') === 'Recreate' || replicas === 0 ? 0 : number;
  return { count: replicas + surge, reckoning: surge > 0 ? `(${replicas} + ${surge} in a rollout)` : `${replicas}` };
}
