import { deploymentText, objectText } from './examples';
import { ManifestObject, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, listAt, numberAt, objectsAt, stringAt } from '../values/fields';

const CLAIM = '/PersistentVolumeClaim';
const OF_ONE_NODE: readonly unknown[] = ['ReadWriteOnce', 'ReadWriteOncePod'];

const CLAIM_TEXT = objectText('v1', 'PersistentVolumeClaim', 'spec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n');
const DEPLOYMENT_TEXT = deploymentText(
  'strategy: {type: Recreate}\nselector:\n  matchLabels: {app: web}', 'volumes:\n  - {name: data, persistentVolumeClaim: {claimName: web}}\n',
);

const volume: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-ROLLOUT-VOLUME',
  title: 'A Deployment of one pod whose volume one node mounts should be recreated, not rolled: on another node, the new pod waits for the volume, and the old pod for the new one.',
  source: 'kubernetes/kubernetes pkg/volume/util/util.go (IsMultiAttachAllowed), pkg/controller/volume/attachdetach/reconciler/reconciler.go, pkg/controller/deployment/util/deployment_util.go '
    + '(ResolveFenceposts), v1.36.0',
  kinds: ['apps/Deployment'],
  trap: true,
  // The cluster may have one node, or the volume belong to one.
  warning: true,
  example: replaced(documents(CLAIM_TEXT, DEPLOYMENT_TEXT), '  strategy: {type: Recreate}\n', ''),
  check: (object, index) => {
    if (!isHeld(object)) return [];
    const claims = objectsAt(object, 'spec', 'template', 'spec', 'volumes').map(([one]) => stringAt(one, 'persistentVolumeClaim', 'claimName'))
      .filter((name) => name !== undefined && isOfOneNode(name, object, index));
    return claims.length === 0 ? [] : [{
      path: ['spec', 'strategy'],
      message: `a new pod starts before the old one ends, and one node at a time mounts the volume of "${claims.join('" and "')}"`,
      fix: 'write strategy: {type: Recreate}',
    }];
  },
};

/** True if the only pod of a Deployment stays until the new one is ready. Without a surge the old pod goes first, also where maxUnavailable rounds to none. */
function isHeld(deployment: ManifestObject): boolean {
  const strategy = fieldAt(deployment, 'spec', 'strategy');
  const surge = fieldAt(strategy, 'rollingUpdate', 'maxSurge');
  const unavailable = fieldAt(strategy, 'rollingUpdate', 'maxUnavailable') ?? '25%';
  return (numberAt(deployment, 'spec', 'replicas') ?? 1) === 1 && (stringAt(strategy, 'type') ?? 'RollingUpdate') === 'RollingUpdate'
    && surge !== 0 && surge !== '0%' && (unavailable === 0 || (typeof unavailable === 'string' && /^\d{1,2}%$/.test(unavailable)));
}

function isOfOneNode(claim: string, deployment: ManifestObject, index: ManifestIndex): boolean {
  const found = index.find(CLAIM, namespaceOf(deployment), claim);
  const modes = listAt(found, 'spec', 'accessModes');
  return modes.length > 0 && modes.every((mode) => OF_ONE_NODE.includes(mode));
}

/** Rules over volumes of pods that are rolled out. */
export const ROLLOUT_VOLUMES: readonly ManifestRule[] = [volume];
