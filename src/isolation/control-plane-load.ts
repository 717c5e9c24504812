import { Manifest, numberAt, textAt, valueAt } from './manifest-fields';
import { containerOf, containersOf, PodLoad } from './pod-load';
import { NANO } from '../kubernetes/quantity';

/** Where a `KamajiControlPlane` says what a container asks for; those marked are there only if the object speaks of them. */
const CONTAINERS: readonly (readonly [name: string, path: readonly string[], optional: boolean])[] = [
  ['kube-apiserver', ['apiServer', 'resources'], false],
  ['kube-controller-manager', ['controllerManager', 'resources'], false],
  ['kube-scheduler', ['scheduler', 'resources'], false],
  ['konnectivity-server', ['addons', 'konnectivity', 'server', 'resources'], true],
  ['kine', ['kine', 'resources'], true],
];

/** What a control plane that Kamaji hosts counts for while it is rolled. */
export function kamajiLoad(controlPlane: Manifest): PodLoad {
  const spec = valueAt(controlPlane, 'spec');
  const containers = CONTAINERS.filter(([, path, optional]) => !optional || valueAt(spec, ...path.slice(0, -1)) !== undefined)
    .map(([name, path]) => containerOf(name, valueAt(spec, ...path)));
  return {
    what: 'pods of the control plane',
    ...replicasOf(spec, valueAt(spec, 'deployment', 'strategy')),
    containers: [...containers, ...containersOf(valueAt(spec, 'deployment'), 'extraContainers')],
    initContainers: containersOf(valueAt(spec, 'deployment'), 'extraInitContainers'),
    besides: { 'pods': NANO, 'count/pods': NANO },
  };
}

/** What a controller of the cluster counts for while it is rolled. */
export function deploymentLoad(deployment: Manifest): PodLoad {
  const spec = valueAt(deployment, 'spec');
  const pod = valueAt(spec, 'template', 'spec');
  return {
    what: `pods of the Deployment ${textAt(deployment, 'metadata', 'name')}`,
    ...replicasOf(spec, valueAt(spec, 'strategy')),
    containers: containersOf(pod, 'containers'),
    initContainers: containersOf(pod, 'initContainers'),
    besides: { 'pods': NANO, 'count/pods': NANO },
  };
}

/** Deployments round percentages of a surge up; without a word they surge by a quarter. */
function replicasOf(spec: unknown, strategy: unknown): Pick<PodLoad, 'count' | 'reckoning'> {
  const replicas = numberAt(spec, 'replicas') ?? 1;
  const text = textAt(strategy, 'rollingUpdate', 'maxSurge') || '25%';
  const percentage = /^(\d+)%$/.exec(text);
  const number = numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? Math.ceil(replicas * Number(percentage?.[1] ?? 0) / 100);
  const surge = textAt(strategy, 'type') === 'Recreate' || replicas === 0 ? 0 : number;
  return { count: replicas + surge, reckoning: surge > 0 ? `(${replicas} + ${surge} in a rollout)` : `${replicas}` };
}
