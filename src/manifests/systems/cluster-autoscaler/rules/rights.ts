import { AUTHORITATIVE, autoscalerYaml, DISCOVERY } from './examples';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { CAPACITY, MIN_SIZE } from '../../../rules/cluster-api/autoscaler-annotations';
import { MACHINE_DEPLOYMENT } from '../../../rules/cluster-api/cluster-api-kinds';
import { documents, replaced } from '../../../rules/example-text';
import { missingRightsFindings, Rights } from '../../../rules/granted-rights';
import { Lookup, ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { POD_KINDS } from '../../../rules/pod-objects';
import { argumentOf, programsOf } from '../../../rules/programs';
import { objectReference } from '../../../rules/references/object-references';
import { compareReleases } from '../../../values/component-facts';
import { fieldAt, isSet, stringAt } from '../../../values/fields';
import { autoscalersIn } from '../autoscalers';

const GROUP = 'cluster.x-k8s.io';

/** First release that watches machine pools (kubernetes/autoscaler pull request 4676). */
const MACHINE_POOLS_SINCE = '1.27';

const RIGHTS_TEXT = documents(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: cluster-autoscaler
  namespace: tenant-acme
rules:
  - apiGroups: [cluster.x-k8s.io]
    resources: [machinedeployments, machinepools, machines, machinesets]
    verbs: [get, list, update, watch]
  - apiGroups: [cluster.x-k8s.io]
    resources: [machinedeployments/scale]
    verbs: [get, patch, update]
`, `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: cluster-autoscaler
  namespace: tenant-acme
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: cluster-autoscaler}
subjects:
  - {kind: ServiceAccount, name: cluster-autoscaler, namespace: tenant-acme}
`, autoscalerYaml(AUTHORITATIVE, DISCOVERY).replace('      containers:\n', '      serviceAccountName: cluster-autoscaler\n      containers:\n'));

const RIGHTS: ManifestRule = {
  id: 'TC-TRAP-AUTOSCALER-RIGHTS',
  title: 'An autoscaler must be allowed to watch machines and their sets, and to mark and scale them: it waits for its caches for ever otherwise.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_controller.go (newMachineController, run, getInfrastructureResource), '
    + 'clusterapi_unstructured.go (MarkMachineForDeletion, Replicas), v1.36.1',
  kinds: POD_KINDS,
  trap: true,
  example: replaced(RIGHTS_TEXT, '[machinedeployments, machinepools, machines, machinesets]', '[machinedeployments, machines]'),
  check: (object, index) => missingRightsFindings(object, neededBy(object, index), index),
};

/** Rights in the cluster that it runs in, if its pools are there. */
function neededBy(object: ManifestObject, index: ManifestIndex): Rights[] {
  const program = programsOf(object).find(({ name }) => name === 'cluster-autoscaler');
  if (!program || argumentOf(program, 'cloud-config') !== undefined) return [];
  return autoscalersIn(object, index).filter(({ nodes, poolsBesideNodes }) => !poolsBesideNodes || !nodes).flatMap(({ discoveries }) => {
    if (!discoveries) return [];
    // Only the first namespace is watched.
    const namespace = discoveries.find((one) => one.namespace !== undefined)?.namespace;
    const pools = program.release === undefined || compareReleases(program.release, MACHINE_POOLS_SINCE) < 0 ? [] : ['machinepools'];
    const watched = ['machinedeployments', ...pools, 'machines', 'machinesets'].map((resource): Rights => (
      { group: GROUP, resource, verbs: ['list', 'watch'], namespace, purpose: 'to find pools' }));
    return [
      ...watched,
      { group: GROUP, resource: 'machines', verbs: ['update'], namespace, purpose: 'to choose the machines that are deleted' },
      { group: GROUP, resource: 'machinedeployments/scale', verbs: ['get'], namespace, purpose: 'to scale pools' },
      ...templatesOfEmptyPools(namespace, index),
    ];
  });
}

/** Pools by their namespace. */
const POOLS_IN = new Lookup([MACHINE_DEPLOYMENT], (pool) => [namespaceOf(pool)]);

/** Rights on the templates of machines that it reads the size of: those of pools that may be empty and state none. */
function templatesOfEmptyPools(namespace: string | undefined, index: ManifestIndex): Rights[] {
  const pools = namespace === undefined ? index.all(MACHINE_DEPLOYMENT) : POOLS_IN.find(index, namespace);
  const empty = pools.filter((pool) => {
    const annotations = fieldAt(pool, 'metadata', 'annotations');
    const isStated = ['cpu', 'memory'].every((resource) => isSet(annotations, `${CAPACITY}${resource}`));
    return stringAt(annotations, MIN_SIZE) === '0' && !isStated;
  });
  const kinds = new Set(empty.flatMap((pool) => objectReference(fieldAt(pool, 'spec', 'template', 'spec', 'infrastructureRef'))?.kind ?? []));
  return [...kinds].map((kind) => {
    const [group, name] = kind.split('/');
    return { group, resource: `${name.toLowerCase()}s`, verbs: ['list', 'watch'], namespace, purpose: 'to know the size of machines of an empty pool' };
  });
}

/** Rules over the rights of autoscalers. */
export const AUTOSCALER_RIGHTS: readonly ManifestRule[] = [RIGHTS];
