import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { Fields } from '../../../src/manifests/values/fields';
import { objectsOf } from '../plan/page';
import { Random } from '../random';

/** The objects of a cluster in two states that differ in the control plane. */
export interface ControlPlanePair {
  readonly id: string;
  readonly words: string;
  readonly old: readonly ManifestObject[];
  readonly new: readonly ManifestObject[];
}

type Objects = readonly any[];
type Change = readonly [name: string, make: (objects: Objects) => void];

const KIND = 'KamajiControlPlane';

/** The object of a kind. */
export function objectOf(objects: Objects, kind: string): any {
  return objects.find((object) => object.kind === kind);
}

/** A field of the control plane, by its path below `spec`, that gets a value; none takes it away. */
function field(path: string, value?: unknown): Change {
  return [path, (objects) => {
    const names = path.split('.');
    const last = names.pop()!;
    let place = objectOf(objects, KIND).spec;
    for (const name of names) place = place[name] ??= {};
    if (value === undefined) delete place[last];
    else place[last] = value;
  }];
}

function metadata(name: 'labels' | 'annotations'): Change {
  return [name, (objects) => {
    const own = objectOf(objects, KIND).metadata;
    own[name] = { ...own[name] as Fields, 'example.com/team': 'a' };
  }];
}

const container = [{ name: 'proxy', image: 'registry.example.com/proxy:1.2.3' }];
const requests = { requests: { cpu: '70m' } };

/**
 * A change of each field that the provider passes on to Kamaji, but for data stores and kine: pods are replaced when the state has moved, which
 * takes jobs that run.
 */
const CHANGES: readonly Change[] = [
  field('version', 'v1.34.9'),
  ['version without v', (objects) => { objectOf(objects, KIND).spec.version = objectOf(objects, KIND).spec.version.replace('v', ''); }],
  field('replicas', 3), field('replicas', 1),
  ...['apiServer', 'controllerManager', 'scheduler'].flatMap((part) => [
    field(`${part}.extraArgs`, ['--v=3']), field(`${part}.resources`, requests), field(`${part}.containerImageName`, 'other'),
    field(`${part}.extraVolumeMounts`, [{ name: 'a', mountPath: '/a' }]),
  ]),
  field('registry', 'registry.example.com'),
  field('admissionControllers', ['NodeRestriction', 'AlwaysPullImages']),
  field('network.certSANs', ['a.example.com']), field('network.certSANs', ['a.example.com', '192.0.2.7']), field('network.certSANs'),
  field('network.dnsServiceIPs', ['10.95.0.99']), field('network.serviceAnnotations', { a: 'b' }), field('network.serviceLabels', { a: 'b' }),
  field('network.advertiseAddress', '192.0.2.8'), field('network.loadBalancerConfig', { loadBalancerClass: 'a' }),
  field('network.ingress', { className: 'nginx', hostname: 'x.example.com:443' }), field('network.ingress'),
  field('network.gateway', { name: 'gateway', namespace: 'gateways', hostname: 'a.example.com' }), field('network.gateway'),
  field('addons.konnectivity'), field('addons.konnectivity.agent', { version: 'v0.1.2', image: 'registry.example.com/agent' }),
  field('addons.konnectivity.server', { port: 8132, version: 'v0.1.2', image: 'registry.example.com/server' }),
  field('addons.konnectivity.server.resources', requests), field('addons.konnectivity.server.extraArgs', ['--v=4']),
  field('addons.coreDNS', { imageTag: 'v1.2.3' }), field('addons.kubeProxy', { imageTag: 'v1.2.3' }), field('addons.kubeProxy'),
  field('kubelet.cgroupfs', 'cgroupfs'), field('kubelet.preferredAddressTypes', ['Hostname']),
  field('deployment.nodeSelector', { a: 'b' }), field('deployment.tolerations', [{ operator: 'Exists' }]),
  field('deployment.affinity', { nodeAffinity: {} }), field('deployment.runtimeClassName', 'gvisor'),
  field('deployment.topologySpreadConstraints', [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }]),
  field('deployment.additionalMetadata', { labels: { a: 'b' } }), field('deployment.podAdditionalMetadata', { labels: { a: 'b' } }),
  field('deployment.strategy', { type: 'Recreate' }), field('deployment.serviceAccountName', 'other'),
  field('deployment.extraContainers', container), field('deployment.extraInitContainers', container),
  field('deployment.extraVolumes', [{ name: 'a', emptyDir: {} }]), field('deployment.probes', { liveness: { periodSeconds: 33 } }),
  metadata('labels'), metadata('annotations'),
];

/**
 * Each change alone, and states that some changes led to, with some more.
 *
 * @param seed makes other pairs
 * @param count how many are drawn at random
 */
export function controlPlanePairs(seed: number, count: number): ControlPlanePair[] {
  const drawn = Array.from({ length: count }, (_, number) => {
    const random = new Random(`${seed}/kamaji/${number}`);
    const some = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(CHANGES));
    return pairOf(`random-${number}`, some(), some());
  });
  return [...CHANGES.map((change, number) => pairOf(`${number}`, [], [change])), ...drawn];
}

function pairOf(id: string, first: readonly Change[], then: readonly Change[]): ControlPlanePair {
  const old = copied(objectsOf({ kind: 'kamaji', pools: {} }, 'tenants'));
  first.forEach(([, make]) => make(old));
  const later = copied(old);
  then.forEach(([, make]) => make(later));
  const words = [first, then].map((changes) => changes.map(([name]) => name).join(', ')).filter((names) => names !== '').join('; then ');
  return { id: `kamaji:${id}`, words, old, new: later };
}

function copied(objects: Objects): any[] {
  return JSON.parse(JSON.stringify(objects)) as any[];
}
