/** Rules of this example for manifests of Talos' providers. The library knows the effects of their changes. */
import {
  type FieldPath, type Finding, groupKind, type ManifestRule, numberAt, type Provider, providerYaml, referrersOf, replaced, stringAt,
  TEMPLATE_FIELDS as MACHINE,
} from 'cdk8s-cluster-api/manifests';

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/TalosControlPlane';
const CONFIG_TEMPLATE = 'bootstrap.cluster.x-k8s.io/TalosConfigTemplate';

const CONTROL_PLANE_TEXT = providerYaml('controlplane.cluster.x-k8s.io/v1alpha3', 'TalosControlPlane', `version: v1.35.4
replicas: 3
infrastructureTemplate: {}
controlPlaneConfig: {controlplane: {generateType: controlplane, talosVersion: v1.12}}
`);

const REPLICAS: ManifestRule = {
  id: 'ACME-TALOS-REPLICAS',
  title: 'A control plane must have an odd number of machines: they are the members of etcd.',
  source: 'siderolabs/cluster-api-control-plane-provider-talos api/v1alpha3/taloscontrolplane_types.go (replicas)',
  kinds: [CONTROL_PLANE],
  trap: true,
  example: replaced(CONTROL_PLANE_TEXT, 'replicas: 3', 'replicas: 2'),
  check: (object) => {
    const replicas = numberAt(object, 'spec', 'replicas') ?? 1;
    return replicas % 2 !== 0 || !Number.isInteger(replicas) ? [] : [{ path: ['spec', 'replicas'], message: `${replicas} is not odd`, fix: `write ${replicas + 1}` }];
  },
};

/** Minor versions of Kubernetes that releases of Talos run, the first and the last. */
const KUBERNETES: Readonly<Record<string, readonly [first: number, last: number]>> = { '1.10': [28, 33], '1.11': [29, 34], '1.12': [30, 35], '1.13': [31, 36] };

/** Finds a version of Kubernetes that a release of Talos does not run. Of releases that are not in the table nothing is known. */
function outOfRange(talos: string | undefined, kubernetes: string | undefined, path: FieldPath): Finding[] {
  const [, release] = /^v?(1\.\d+)(?:\.|$)/.exec(talos ?? '') ?? [];
  const [, minor] = /^v?1\.(\d+)\./.exec(kubernetes ?? '') ?? [];
  if (minor === undefined || release === undefined || !Object.hasOwn(KUBERNETES, release)) return [];
  const [first, last] = KUBERNETES[release];
  return Number(minor) >= first && Number(minor) <= last ? [] : [{
    path, message: `Talos ${release} does not run Kubernetes ${kubernetes}`, accepted: `1.${first} to 1.${last}`, fix: 'choose versions that fit, and an image of that Talos',
  }];
}

const VERSIONS: ManifestRule = {
  id: 'ACME-TALOS-KUBERNETES',
  title: 'The release of Talos must run the version of Kubernetes of its machines.',
  source: 'siderolabs/talos pkg/machinery/compatibility/kubernetes_version.go (SupportedWith)',
  kinds: [CONTROL_PLANE, CONFIG_TEMPLATE],
  trap: true,
  example: replaced(CONTROL_PLANE_TEXT, 'talosVersion: v1.12', 'talosVersion: v1.11'),
  check: (object, index) => {
    if (groupKind(object) === CONTROL_PLANE) {
      const configs = ['controlplane', 'init'].map((name): FieldPath => ['spec', 'controlPlaneConfig', name, 'talosVersion']);
      return configs.flatMap((path) => outOfRange(stringAt(object, ...path), stringAt(object, 'spec', 'version'), path));
    }
    const versions = new Set(referrersOf(object, index).map(({ object: pool }) => stringAt(pool, ...MACHINE, 'version')));
    return [...versions].flatMap((version) => outOfRange(stringAt(object, ...MACHINE, 'talosVersion'), version, [...MACHINE, 'talosVersion']));
  },
};

/** Cluster API's providers for Talos Linux. */
export const TALOS: Provider = { name: 'talos', title: 'Talos Linux', kinds: [], rules: [REPLICAS, VERSIONS] };
