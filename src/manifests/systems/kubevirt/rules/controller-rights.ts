import { CLOUD_CONTROLLER, cloudConfigOf, CSI_CONTROLLER } from './controller-config';
import { configuredManager } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { ManifestChange, TransitionRule } from '../../../rules/changes/transition-rule';
import { documents, replaced } from '../../../rules/example-text';
import { bindsTo, hasBindings, missingRights, missingRightsFindings, RIGHTS_KINDS, Rights, rightsText } from '../../../rules/granted-rights';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { POD_KINDS } from '../../../rules/pod-objects';
import { argumentOf, Program, runningPrograms, valueOf } from '../../../rules/programs';
import { fieldAt, isSet, listAt, objectsAt, sameValue } from '../../../values/fields';
import { parseGoBool } from '../../../values/flag-values';

const SOURCE = 'kubevirt/cloud-provider-kubevirt config/rbac, pkg/provider, pkg/controller/kubevirteps, v0.6.0; kubevirt/csi-driver '
  + 'deploy/infra-cluster-service-account.yaml, pkg/kubevirt/client.go, 27b52aa2';

const RIGHTS_TEXT = documents(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: cloud-controller-manager
  namespace: tenant-acme
rules:
  - apiGroups: [kubevirt.io]
    resources: [virtualmachineinstances]
    verbs: [get, list]
  - apiGroups: [""]
    resources: [services]
    verbs: [create, delete, get, update]
`, `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: cloud-controller-manager
  namespace: tenant-acme
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: cloud-controller-manager}
subjects:
  - {kind: ServiceAccount, name: cloud-controller-manager, namespace: tenant-acme}
`, `apiVersion: v1
kind: ConfigMap
metadata:
  name: cloud-config
  namespace: tenant-acme
data:
  cloud-config: |
    namespace: tenant-acme
    instancesV2: {enabled: true, zoneAndRegionEnabled: false}
`, configuredManager('      serviceAccountName: cloud-controller-manager\n'));

/** Rights of KubeVirt's controllers of a tenant. */
export const CONTROLLER_RIGHTS: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CONTROLLER-RIGHTS',
  title: 'KubeVirt\'s cloud controller manager and CSI driver must have the rights that their configuration needs: machines, load balancers or volumes wait otherwise.',
  source: SOURCE,
  kinds: POD_KINDS,
  trap: true,
  example: replaced(RIGHTS_TEXT, '[create, delete, get, update]', '[get]'),
  check: (object, index) => missingRightsFindings(object, neededBy(object, index), index),
};

/** Rights that a change takes from a controller that runs. */
export const RIGHTS_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-CONTROLLER-RIGHTS',
  title: 'A change must not take rights from KubeVirt\'s cloud controller manager or CSI driver that they need.',
  source: SOURCE,
  kinds: RIGHTS_KINDS,
  trap: true,
  stranding: true,
  example: {
    before: RIGHTS_TEXT, failing: RIGHTS_TEXT.replace('[create, delete, get, update]', '[get]'), corrected: RIGHTS_TEXT.replace('[get, list]', '[get]'),
  },
  check: (change) => {
    if (!change.before || (isSet(change.before, 'rules') && hasSameRules(change))) return [];
    return controllersIn(change.now).flatMap((object) => {
      const lost = lostRights(object, change);
      return lost.length === 0 ? [] : [{
        path: change.after ? ['rules'] : [],
        message: `${String(object.kind)} ${nameOf(object) ?? ''} is no longer allowed to ${lost.map((rights) => `${rightsText(rights)} ${rights.purpose}`).join('; ')}`,
        fix: 'keep the verbs',
      }];
    });
  },
};

const CONTROLLERS = new WeakMap<ManifestIndex, readonly ManifestObject[]>();

function controllersIn(index: ManifestIndex): readonly ManifestObject[] {
  const known = CONTROLLERS.get(index) ?? POD_KINDS.flatMap((kind) => index.all(kind))
    .filter((object) => runningPrograms(object).some(({ name }) => name === CLOUD_CONTROLLER || name === CSI_CONTROLLER));
  CONTROLLERS.set(index, known);
  return known;
}

function hasSameRules({ before, after }: ManifestChange): boolean {
  return sameValue(fieldAt(before, 'rules'), fieldAt(after, 'rules'));
}

/** The rights that a controller had, and loses with this object, whose rules differ if it is a role. */
function lostRights(object: ManifestObject, { before, after, old, now }: ManifestChange): Rights[] {
  const isBinding = !isSet(before, 'rules');
  if (isBinding && !bindsTo(before, object)) return [];
  const former = old.find(groupKind(object), namespaceOf(object), nameOf(object));
  const had = former && missingRights(former, neededBy(former, old), old);
  if (!had) return [];
  const needed = neededBy(object, now);
  const isLost = ({ group, resource }: Rights) => !had.some((one) => one.group === group && one.resource === resource);
  if (isBinding) return hasBindings(former, old) && !hasBindings(object, now) ? needed.filter(isLost) : [];
  // A role that is gone leaves its binding without rules.
  const missing = missingRights(object, needed, now) ?? (after ? [] : needed);
  return missing.filter((rights) => isLost(rights) && objectsAt(before, 'rules').some(([rule]) => listAt(rule, 'resources').includes(rights.resource)));
}

function neededBy(object: ManifestObject, index: ManifestIndex): Rights[] {
  return runningPrograms(object).flatMap((program) => {
    if (program.name === CLOUD_CONTROLLER) return cloudRights(program, index);
    return program.name === CSI_CONTROLLER ? driverRights(program, index) : [];
  });
}

/** Rights in the cluster of the machines; none are known if that is another one, or without the configuration. */
function cloudRights(program: Program, index: ManifestIndex): Rights[] {
  const config = cloudConfigOf(program, index);
  const namespace = fieldAt(config, 'namespace');
  if (!config || config.kubeconfig || typeof namespace !== 'string') return [];
  const isOn = (...path: string[]) => fieldAt(config, ...path) !== false;
  const slices = fieldAt(config, 'loadBalancer', 'enableEPSController') === true;
  const services = ['create', 'delete', 'get', ...(slices ? ['list'] : []), 'update', ...(slices ? ['watch'] : [])];
  return [
    ...(isOn('instancesV2', 'enabled') || slices
      ? [{ group: 'kubevirt.io', resource: 'virtualmachineinstances', verbs: ['get'], namespace, purpose: 'to initialize nodes' }] : []),
    ...(isOn('instancesV2', 'enabled') && isOn('instancesV2', 'zoneAndRegionEnabled')
      ? [{ group: '', resource: 'nodes', verbs: ['get'], purpose: 'to initialize nodes with zone and region (zoneAndRegionEnabled)' }] : []),
    ...(isOn('loadBalancer', 'enabled') ? [{ group: '', resource: 'services', verbs: services, namespace, purpose: 'to make load balancers' }] : []),
    ...(slices ? [{
      group: 'discovery.k8s.io', resource: 'endpointslices', verbs: ['create', 'delete', 'list', 'update', 'watch'], namespace, purpose: 'for enableEPSController',
    }] : []),
  ];
}

function driverRights(program: Program, index: ManifestIndex): Rights[] {
  const value = (name: string) => {
    const argument = argumentOf(program, name);
    return argument && (valueOf(program, argument, index) ?? '');
  };
  const namespace = value('infra-cluster-namespace');
  if (parseGoBool(value('run-controller-service') ?? 'true') !== true || value('infra-cluster-kubeconfig') !== undefined || !namespace) return [];
  const beside = new Set(runningPrograms(program.object).map(({ name }) => name));
  const volumes = 'to make volumes';
  const attach = 'to attach volumes';
  return [
    { group: 'cdi.kubevirt.io', resource: 'datavolumes', verbs: ['create', 'delete', 'get'], namespace, purpose: volumes },
    { group: 'kubevirt.io', resource: 'virtualmachineinstances', verbs: ['get', 'list'], namespace, purpose: attach },
    { group: 'kubevirt.io', resource: 'virtualmachines', verbs: ['get'], namespace, purpose: attach },
    ...['addvolume', 'removevolume'].map((action) => (
      { group: 'subresources.kubevirt.io', resource: `virtualmachines/${action}`, verbs: ['update'], namespace, purpose: attach })),
    ...(beside.has('csi-resizer')
      ? [{ group: '', resource: 'persistentvolumeclaims', verbs: ['get', 'patch'], namespace, purpose: 'to expand volumes' }] : []),
    ...(beside.has('csi-snapshotter')
      ? [{ group: 'snapshot.storage.k8s.io', resource: 'volumesnapshots', verbs: ['create', 'delete', 'get'], namespace, purpose: 'to take snapshots' }] : []),
  ];
}
