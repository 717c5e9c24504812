import { changedText } from '../example-text';
import { isUpdate } from './kept-fields';
import { ManifestChange, TransitionRule } from './transition-rule';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, numberAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { parseSemanticVersion, SemanticVersion } from '../../values/semantic-version';
import { MAX_SIZE, MIN_SIZE } from '../cluster-api/autoscaler-annotations';
import { CORE_WEBHOOKS, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../cluster-api/cluster-api-kinds';
import { poolYaml } from '../cluster-api/example-manifests';
import { losesMachines } from '../cluster-api/pool-selectors';
import { clusterOfOwner, partOf } from '../references/object-references';

const BOUNDS = [MIN_SIZE, MAX_SIZE];
const DECIMAL = /^\d{1,9}$/;

/** A pool with another label, of which it selects its machines from now on. */
const RELABELED = poolYaml({ templateMetadata: 'labels:\n  cluster.x-k8s.io/deployment-name: acme-general\n  tier: general' });

const SELECTOR: TransitionRule = {
  id: 'TC-CHANGE-POOL-SELECTOR',
  title: 'The selector of a MachineDeployment must select the machines that it has: others stay, and nothing manages them, while as many are created.',
  source: `${CORE_WEBHOOKS}/machinedeployment.go, which accepts any change; core/reconcilers/machineset/machineset_controller.go (getAndAdoptMachinesForMachineSet), v1.14.2`,
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: {
    before: poolYaml({}),
    failing: RELABELED.replace('matchLabels:\n      cluster.x-k8s.io/deployment-name: acme-general', 'matchLabels:\n      tier: general'),
    corrected: RELABELED,
  },
  check: (change) => {
    const { before, after } = change;
    // Another Cluster is refused.
    const isOfOther = stringAt(before, 'spec', 'clusterName') !== stringAt(after, 'spec', 'clusterName');
    if (!before || !after || !isUpdate(change) || isOfOther || !losesMachines(before, after)) return [];
    return [{
      path: ['spec', 'selector'],
      message: 'it does not select the machines that the pool has, which stay without an owner that looks after them, beside as many new ones',
      fix: 'keep it, or give the machines the label in a change before, or make another MachineDeployment',
    }];
  },
};

const SIZE: TransitionRule = {
  id: 'TC-CHANGE-POOL-SIZE',
  title: 'The new size or bounds of a pool must overlap with the old ones: the server resizes it otherwise, or the autoscaler ignores it. Without both, it becomes 1.',
  source: `${CORE_WEBHOOKS}/machinedeployment.go (calculateMachineDeploymentReplicas)`,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_POOL],
  trap: true,
  example: changedText(sized(4, 8), { '"8"': '"3"', '"4"': '"1"' }, { '"8"': '"7"', '"4"': '"2"' }),
  check: ({ before, after }) => {
    const [old, now] = [before, after].map((object) => object && sizeOf(object));
    // A change from one fixed number to another is intended, and so is that to zero and back.
    if (!old || !now || (old.fixed && now.fixed && !now.unsaid) || [old, now].some(({ most }) => most === 0)) return [];
    // So is a pool that is emptied, and filled again up to its minimum.
    if ([old, now].some(({ most, unsaid }) => most === 0 && !unsaid)) return [];
    const fits = now.unsaid ? old.most <= 1 : old.least <= now.most && now.least <= old.most;
    const grows = now.least > old.most;
    return fits ? [] : [{
      path: now.fixed ? ['spec', 'replicas'] : ['metadata', 'annotations', BOUNDS[grows ? 0 : 1]],
      message: `it had ${sizeWords(old)}, and has ${sizeWords(now)} now`,
      fix: now.unsaid ? 'write replicas or both bounds' : `let it have ${grows ? 'more' : 'fewer'} machines first, within what it may have now`,
    }];
  },
};

/** A warning, since the number of machines is not in manifests. From one above the maximum the autoscaler does get there. */
const MAXIMUM: TransitionRule = {
  id: 'TC-CHANGE-POOL-MAXIMUM',
  title: 'The maximum of an autoscaled pool should not fall below its number of machines: the autoscaler drains nodes and cannot remove them.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_unstructured.go (SetSize refuses any size above the maximum), v1.36.1',
  kinds: [MACHINE_DEPLOYMENT, MACHINE_POOL],
  warning: true,
  example: changedText(sized(1, 10), { '"10"': '"5"' }, { '"10"': '"20"' }),
  check: ({ before, after }) => {
    const [old, now] = [before, after].map((object) => object && sizeOf(object));
    if (!after || !old || !now || old.fixed || now.fixed || old.least > now.most || old.most - now.most < 2) return [];
    return [{
      path: ['metadata', 'annotations', MAX_SIZE],
      message: `it falls from ${old.most} to ${now.most}, and a pool of more than ${now.most + 1} machines keeps them: the autoscaler drains their nodes and cannot remove them`,
      fix: `scale it first, by kubectl scale ${String(after.kind).toLowerCase()} ${nameOf(after)} --namespace ${namespaceOf(after) ?? 'default'} --replicas ${now.most}, `
        + 'and again after the change if it has grown meanwhile',
    }];
  },
};

/** Pools of machines. */
export const POOL_CHANGES: readonly TransitionRule[] = [SELECTOR, SIZE, MAXIMUM];

interface PoolSize {
  readonly least: number;
  readonly most: number;
  readonly fixed: boolean;

  /** True if neither a number nor bounds are there. */
  readonly unsaid: boolean;
}

function sizeOf(pool: ManifestObject): PoolSize | undefined {
  const replicas = numberAt(pool, 'spec', 'replicas');
  if (replicas !== undefined) return { least: replicas, most: replicas, fixed: true, unsaid: false };
  const given = BOUNDS.map((bound) => fieldAt(pool, 'metadata', 'annotations', bound));
  if (given.every((bound) => bound === undefined || bound === null)) return { least: 1, most: 1, fixed: true, unsaid: true };
  if (!given.every((bound) => typeof bound === 'string' && DECIMAL.test(bound))) return undefined;
  const [least, most] = given.map(Number);
  return least > most ? undefined : { least, most, fixed: false, unsaid: false };
}

function sizeWords({ least, most, fixed, unsaid }: PoolSize): string {
  if (unsaid) return 'neither replicas nor bounds, which makes 1 machine';
  return fixed ? `${least} replicas` : `${least} to ${most} machines`;
}

function sized(least: number, most: number): string {
  return poolYaml({ metadata: `annotations:\n  ${BOUNDS[0]}: "${least}"\n  ${BOUNDS[1]}: "${most}"` });
}

const PATH = ['spec', 'template', 'spec', 'version'];

/** Versions of machines. */
export const POOL_VERSION: TransitionRule = {
  id: 'TC-CHANGE-POOL-VERSION',
  title: 'The minor version of a pool must not go down: its machines would be older than their control plane, which Cluster API does not allow with kubeadm.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_preflight.go',
  kinds: [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  trap: true,
  example: changedText(poolYaml({ machine: 'version: v1.35.4\n' }), { 'v1.35.4': 'v1.34.8' }, { 'v1.35.4': 'v1.36.1' }),
  check: (change) => (goesWithControlPlane(change) ? [] : loweredMinor(change, PATH, 'new machines do not come while the control plane has the newer one')),
};

/** True if a control plane of a known kind has no newer version: that it went down is told of the control plane. */
function goesWithControlPlane({ after, now }: ManifestChange): boolean {
  const cluster = after && clusterOfOwner(after, now);
  const controlPlane = cluster && partOf(cluster, 'controlPlaneRef', now);
  if (!controlPlane || !knownKind(groupKind(controlPlane))) return false;
  const [its, own] = [stringAt(controlPlane, 'spec', 'version'), stringAt(after, ...PATH)].map((version) => parseSemanticVersion(version ?? ''));
  return its !== undefined && own !== undefined && its.major === own.major && its.minor <= own.minor;
}

/** A finding if a version leaves out a minor. */
export function skippedMinor(change: ManifestChange, path: readonly string[]): Finding[] {
  const { from, to, words } = versions(change, path);
  if (!from || !to || (to.major === from.major && to.minor - from.minor < 2) || to.major < from.major) return [];
  return [{ path, message: `${words}: that leaves out a minor`, fix: `write a version of ${from.major}.${from.minor + 1} first, and go on when the control plane runs it` }];
}

/** A finding if the minor of a version goes back. */
export function loweredMinor(change: ManifestChange, path: readonly string[], consequence: string): Finding[] {
  const { from, to, words } = versions(change, path);
  if (!from || !to || to.major > from.major || (to.major === from.major && to.minor >= from.minor)) return [];
  return [{ path, message: `${words}: ${consequence}`, fix: `stay with ${from.major}.${from.minor}; another patch of it will do` }];
}

interface Versions {
  readonly from?: SemanticVersion;
  readonly to?: SemanticVersion;
  readonly words: string;
}

function versions({ before, after }: ManifestChange, path: readonly string[]): Versions {
  const [old, now] = [stringAt(before, ...path), stringAt(after, ...path)];
  if (old === undefined || now === undefined) return { words: '' };
  const [from, to] = [old, now].map((version) => parseSemanticVersion(/^v?\d+\.\d+$/.test(version) ? `${version}.0` : version));
  return { from, to, words: `it was "${old}", and is "${now}" now` };
}
