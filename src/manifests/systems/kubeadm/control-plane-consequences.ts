import { ChangeConsequences } from '../../rules/changes/consequences';
import { Effect } from '../../rules/changes/effects';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { fieldAt, isSet, numberAt } from '../../values/fields';

const EXTERNAL_ETCD = ['spec', 'kubeadmConfigSpec', 'clusterConfiguration', 'etcd', 'external'];

/**
 * Consequences of changes of a KubeadmControlPlane: it is scaled up before a machine is removed, unless `maxSurge` is 0.
 *
 * Source: kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/{update,scale}.go, v1.14.2.
 */
export function kubeadmControlPlaneConsequences({ before, after }: ManifestChange, effects: ReadonlySet<Effect>): ChangeConsequences {
  const isExternal = isSet(before ?? after, ...EXTERNAL_ETCD);
  if (!after) return isExternal ? {} : { lost: [{ what: 'all objects in the API server', detail: 'etcd is on the machines' }] };
  if (!before) return {};
  const [was, is] = [before, after].map((object) => numberAt(object, 'spec', 'replicas') ?? 1);
  const strategy = fieldAt(after, 'spec', 'rollout', 'strategy') ?? fieldAt(after, 'spec', 'rolloutStrategy');
  const surges = Number(fieldAt(strategy, 'rollingUpdate', 'maxSurge') ?? 1) > 0;
  const felt = [
    ...is === 1 && was > 1 ? ['one machine is left: if it fails, there is no API server'] : [],
    ...effects.has(Effect.MACHINES) && !isExternal ? etcdWords(Math.min(was, is), surges) : [],
  ];
  return { felt };
}

/** Loss of etcd's fault tolerance while machines are replaced, in words. */
function etcdWords(members: number, surges: boolean): string[] {
  if (members === 1) return ['etcd has two members meanwhile, and stops if one of them fails'];
  return surges ? [] : [`etcd has a member less meanwhile, and stops if ${members === 3 ? 'one' : 'more than one'} of the others fails`];
}
