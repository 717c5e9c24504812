import { HOST_LABEL, HOST_UID, machineTemplateText, METAL3_API_VERSION, METAL3_CLUSTER, METAL3_MACHINE_TEMPLATE } from './metal3-kinds';
import {
  clusterOfOwner, clusterYaml, documents, fieldAt, groupKind, isFields, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT,
  ManifestIndex, ManifestObject, ManifestRule, partOf, poolYaml, providerYaml, referencesOf, referrersOf, replaced, stringAt, surges,
  TEMPLATE_FIELDS, templateYaml,
} from '../../rules/contract';

const CLUSTER_TEXT = documents(
  clusterYaml('infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: acme}'),
  providerYaml(METAL3_API_VERSION, 'Metal3Cluster', 'cloudProviderEnabled: false\ncontrolPlaneEndpoint: {host: 192.0.2.10, port: 6443}\n'),
);

const POOL_TEXT = poolYaml({
  spec: 'replicas: 3\nrollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}}',
  template: 'Metal3MachineTemplate',
});

const CONFIG_TEXT = templateYaml('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', (
  `joinConfiguration: {nodeRegistration: {kubeletExtraArgs: [{name: node-labels, value: '${HOST_LABEL}=${HOST_UID}'}]}}\n`), 'acme-general');

const NODE_LABEL: ManifestRule = {
  id: 'TC-TRAP-METAL3-NODE-LABEL',
  title: `Nodes on machines of Metal3 must have the label ${HOST_LABEL}, unless a cloud provider sets their provider ID: the machines never become ready otherwise.`,
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (SetProviderIDFromNodeLabel), docs/deployment_workflow.md',
  trap: true,
  kinds: [KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE],
  example: replaced(documents(CLUSTER_TEXT, POOL_TEXT, CONFIG_TEXT, machineTemplateText('', 'acme-general')), `${HOST_LABEL}=${HOST_UID}`, 'example.com/rack=r1'),
  check: (object, index) => {
    const isControlPlane = groupKind(object) === KUBEADM_CONTROL_PLANE;
    const owners = isControlPlane ? [object] : referrersOf(object, index, MACHINE_DEPLOYMENT).map((referrer) => referrer.object);
    // Files and commands of the configuration may set the label, too.
    const path = isControlPlane ? ['spec', 'kubeadmConfigSpec'] : TEMPLATE_FIELDS;
    if (!isFields(fieldAt(object, ...path)) || labelsOf(object).some((label) => /uuid\b.*(?:uuid|instance[-_]id)|\$/i.test(label))) return [];
    return !owners.some((owner) => needsLabel(owner, index)) ? [] : [{
      path: [...path, 'joinConfiguration'],
      message: `the kubelets do not label their nodes with ${HOST_LABEL}, by which the provider finds the node of a machine`,
      fix: `write node-labels: ${HOST_LABEL}=${HOST_UID} into kubeletExtraArgs of nodeRegistration, for the first control plane machine and for those that join`,
    }];
  },
};

/** The labels of nodes with the UID of their host, wherever a machine states them. */
function labelsOf(object: ManifestObject): string[] {
  return Array.from(JSON.stringify(object).matchAll(/metal3\.io\/uuid\s*[=:](?:[^,"\\]|\\")*/g), ([label]) => label);
}

/** True if the machines of a pool or control plane are Metal3's, and no cloud provider sets the provider ID of their nodes. */
function needsLabel(owner: ManifestObject, index: ManifestIndex): boolean {
  if (!referencesOf(owner).some(({ reference }) => reference.kind === METAL3_MACHINE_TEMPLATE)) return false;
  const cluster = clusterOfOwner(owner, index);
  const infrastructure = cluster && partOf(cluster, 'infrastructureRef', index);
  if (!infrastructure || groupKind(infrastructure) !== METAL3_CLUSTER) return false;
  return fieldAt(infrastructure, 'spec', 'cloudProviderEnabled') !== true && fieldAt(infrastructure, 'spec', 'noCloudProvider') !== false;
}

const NODE_REUSE: ManifestRule = {
  id: 'TC-TRAP-METAL3-NODE-REUSE',
  title: 'Hosts are reused only if a machine is removed before the next one is made: maxSurge must be 0.',
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (chooseHost), metal3-io/metal3-docs docs/user-guide/src/capm3/node_reuse.md',
  trap: true,
  warning: true,
  kinds: [METAL3_MACHINE_TEMPLATE],
  example: replaced(documents(POOL_TEXT, machineTemplateText('', 'acme-general').replace('spec:\n', 'spec:\n  nodeReuse: true\n')), 'maxSurge: 0', 'maxSurge: 1'),
  check: (object, index) => {
    if (fieldAt(object, 'spec', 'nodeReuse') !== true) return [];
    return referrersOf(object, index, MACHINE_DEPLOYMENT, KUBEADM_CONTROL_PLANE).map((referrer) => referrer.object).filter(surges).map((owner) => ({
      path: ['spec', 'nodeReuse'],
      message: `the rollout of ${stringAt(owner, 'metadata', 'name') ?? 'the machines'} makes a machine before it removes one, which takes another host`,
      fix: groupKind(owner) === KUBEADM_CONTROL_PLANE ? 'write maxSurge 0 into its rollout strategy, with three machines or more' : 'write maxSurge 0 and maxUnavailable 1 into its rollout strategy',
    }));
  },
};

/** Rules of nodes on machines of Metal3. */
export const METAL3_NODES: readonly ManifestRule[] = [NODE_LABEL, NODE_REUSE];
