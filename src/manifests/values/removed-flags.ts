import { compareReleases } from './component-facts';

/** A flag that a program no longer has. */
export interface RemovedFlag {
  /** The first release without it. */
  readonly since: string;

  /** Action in its place. */
  readonly instead?: string;
}

/** Flags of klog that write to files. */
const LOG_FILES: readonly string[] = [
  'add-dir-header', 'alsologtostderr', 'log-backtrace-at', 'log-dir', 'log-file', 'log-file-max-size', 'logtostderr', 'one-output', 'skip-headers',
  'skip-log-headers', 'stderrthreshold',
];

function logFiles(since: string): Readonly<Record<string, RemovedFlag>> {
  return Object.fromEntries(LOG_FILES.map((flag) => [flag, { since }]));
}

const GROUP_SNAPSHOTS: RemovedFlag = { since: '8.2', instead: 'write --feature-gates=CSIVolumeGroupSnapshot=true' };

/**
 * Flags that no release in the tables has, and older ones have.
 *
 * Source: the programs' sources at the tags before and after: kubernetes/autoscaler cluster-autoscaler/config/flags, and main.go of the sidecars in
 * kubernetes-csi.
 */
const REMOVED: Readonly<Record<string, Readonly<Record<string, RemovedFlag>>>> = {
  'cluster-autoscaler': {
    'lease-resource-name': { since: '1.33', instead: 'write --leader-elect-resource-name' },
    'max-autoprovisioned-node-group-count': { since: '1.33' },
    'max-empty-bulk-delete': { since: '1.33', instead: 'write --max-scale-down-parallelism' },
    'node-autoprovisioning-enabled': { since: '1.33' },
    'parallel-drain': { since: '1.32' },
  },
  'csi-attacher': logFiles('4.6'),
  'csi-node-driver-registrar': logFiles('2.11'),
  'csi-provisioner': logFiles('5.2'),
  'csi-resizer': logFiles('1.10'),
  'csi-snapshotter': { ...logFiles('8.3'), 'enable-volume-group-snapshots': GROUP_SNAPSHOTS },
  'livenessprobe': logFiles('2.12'),
};

/**
 * A flag that a program had, and has no longer; undefined if it is not known to be removed.
 *
 * @param release the release of the program; undefined if it is not known
 */
export function removedFlag(program: string, flag: string, release?: string): RemovedFlag | undefined {
  const removed = Object.hasOwn(REMOVED, program) && Object.hasOwn(REMOVED[program], flag) ? REMOVED[program][flag] : undefined;
  return removed && release !== undefined && compareReleases(release, removed.since) < 0 ? undefined : removed;
}
