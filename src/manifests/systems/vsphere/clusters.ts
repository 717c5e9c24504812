import {
  VSPHERE_API_VERSION, VSPHERE_CLUSTER, VSPHERE_CLUSTER_IDENTITY, VSPHERE_DEPLOYMENT_ZONE, VSPHERE_FAILURE_DOMAIN, VSPHERE_MACHINE_TEMPLATE,
} from './vsphere-objects';
import {
  clusterOnMachines, documents, fieldAt, Finding, groupKind, isFields, isFilled, isSet, isV1beta1, listAt, MACHINE_DEPLOYMENT, ManifestObject,
  ManifestRule, missing, nameOf, namespaceOf, objectsAt, partsYaml, providerYaml, referencesOf, replaced, selectsLabels, specPath, stringAt,
  TEMPLATE_FIELDS,
} from '../../rules/contract';

const CLUSTER_TEXT = providerYaml(VSPHERE_API_VERSION, 'VSphereCluster', 'server: vcenter.example.com\nidentityRef: {kind: Secret, name: acme-vsphere}\n');

const DOMAIN_TEXT = providerYaml(VSPHERE_API_VERSION, 'VSphereFailureDomain', `region: {name: dc1, type: Datacenter, tagCategory: k8s-region}
zone: {name: room-1, type: ComputeCluster, tagCategory: k8s-zone}
topology:
  datacenter: dc1
  computeCluster: cluster-1
`, 'room-1', '');

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

/** A thumbprint as govmomi writes it: of SHA-1 or of SHA-256. */
const THUMBPRINT = /^(?:[0-9A-F]{2}:){19}(?:(?:[0-9A-F]{2}:){12})?[0-9A-F]{2}$/;
const PRINT = `thumbprint: ${Array.from({ length: 20 }, (_, index) => `A${index % 10}`).join(':')}\n`;

const thumbprint: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-THUMBPRINT',
  title: 'A thumbprint must be the SHA-1 or SHA-256 of the certificate, as pairs of capital hexadecimal digits with colons: no other string is equal to it, and the provider does not connect.',
  source: 'vmware/govmomi v0.53.0 vim25/soap/client.go (thumbprintMatches), kubernetes-sigs/cluster-api-provider-vsphere pkg/session/session.go (newClient)',
  kinds: [VSPHERE_CLUSTER, VSPHERE_MACHINE_TEMPLATE],
  trap: true,
  example: { failing: `${CLUSTER_TEXT}  ${PRINT.toLowerCase()}`, corrected: `${CLUSTER_TEXT}  ${PRINT}` },
  check: (object) => {
    const path = [...specPath(object), 'thumbprint'];
    const text = stringAt(object, ...path);
    return text === undefined || THUMBPRINT.test(text) ? [] : [{
      path, message: `${JSON.stringify(text)} is no thumbprint`, accepted: '20 or 32 pairs of capital hexadecimal digits with colons between them', fix: 'write what openssl x509 -fingerprint prints behind the equals sign',
    }];
  },
};

const IDENTITY_TEXT = providerYaml(VSPHERE_API_VERSION, 'VSphereClusterIdentity', `secretName: tenants
allowedNamespaces: {selector: {matchLabels: {tenants: 'true'}}}
`, 'tenants', '');
const NAMESPACE_TEXT = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: tenant-acme\n  labels: {tenants: \'true\'}\n';

const clusterIdentity: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-CLUSTER-IDENTITY',
  title: 'The VSphereClusterIdentity of a cluster must exist, and allow the namespace of the cluster: the provider does not connect otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere pkg/identity/identity.go (GetCredentials)',
  kinds: [VSPHERE_CLUSTER],
  trap: true,
  elsewhere: true,
  example: replaced(documents(
    CLUSTER_TEXT.replace('{kind: Secret, name: acme-vsphere}', '{kind: VSphereClusterIdentity, name: tenants}'), IDENTITY_TEXT, NAMESPACE_TEXT,
  ), 'labels: {tenants: \'true\'}', 'labels: {tenants: \'false\'}'),
  check: (object, index) => {
    const path = ['spec', 'identityRef', 'name'];
    const name = stringAt(object, ...path);
    if (name === undefined || fieldAt(object, 'spec', 'identityRef', 'kind') !== 'VSphereClusterIdentity') return [];
    const found = index.find(VSPHERE_CLUSTER_IDENTITY, undefined, name);
    if (!found) return missing(object, index, { kind: VSPHERE_CLUSTER_IDENTITY, name, path, clusterScoped: true });
    const namespace = namespaceOf(object);
    const labels = fieldAt(index.find('/Namespace', undefined, namespace), 'metadata', 'labels');
    const allowed = fieldAt(found, 'spec', 'allowedNamespaces');
    const isAllowed = isFields(allowed) && (!isFields(labels) || selectsLabels(fieldAt(allowed, 'selector'), { 'kubernetes.io/metadata.name': namespace, ...labels }));
    return isAllowed ? [] : [{ path, message: `the VSphereClusterIdentity "${name}" does not allow the namespace "${namespace}"`, fix: 'label the namespace as its allowedNamespaces select it, or correct them' }];
  },
};

const zoneText = (domain: string): string => `apiVersion: ${VSPHERE_API_VERSION}
kind: VSphereDeploymentZone
metadata:
  name: room-1
  labels: {tenants: 'true'}
spec: {server: vcenter.example.com, failureDomain: ${domain}, controlPlane: true, placementConstraint: {folder: tenants}}
`;

const zone: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-ZONE',
  title: 'The VSphereFailureDomain of a VSphereDeploymentZone, and the VSphereDeploymentZone that a pool names as its failure domain, must exist: machines are placed without it otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere controllers/vspheredeploymentzone_controller.go, pkg/services/vimmachine.go (generateOverrideFunc)',
  kinds: [VSPHERE_DEPLOYMENT_ZONE, MACHINE_DEPLOYMENT],
  trap: true,
  elsewhere: true,
  example: { failing: documents(DOMAIN_TEXT, zoneText('room-2')), corrected: documents(DOMAIN_TEXT, zoneText('room-1')) },
  check: (object, index) => {
    const isZone = groupKind(object) === VSPHERE_DEPLOYMENT_ZONE;
    const path = isZone ? ['spec', 'failureDomain'] : [...TEMPLATE_FIELDS, 'failureDomain'];
    const name = stringAt(object, ...path);
    // Templates of a supervisor have the same kind in another group, and zones of their own.
    if (name === undefined || (!isZone && !referencesOf(object).some(({ reference }) => reference.kind === VSPHERE_MACHINE_TEMPLATE))) return [];
    return missing(object, index, { kind: isZone ? VSPHERE_FAILURE_DOMAIN : VSPHERE_DEPLOYMENT_ZONE, name, path, clusterScoped: true });
  },
};

const SELECTING = `${CLUSTER_TEXT}  failureDomainSelector: {matchLabels: {tenants: 'true'}}\n`;

const selector: ManifestRule = {
  id: 'TC-TRAP-VSPHERE-ZONE-SELECTOR',
  title: 'The failure domain selector of a VSphereCluster must select a VSphereDeploymentZone of its vCenter, where there are some: control plane machines are in no failure domain otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-vsphere controllers/vspherecluster_reconciler.go (reconcileDeploymentZones)',
  kinds: [VSPHERE_CLUSTER],
  trap: true,
  elsewhere: true,
  example: replaced(documents(SELECTING, DOMAIN_TEXT, zoneText('room-1')), '{matchLabels: {tenants: \'true\'}}', '{matchLabels: {tenants: \'yes\'}}'),
  check: (object, index) => {
    const path = ['spec', 'failureDomainSelector'];
    const given = fieldAt(object, ...path);
    const zones = index.all(VSPHERE_DEPLOYMENT_ZONE);
    if (!isFields(given) || zones.length === 0) return [];
    const isSelected = (one: ManifestObject): boolean => {
      const labels = fieldAt(one, 'metadata', 'labels');
      return stringAt(one, 'spec', 'server') === stringAt(object, 'spec', 'server') && selectsLabels(given, isFields(labels) ? labels : {});
    };
    return zones.some(isSelected) ? [] : [{
      path, message: `it selects none of the ${zones.length} deployment zones`, fix: 'write labels that zones with the server of the cluster have',
    }];
  },
};

/** Rules over clusters and failure domains. */
export const VSPHERE_CLUSTER_RULES: readonly ManifestRule[] = [identity, endpoint, failureDomain, thumbprint, clusterIdentity, zone, selector];
