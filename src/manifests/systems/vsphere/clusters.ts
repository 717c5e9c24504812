import { VSPHERE_API_VERSION, VSPHERE_CLUSTER, VSPHERE_FAILURE_DOMAIN } from './vsphere-objects';
import {
  clusterOnMachines, documents, Finding, isFilled, isSet, isV1beta1, listAt, ManifestRule, nameOf, namespaceOf, objectsAt, partsYaml, providerYaml,
  replaced, stringAt,
} from '../../rules/contract';

const CLUSTER_TEXT = providerYaml(VSPHERE_API_VERSION, 'VSphereCluster', 'server: vcenter.example.com\nidentityRef: {kind: Secret, name: acme-vsphere}\n');

const DOMAIN_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereFailureDomain
metadata:
  name: room-1
spec:
  region: {name: dc1, type: Datacenter, tagCategory: k8s-region}
  zone: {name: room-1, type: ComputeCluster, tagCategory: k8s-zone}
  topology:
    datacenter: dc1
    computeCluster: cluster-1
`;

const identity: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-IDENTITY',
  title: 'A Secret with credentials must be of one VSphereCluster: the provider makes the cluster its owner, refuses others, and deletes the Secret with the cluster.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere controllers/vspherecluster_reconciler.go (reconcileIdentitySecret)',
  kinds: [VSPHERE_CLUSTER],
  trap: true,
  example: {
    failing: documents(CLUSTER_TEXT, CLUSTER_TEXT.replace('name: acme\n', 'name: other\n')),
    corrected: documents(CLUSTER_TEXT, CLUSTER_TEXT.replace('name: acme\n', 'name: other\n').replace('acme-vsphere', 'other-vsphere')),
  },
  check: (object, index) => {
    const secret = secretOf(object);
    // The first cluster by name keeps it.
    const other = secret === undefined ? undefined : index.all(VSPHERE_CLUSTER)
      .find((cluster) => namespaceOf(cluster) === namespaceOf(object) && secretOf(cluster) === secret && (nameOf(cluster) ?? '') < (nameOf(object) ?? ''));
    return other ? [{
      path: ['spec', 'identityRef', 'name'], message: `the Secret "${secret}" is that of the cluster "${nameOf(other)}"`, fix: 'give each cluster a Secret of its own, or refer to a VSphereClusterIdentity',
    }] : [];
  },
};

/** The Secret that only this cluster may use. */
function secretOf(cluster: object): string | undefined {
  return stringAt(cluster, 'spec', 'identityRef', 'kind') === 'Secret' ? stringAt(cluster, 'spec', 'identityRef', 'name') : undefined;
}

const failureDomain: ManifestRule = {
  id: 'TC-ADMIT-VSPHERE-FAILURE-DOMAIN',
  title: 'A VSphereFailureDomain must name what its region and zone are: a compute cluster, or a group of hosts in one; a region is no group of hosts.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere internal/webhooks/vspherefailuredomain.go',
  kinds: [VSPHERE_FAILURE_DOMAIN],
  example: replaced(DOMAIN_TEXT, '    computeCluster: cluster-1\n', ''),
  check: (object) => {
    const topology = ['spec', 'topology'];
    const [region, zone] = ['region', 'zone'].map((field) => stringAt(object, 'spec', field, 'type'));
    const hasCluster = stringAt(object, ...topology, 'computeCluster') !== undefined;
    const hasHosts = isFilled(object, ...topology, 'hosts');
    const wantsCluster = [region === 'ComputeCluster' ? 'the region' : undefined, zone === 'ComputeCluster' ? 'the zone' : undefined, hasHosts ? 'a group of hosts' : undefined]
      .find((what) => what !== undefined);
    const findings: (Finding | undefined)[] = [
      region === 'HostGroup' ? { path: ['spec', 'region', 'type'], message: 'a region is no group of hosts', accepted: 'Datacenter, ComputeCluster', fix: 'make the zone the group of hosts' } : undefined,
      zone === 'HostGroup' && !hasHosts ? { path: [...topology, 'hosts'], message: 'the zone is a group of hosts, and none is named', fix: 'set hosts to the groups of hosts and of virtual machines' } : undefined,
      wantsCluster !== undefined && !hasCluster ? { path: [...topology, 'computeCluster'], message: `${wantsCluster} needs a compute cluster, and none is named`, fix: 'set computeCluster' } : undefined,
      listAt(object, ...topology, 'networks').length > 0 && listAt(object, ...topology, 'networkConfigurations').length > 0
        ? { path: [...topology, 'networks'], message: 'networkConfigurations names the networks already', fix: 'keep one of both' } : undefined,
    ];
    const unnamed = objectsAt(object, ...topology, 'networkConfigurations').filter(([{ networkName }]) => networkName === '').map(([, index]) => ({
      path: [...topology, 'networkConfigurations', index, 'networkName'], message: 'the network has no name', fix: 'write the name of the network',
    }));
    // The definition of v1beta2 refuses an empty name.
    return isSet(object, ...topology) ? [...findings.filter((finding) => finding !== undefined), ...isV1beta1(object) ? unnamed : []] : [];
  },
};

const PARTS_TEXT = partsYaml('KubeadmControlPlane', 'VSphereCluster');

const endpoint: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-ENDPOINT',
  title: 'A VSphereCluster whose control plane is on machines must state its endpoint: the provider makes none, and no machine is set up without it.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/internal/controllers/controller.go (reconcile), '
    + 'kubernetes-sigs/cluster-api-provider-vsphere controllers/vspherecluster_reconciler.go',
  kinds: [VSPHERE_CLUSTER],
  trap: true,
  example: {
    failing: documents(CLUSTER_TEXT, PARTS_TEXT),
    corrected: documents(`${CLUSTER_TEXT}  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}\n`, PARTS_TEXT),
  },
  check: (object, index) => {
    const cluster = clusterOnMachines(object, index);
    return !cluster || !isSet(object, 'spec') || [cluster, object].some((one) => stringAt(one, 'spec', 'controlPlaneEndpoint', 'host') !== undefined) ? [] : [{
      path: ['spec', 'controlPlaneEndpoint'],
      message: 'it has no address of the API server, and the provider makes none',
      fix: 'write the address of kube-vip or of your load balancer, with port 6443',
    }];
  },
};

/** Rules over clusters and failure domains. */
export const VSPHERE_CLUSTER_RULES: readonly ManifestRule[] = [identity, endpoint, failureDomain];
