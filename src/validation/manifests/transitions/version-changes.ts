import { changedText } from './change-examples';
import { ManifestChange, TransitionRule } from './transition-rule';
import { textAt } from '../../../images/manifest-object';
import { parseSemanticVersion, SemanticVersion } from '../../../kubernetes/semantic-version';
import { KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../cluster-api/cluster-api-kinds';
import { poolYaml } from '../cluster-api/example-manifests';
import { namedControlPlane, tenantControlPlane } from '../kamaji/examples';
import { KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE } from '../kamaji/kamaji-objects';
import { controlPlaneYaml } from '../kubeadm/example-kubeadm';
import { ManifestFinding } from '../manifest-rule';

const KAMAJI_SOURCE = 'clastix/kamaji internal/webhook/handlers/tcp_version.go';
const OF_CONTROL_PLANE = ['spec', 'version'];
const OF_TENANT = ['spec', 'kubernetes', 'version'];
const OF_POOL = ['spec', 'template', 'spec', 'version'];
const STEP = { 'v1.35.4': 'v1.36.1' };

const TENANT_TEXT = tenantControlPlane('  kubernetes:\n    version: v1.35.4\n    kubelet: {}\n  networkProfile: {}\n');

const TENANT: TransitionRule = {
  id: 'TC-CHANGE-TCP-VERSION',
  title: 'The minor of a TenantControlPlane does not go back, and rises by one at a time.',
  source: KAMAJI_SOURCE,
  kinds: [TENANT_CONTROL_PLANE],
  example: changedText(TENANT_TEXT, { 'v1.35.4': 'v1.37.0' }, STEP),
  check: (change) => [...skipped(change, OF_TENANT), ...lowered(change, OF_TENANT, 'Kamaji does not go back')],
};

const KAMAJI: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-VERSION',
  title: 'The minor of a KamajiControlPlane does not go back, and rises by one at a time: Kamaji refuses others where nobody sees it.',
  source: KAMAJI_SOURCE,
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: changedText(namedControlPlane(''), { 'v1.35.4': 'v1.34.8' }, STEP),
  check: (change) => [...skipped(change, OF_CONTROL_PLANE), ...lowered(change, OF_CONTROL_PLANE, 'Kamaji does not go back')],
};

const KUBEADM_SKIPPED: TransitionRule = {
  id: 'TC-CHANGE-KCP-VERSION',
  title: 'The minor of a KubeadmControlPlane rises by one at a time.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go',
  kinds: [KUBEADM_CONTROL_PLANE],
  example: changedText(controlPlaneYaml('replicas: 3'), { 'v1.35.4': 'v1.37.0' }, STEP),
  check: (change) => skipped(change, OF_CONTROL_PLANE),
};

const KUBEADM_LOWERED: TransitionRule = {
  id: 'TC-CHANGE-KCP-DOWNGRADE',
  title: 'The minor of a KubeadmControlPlane does not go back: nobody promises that an older API server can read what a newer one has stored.',
  source: 'kubernetes-sigs/cluster-api docs/proposals/20191017-kubeadm-based-control-plane.md (non-goals)',
  kinds: [KUBEADM_CONTROL_PLANE],
  trap: true,
  example: changedText(controlPlaneYaml('replicas: 3'), { 'v1.35.4': 'v1.34.8' }, STEP),
  check: (change) => lowered(change, OF_CONTROL_PLANE, 'what is stored may be too new for it'),
};

const POOL: TransitionRule = {
  id: 'TC-CHANGE-POOL-VERSION',
  title: 'The minor of a pool does not go back: its machines would be older than their control plane, and Cluster API makes no such ones with kubeadm.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_preflight.go',
  kinds: [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  trap: true,
  example: changedText(poolYaml({ machine: 'version: v1.35.4\n' }), { 'v1.35.4': 'v1.34.8' }, STEP),
  check: (change) => lowered(change, OF_POOL, 'new machines do not come while the control plane has the newer one'),
};

/** Versions of control planes and machines. */
export const VERSION_CHANGES: readonly TransitionRule[] = [TENANT, KAMAJI, KUBEADM_SKIPPED, KUBEADM_LOWERED, POOL];

/** A finding if a version leaves out a minor. */
function skipped(change: ManifestChange, path: readonly string[]): ManifestFinding[] {
  const { from, to, words } = versions(change, path);
  if (!from || !to || (to.major === from.major && to.minor - from.minor < 2) || to.major < from.major) return [];
  return [{ path, message: `${words}: that leaves out a minor`, fix: `write a version of ${from.major}.${from.minor + 1} first, and go on when the control plane runs it` }];
}

/** A finding if the minor of a version goes back. */
function lowered(change: ManifestChange, path: readonly string[], consequence: string): ManifestFinding[] {
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
  const [old, now] = [textAt(before, ...path), textAt(after, ...path)];
  if (old === undefined || now === undefined) return { words: '' };
  return { from: parseSemanticVersion(old), to: parseSemanticVersion(now), words: `it was "${old}", and is "${now}" now` };
}
