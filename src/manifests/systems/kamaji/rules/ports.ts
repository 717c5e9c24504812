import { cluster, namedControlPlane } from './examples';
import {
  apiPort, controlPlaneFields, DEPLOYMENT_BUILDER, KAMAJI_CONTROL_PLANE, konnectivityPort, PlacedPort, placeOf, PROVIDER_CLUSTER_PATCH,
  SERVICE_BUILDER, serviceTypeOf, TENANT_CONTROL_PLANE,
} from './kamaji-objects';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { apiServerPort, clusterOf, partOf } from '../../../rules/references/object-references';
import { fieldAt, isSet, numberAt, stringAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import { COMPONENT_PORTS, HIGHEST_API_PORT, KONNECTIVITY_PORTS } from '../control-plane-pods';

/** Lowest port of NodePort Services, unless the API server was told otherwise. */
const LOWEST_NODE_PORT = 30000;

/** Highest port of NodePort Services, unless the API server was told otherwise. */
const HIGHEST_NODE_PORT = 32767;

/** True if a port is one that NodePort Services may have. */
export function isNodePort(port: number): boolean {
  return Number.isInteger(port) && port >= LOWEST_NODE_PORT && port <= HIGHEST_NODE_PORT;
}

const NODE_PORT = 'NodePort';
const HTTPS_PORT = 443;

const nodePortAddress: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-NODE-PORT-ADDRESS',
  title: 'A control plane behind a NodePort Service must have an address: Kamaji cannot detect it, and the endpoint stays empty.',
  source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_funcs.go',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: {
    failing: namedControlPlane('  network:\n    serviceType: NodePort\n'),
    corrected: namedControlPlane('  network:\n    serviceType: NodePort\n    serviceAddress: 192.0.2.10\n'),
  },
  check: (object) => {
    const path = placeOf(object, 'network', 'serviceAddress');
    return serviceTypeOf(object) !== NODE_PORT || stringAt(object, ...path) !== undefined ? [] : [{
      path, message: 'the Service has the type NodePort, and no address is given', fix: 'give the address of the nodes, or of what stands before them',
    }];
  },
};

const nodePort: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-NODE-PORT',
  title: 'Behind a NodePort Service, the ports of the API server and of konnectivity must be node ports.',
  source: `${SERVICE_BUILDER}, clastix/kamaji internal/resources/konnectivity/service_resource.go`,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: {
    failing: namedControlPlane('    konnectivity: {}\n  network:\n    serviceType: NodePort\n    serviceAddress: 192.0.2.10\n'),
    corrected: namedControlPlane('    konnectivity:\n      server: {port: 30132}\n  network:\n    serviceType: NodePort\n    serviceAddress: 192.0.2.10\n'),
  },
  check: (object, index) => (serviceTypeOf(object) === NODE_PORT ? allOf(
    nodePortFindings('the API server', apiPort(object, index), 'choose a port in that range that no other Service of the management cluster has; a KamajiControlPlane has it from clusterNetwork.apiServerPort of its Cluster'),
    nodePortFindings('konnectivity', konnectivityPort(object), 'choose a port in that range that no other Service of the management cluster has'),
  ) : []),
};

const apiPortLimit: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-API-PORT',
  title: 'The port of a KamajiControlPlane must be at most 32767 without an Ingress or a Gateway: the provider reads it as a signed 16-bit number.',
  source: PROVIDER_CLUSTER_PATCH,
  kinds: [CLUSTER],
  trap: true,
  example: {
    failing: namedControlPlane('') + cluster('    apiServerPort: 36443\n'),
    corrected: namedControlPlane('') + cluster('    apiServerPort: 6443\n'),
  },
  check: (object, index) => {
    const plane = partOf(object, 'controlPlaneRef', index);
    const port = apiServerPort(object);
    if (!plane || groupKind(plane) !== KAMAJI_CONTROL_PLANE || isRouted(plane) || port <= HIGHEST_API_PORT) return [];
    return [{
      path: ['spec', 'clusterNetwork', 'apiServerPort'],
      message: `port ${port} cannot be written into the endpoint of the cluster`,
      accepted: `1 to ${HIGHEST_API_PORT}`,
      fix: 'choose a lower port, such as 6443',
    }];
  },
};

const clash: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-PORT-CLASH',
  title: 'Ports in the pod of a control plane must be unique.',
  source: DEPLOYMENT_BUILDER,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: {
    failing: namedControlPlane('    konnectivity:\n      server: {port: 8134}\n'),
    corrected: namedControlPlane('    konnectivity:\n      server: {port: 8132}\n'),
  },
  check: checkClash,
};

const gatewayPort: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-GATEWAY-PORT',
  title: 'The host name of a Gateway must include the port of the API server: the cluster gets port 443 otherwise, and joining nodes the other.',
  source: `${PROVIDER_CLUSTER_PATCH}, clastix/kamaji issue 1061`,
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: {
    failing: namedControlPlane(`  network:
    serviceType: ClusterIP
    gateway:
      name: tenants
      namespace: gateways
      hostname: acme.example.com
`) + cluster('    apiServerPort: 6443\n'),
    corrected: namedControlPlane(`  network:
    serviceType: ClusterIP
    gateway:
      name: tenants
      namespace: gateways
      hostname: acme.example.com:6443
`) + cluster('    apiServerPort: 6443\n'),
  },
  check: (object, index) => {
    const path = ['spec', 'network', 'gateway', 'hostname'];
    const hostname = stringAt(object, ...path);
    const owner = clusterOf(object, index);
    if (hostname === undefined || !owner) return [];
    const named = Number(/:(\d+)$/.exec(hostname)?.[1] ?? HTTPS_PORT);
    const port = apiServerPort(owner);
    return named === port ? [] : [{
      path,
      message: `"${hostname}" stands for port ${named}, and the API server has port ${port}`,
      accepted: `the host name followed by ":${port}"`,
      fix: 'name the port of the API server, at which the Gateway listens as well',
    }];
  },
};

const endpoint: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ENDPOINT',
  title: 'An endpoint in the infrastructure object must be the endpoint that the control plane gets: the provider only compares the two.',
  source: PROVIDER_CLUSTER_PATCH,
  kinds: [CLUSTER],
  trap: true,
  example: {
    failing: endpointExample('192.0.2.11'),
    corrected: endpointExample('192.0.2.10'),
  },
  check: checkEndpoint,
};

/** Ports of a control plane, and the endpoint of its cluster. */
export const PORTS: readonly ManifestRule[] = [nodePortAddress, nodePort, apiPortLimit, clash, gatewayPort, endpoint];

function nodePortFindings(what: string, placed: PlacedPort | undefined, fix: string): Finding[] {
  return !placed || isNodePort(placed.port) ? [] : [{
    path: placed.path,
    message: `${what} cannot be reached at port ${placed.port} of a NodePort Service`,
    accepted: `${LOWEST_NODE_PORT} to ${HIGHEST_NODE_PORT}`,
    fix,
  }];
}

function isRouted(plane: ManifestObject): boolean {
  return isSet(plane, 'spec', 'network', 'ingress') || isSet(plane, 'spec', 'network', 'gateway');
}

function checkClash(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const [api, konnectivity] = [apiPort(object, index), konnectivityPort(object)];
  const taken = [...COMPONENT_PORTS, ...(konnectivity ? KONNECTIVITY_PORTS : [])];
  const findings = (placed: PlacedPort | undefined, others: readonly (readonly [number, string])[]): Finding[] => (
    placed ? others.filter(([port]) => port === placed.port).map(([port, owner]) => ({
      path: placed.path, message: `port ${port} is the one that ${owner} listens on in the same pod`, fix: 'choose another port',
    })) : []
  );
  return allOf(
    findings(api, taken),
    findings(konnectivity, api ? [...taken, [api.port, 'the API server']] : taken),
  );
}

// The provider compares with these, and writes the endpoint of the last three only where there is none.
const COMPARED: readonly string[] = ['Metal3Cluster', 'MetalStackCluster', 'ProxmoxCluster', 'TinkerbellCluster', 'VSphereCluster']
  .map((kind) => `infrastructure.cluster.x-k8s.io/${kind}`);

function checkEndpoint(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const [plane, infrastructure] = [partOf(object, 'controlPlaneRef', index), partOf(object, 'infrastructureRef', index)];
  if (!plane || groupKind(plane) !== KAMAJI_CONTROL_PLANE || isRouted(plane)) return [];
  if (!infrastructure || !COMPARED.includes(groupKind(infrastructure))) return [];
  const given = fieldAt(infrastructure, 'spec', 'controlPlaneEndpoint');
  const [host, port] = [stringAt(given, 'host'), numberAt(given, 'port')];
  const address = stringAt(controlPlaneFields(plane).fields, 'network', 'serviceAddress');
  if (host === undefined) return [];
  const wrongHost = address !== undefined && address !== host;
  const wrongPort = port !== undefined && port !== apiServerPort(object);
  return wrongHost || wrongPort ? [{
    path: ['spec', 'infrastructureRef'],
    message: `the infrastructure expects the endpoint ${host}:${port}, and the control plane gets ${address ?? 'an address of its own'} with port ${apiServerPort(object)}`,
    fix: 'write the same address into serviceAddress of the control plane, and the same port into clusterNetwork.apiServerPort',
  }] : [];
}

function endpointExample(host: string): string {
  return `${namedControlPlane('  network:\n    serviceAddress: 192.0.2.10\n')}${cluster('    apiServerPort: 6443\n').replace('KubevirtCluster', 'Metal3Cluster')}---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: Metal3Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  controlPlaneEndpoint:
    host: ${host}
    port: 6443
`;
}
