import { groupKind, ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_SET } from '../../rules/cluster-api/cluster-api-kinds';
import { documents, replaced } from '../../rules/example-text';
import { checkDuration } from '../../rules/go-durations';
import { ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { clusterOfOwner, machineOwners, partOf, referencesOf, referrersOf } from '../../rules/references/object-references';
import { fieldAt, FieldPath, isFields, isSet, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const SOURCES = 'kubernetes-sigs/cluster-api test/infrastructure/docker/internal';
const CLUSTER = `${GROUP}/DevCluster`;
const CLUSTER_TEMPLATE = `${GROUP}/DevClusterTemplate`;
const MACHINE = `${GROUP}/DevMachine`;
const MACHINE_TEMPLATE = `${GROUP}/DevMachineTemplate`;
const CONTAINER_TEMPLATE = `${GROUP}/DockerMachineTemplate`;

const CLUSTER_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: acme}
`;
const DEV_CLUSTER_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DevCluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  controlPlaneEndpoint: {port: 6443}
  backend:
    docker:
      failureDomains:
      - name: fd1
        controlPlane: true
      - name: fd2
        controlPlane: true
`;
const POOL_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: acme-general
  namespace: tenant-acme
spec:
  clusterName: acme
  selector: {matchLabels: {cluster.x-k8s.io/deployment-name: acme-general}}
  template:
    metadata: {labels: {cluster.x-k8s.io/deployment-name: acme-general}}
    spec:
      clusterName: acme
      version: v1.36.4
      bootstrap:
        configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: acme-general}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: acme-general}
`;
const CONTAINER_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DevMachineTemplate
metadata:
  name: acme-general
  namespace: tenant-acme
spec:
  template:
    spec:
      backend:
        docker: {bootstrapTimeout: 10m0s}
`;
const MEMORY_TEXT = CONTAINER_TEXT.replace('docker: {bootstrapTimeout: 10m0s}', 'inMemory: {vm: {provisioning: {startupDuration: 10s, startupJitter: "0.2"}}}');
const BOOTSTRAP_TEXT = `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: acme-general
  namespace: tenant-acme
spec:
  template:
    spec:
      preKubeadmCommands: [echo ready]
`;

const failureDomains: ManifestRule = {
  id: 'TC-ADMIT-DEV-FAILURE-DOMAINS',
  title: 'Failure domains of a DevCluster must be in the order of their names.',
  source: `${SOURCES}/webhooks/devcluster.go (validateDevClusterSpec)`,
  kinds: [CLUSTER, CLUSTER_TEMPLATE],
  example: replaced(DEV_CLUSTER_TEXT, '- name: fd1', '- name: fd9'),
  check: (object) => {
    const path = [...specPath(object), 'backend', 'docker', 'failureDomains'];
    const names = objectsAt(object, ...path).map(([domain]) => stringAt(domain, 'name') ?? '');
    const sorted = [...names].sort();
    return names.every((name, index) => name === sorted[index]) ? [] : [{
      path, message: `${names.join(', ')} is not the order of the names`, accepted: sorted.join(', '), fix: 'sort them by name',
    }];
  },
};

const durations: ManifestRule = {
  id: 'TC-ADMIT-DEV-DURATION',
  title: 'Times of a DevMachine must be durations as Go writes them.',
  source: `${SOURCES}/webhooks/devmachine.go, kubernetes/apimachinery pkg/apis/meta/v1/duration.go`,
  kinds: [MACHINE, MACHINE_TEMPLATE],
  example: replaced(CONTAINER_TEXT, '10m0s', '"10"'),
  check: (object) => [
    [...specPath(object), 'backend', 'docker', 'bootstrapTimeout'],
    ...startups(object).map((path) => [...path, 'startupDuration']),
  ].flatMap((path) => checkDuration(object, path)),
};

const jitter: ManifestRule = {
  id: 'TC-TRAP-DEV-JITTER',
  title: 'The jitter of a machine in memory must be a number: with another string the machine never comes up.',
  source: `${SOURCES}/controllers/backends/inmemory/inmemorymachine_backend.go (startupJitter)`,
  kinds: [MACHINE, MACHINE_TEMPLATE],
  trap: true,
  example: replaced(MEMORY_TEXT, 'startupJitter: "0.2"', 'startupJitter: 20%'),
  check: (object) => startups(object).flatMap((path): Finding[] => {
    const text = stringAt(object, ...path, 'startupJitter') ?? '';
    return text === '' || /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? [] : [{
      path: [...path, 'startupJitter'], message: `${JSON.stringify(text)} is no number`, accepted: 'a decimal number, such as "0.2"', fix: 'write the share as a decimal number',
    }];
  }),
};

const backends: ManifestRule = {
  id: 'TC-TRAP-DEV-BACKEND',
  title: 'A DevCluster and its DevMachines must have the same backend: otherwise no machine comes up.',
  source: `${SOURCES}/controllers/backends (ReconcileNormal of docker and inmemory)`,
  kinds: [MACHINE_TEMPLATE],
  trap: true,
  example: {
    failing: documents(CLUSTER_TEXT, DEV_CLUSTER_TEXT, POOL_TEXT, BOOTSTRAP_TEXT, MEMORY_TEXT),
    corrected: documents(CLUSTER_TEXT, DEV_CLUSTER_TEXT, POOL_TEXT, BOOTSTRAP_TEXT, CONTAINER_TEXT),
  },
  check: (object, index) => {
    const own = backendOf(object);
    const others = new Set(clustersOf(object, index).map(backendOf).filter((backend) => backend !== own));
    return [...others].map((backend) => ({
      path: [...specPath(object), 'backend'],
      message: `the backend of the machines is ${own}, and that of their cluster ${backend}`,
      accepted: backend,
      fix: 'give both the same backend',
    }));
  },
};

/** Fields of a bootstrap configuration that become modules of cloud-init other than files and commands. */
const MODULES: readonly string[] = ['bootCommands', 'diskSetup', 'mounts', 'ntp', 'users'];

/** Beginning of an expression that cloud-init fills with instance data. */
const INSTANCE_DATA = /\{\{-?\s*(ds|v1)\./;

const cloudInit: ManifestRule = {
  id: 'TC-TRAP-DEV-CLOUD-INIT',
  title: 'Containers of the development provider must be bootstrapped by files and commands alone, without instance data: any other part of cloud-init fails.',
  source: `${SOURCES}/provisioning/cloudinit (adapter.go, unknown.go)`,
  kinds: [KUBEADM_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE],
  trap: true,
  example: replaced(BOOTSTRAP_TEXT, 'preKubeadmCommands: [echo ready]', 'users: [{name: admin}]', POOL_TEXT, CONTAINER_TEXT),
  check: (object, index) => {
    const path = groupKind(object) === KUBEADM_CONTROL_PLANE ? ['spec', 'kubeadmConfigSpec'] : ['spec', 'template', 'spec'];
    const fields = fieldAt(object, ...path);
    if (!isFields(fields) || stringAt(fields, 'format') === 'ignition' || !runsContainers(object, index)) return [];
    return [
      ...MODULES.filter((name) => isSet(fields, name)).map((name) => ({
        path: [...path, name], message: 'the provider runs files and commands only, and stops at this', fix: 'remove it, or write a file and a command in preKubeadmCommands',
      })),
      ...Object.entries(fields).filter(([, value]) => INSTANCE_DATA.test(JSON.stringify(value))).map(([name]) => ({
        path: [...path, name], message: 'the provider does not fill in instance data, so that the expression stays as it is', fix: 'remove the expression: a node has the name of its container',
      })),
    ];
  },
};

/** Facts of Cluster API's development provider that its table cannot hold. */
export const DEV_FACTS: Partial<Provider> = {
  rules: [failureDomains, durations, jitter, backends, cloudInit],
  controllerFields: {
    [CLUSTER]: [{
      field: 'metadata.annotations["inmemorycluster.infrastructure.cluster.x-k8s.io/listener"]',
      holds: 'the API server in memory',
      source: 'kubernetes-sigs/cluster-api test/infrastructure/docker/api/v1beta2/devcluster_types.go (ListenerAnnotationName)',
    }],
  },
  templateWords: {
    [MACHINE_TEMPLATE]: {
      'template.spec.backend.docker.customImage': 'image',
      'template.spec.backend.docker.bootstrapTimeout': 'bootstrap timeout',
      'template.spec.backend': 'machine',
    },
    [CONTAINER_TEMPLATE]: { 'template.spec.customImage': 'image', 'template.spec': 'machine' },
  },
};

function specPath(object: ManifestObject): FieldPath {
  return String(object.kind).endsWith('Template') ? ['spec', 'template', 'spec'] : ['spec'];
}

/** Paths of the times of a machine in memory. */
function startups(object: ManifestObject): FieldPath[] {
  return ['vm', 'node', 'apiServer', 'etcd'].map((part) => [...specPath(object), 'backend', 'inMemory', part, 'provisioning']);
}

/** The backend that the controllers choose, which is Docker where none is set. */
function backendOf(object: ManifestObject): string {
  return isSet(object, ...specPath(object), 'backend', 'inMemory') ? 'inMemory' : 'docker';
}

/** The DevClusters of the machines of a template, and the templates of those in the classes that have it. */
function clustersOf(template: ManifestObject, index: ManifestIndex): ManifestObject[] {
  const owned = machineOwners(template, index).map((owner) => clusterOfOwner(owner, index)).map((cluster) => cluster && partOf(cluster, 'infrastructureRef', index));
  const classes = referrersOf(template, index, CLUSTER_CLASS).flatMap(({ object }) => referencesOf(object)
    .filter(({ reference }) => reference.kind === CLUSTER_TEMPLATE)
    .map(({ reference }) => index.find(reference.kind, reference.namespace ?? namespaceOf(object), reference.name)));
  return [...owned, ...classes].filter((one): one is ManifestObject => one !== undefined && [CLUSTER, CLUSTER_TEMPLATE].includes(groupKind(one)));
}

/** True if machines with a bootstrap configuration are containers of the provider. */
function runsContainers(object: ManifestObject, index: ManifestIndex): boolean {
  const owners = groupKind(object) === KUBEADM_CONTROL_PLANE ? [object]
    : referrersOf(object, index, MACHINE_DEPLOYMENT, MACHINE_SET).map((referrer) => referrer.object);
  return owners.some((owner) => referencesOf(owner).some(({ reference: { kind, name, namespace } }) => {
    if (kind === CONTAINER_TEMPLATE) return true;
    const template = kind === MACHINE_TEMPLATE && index.find(kind, namespace ?? namespaceOf(owner), name);
    return template && backendOf(template) === 'docker';
  }));
}
