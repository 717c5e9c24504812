import { changedText } from './change-examples';
import { ManifestChange, TransitionRule } from './transition-rule';
import { knownKind } from '../../objects/known-kinds';
import { groupKind } from '../../objects/manifest-object';
import { stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { parseSemanticVersion, SemanticVersion } from '../../values/semantic-version';
import { MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../cluster-api/cluster-api-kinds';
import { poolYaml } from '../cluster-api/example-manifests';
import { clusterOfOwner, partOf } from '../references/cluster-parts';

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
  return { from: parseSemanticVersion(old), to: parseSemanticVersion(now), words: `it was "${old}", and is "${now}" now` };
}
