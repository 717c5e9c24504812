import { Construct } from 'constructs';
import { dataStoreIdentity } from './data-store';
import { INGRESS_PORT, KamajiExposure } from './exposure';
import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { isNodePort } from '../../../manifests/systems/kamaji/rules/ports';
import { parseIp } from '../../../manifests/values/ip-address';
import { Problem, Rule } from '../../../manifests/values/problem';
import { claimName } from '../../app/synth/claims';
import { ClusterContext } from '../../contracts/cluster-context';

/** The data store that Kamaji's chart sets up, and starts Kamaji with (clastix/kamaji charts/kamaji/values.yaml, defaultDatastoreName). */
const USUAL_DATA_STORE = 'default';

const TWO_MANAGEMENT_CLUSTERS = 'give each cluster its managementCluster if they are in two';

/** Something that only one control plane of a management cluster can have. */
interface Claim {
  readonly kind: string;
  readonly name: string;
  readonly rule: Rule;
  readonly property: string;
  readonly what: string;
  readonly fix: string;
}

/**
 * Checks that no other control plane of the app has what a management cluster has only once. Kamaji does not look for it: two API servers
 * with one schema overwrite each other's objects, and a port or address that is taken never gets to the second one.
 *
 * @param scope where the control plane is made
 * @param props what it was told
 * @param context the cluster
 * @param konnectivityPort port of the konnectivity server, undefined without one
 */
export function checkSharedNames(
  scope: Construct, props: KamajiControlPlaneProps, context: ClusterContext, konnectivityPort: number | undefined,
): Problem[] {
  const exposure = props.exposure ?? KamajiExposure.loadBalancer();
  return [...dataStoreClaims(props, context), ...portClaims(exposure, konnectivityPort), ...endpointClaims(exposure, konnectivityPort)]
    .flatMap(({ kind, name, rule, property, what, fix }) => {
      const owner = claimName(scope, kind, name, context.management);
      return owner === undefined ? [] : [{ rule, property, message: `${what} belongs to ${owner} already`, fix: `${fix}, or ${TWO_MANAGEMENT_CLUSTERS}` }];
    });
}

const DATA_STORE_TAKEN_RULE: Rule = {
  id: 'TC-KAMAJI-DATA-STORE-TAKEN',
  title: 'The schema and the user of a control plane must be unique in its data store.',
  source: 'clastix/kamaji internal/resources/datastore/datastore_setup.go',
};

function dataStoreClaims({ dataStore, dataStoreSchema, dataStoreUsername }: KamajiControlPlaneProps, { namespace, name }: ClusterContext): Claim[] {
  const store = dataStore ?? USUAL_DATA_STORE;
  const identity = dataStoreIdentity(namespace, name);
  const claim = (kind: string, property: string, text: string): Claim => ({
    kind: `Kamaji ${kind}`,
    name: `${store} ${text}`,
    rule: DATA_STORE_TAKEN_RULE,
    property,
    what: `the ${kind} "${text}" in data store "${store}"`,
    fix: 'leave it out for a new cluster',
  });
  return [
    claim('schema', 'controlPlane.dataStoreSchema', dataStoreSchema ?? identity),
    claim('user', 'controlPlane.dataStoreUsername', dataStoreUsername ?? identity),
  ];
}

const NODE_PORT_TAKEN_RULE: Rule = {
  id: 'TC-KAMAJI-NODE-PORT-TAKEN',
  title: 'Node ports of control planes must be unique in a management cluster.',
  source: 'kubernetes.io/docs/concepts/services-networking/service (type NodePort)',
};

/** A node port is in use on every node, regardless of the address. */
function portClaims({ _choice: { nodePort } }: KamajiExposure, konnectivityPort: number | undefined): Claim[] {
  if (!nodePort) return [];
  const ports = [['port', nodePort.port], ['konnectivityPort', konnectivityPort === nodePort.port ? undefined : konnectivityPort]] as const;
  return ports.flatMap(([name, port]): Claim[] => (port === undefined || !isNodePort(port) ? [] : [{
    kind: 'Node port',
    name: `${port}`,
    rule: NODE_PORT_TAKEN_RULE,
    property: `controlPlane.exposure.${name}`,
    what: `node port ${port}`,
    fix: 'choose another one',
  }]));
}

const ENDPOINT_TAKEN_RULE: Rule = {
  id: 'TC-KAMAJI-ENDPOINT-TAKEN',
  title: 'The address or host name and port of a control plane must be unique in a management cluster.',
  source: 'clastix/kamaji internal/resources/k8s_service_resource.go',
};

function endpointClaims(exposure: KamajiExposure, konnectivityPort: number | undefined): Claim[] {
  const { loadBalancer, clusterIp, ingress, gateway } = exposure._choice;
  const { address } = loadBalancer ?? clusterIp ?? {};
  const port = exposure.apiServerPort;
  const at = (host: string, taken: number, property: string): Claim => ({
    kind: 'Endpoint',
    name: `${host} ${taken}`,
    rule: ENDPOINT_TAKEN_RULE,
    property: `controlPlane.exposure.${property}`,
    what: `port ${taken} at ${host}`,
    fix: `choose another ${property}`,
  });
  return [
    ...(address !== undefined && parseIp(address) ? [...new Set([port, konnectivityPort ?? port])].map((taken) => at(address, taken, 'address')) : []),
    ...(ingress ? [at(ingress.hostname, ingress.port ?? INGRESS_PORT, 'hostname')] : []),
    ...(gateway ? [at(gateway.hostname, port, 'hostname')] : []),
  ];
}
