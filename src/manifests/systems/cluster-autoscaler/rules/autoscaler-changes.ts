import { AUTOSCALER, BOUNDED, PARTS } from './examples';
import { ManifestObject } from '../../../objects/manifest-object';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { changedText, documents } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { POD_KINDS } from '../../../rules/pod-objects';
import { stringAt } from '../../../values/fields';
import { Autoscaler, autoscalersIn, clustersFoundBy, finds, hasBounds, isFound, poolsOf } from '../autoscalers';

const LEFT: TransitionRule = {
  id: 'TC-CHANGE-AUTOSCALER-LEFT',
  title: 'An autoscaler should not leave a Cluster whose pools have bounds: their sizes stay as they are, and no pending pod gets a node.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md (Enabling Autoscaling), v1.36.1',
  kinds: POD_KINDS,
  warning: true,
  example: changedText(documents(AUTOSCALER, ...PARTS, BOUNDED), { 'clusterName=acme': 'clusterName=acme,team=core' }, { 'cluster-autoscaler:v1.36.1': 'cluster-autoscaler:v1.36.2' }),
  check: ({ before, after, old, now }) => {
    if (!before) return [];
    const [former, later] = [autoscalersIn(before, old), after ? autoscalersIn(after, now) : []];
    // Arguments of the later one may come from a script.
    if (former.length === 0 || (after && later.length === 0)) return [];
    const left = former.flatMap((one) => scaledPools(one, now)).filter((pool) => !isFound(pool, now));
    return left.length === 0 ? [] : [{
      path: later[0]?.discoveries?.[0]?.path ?? [],
      message: `it scaled ${left.length === 1 ? 'a pool' : `${left.length} pools`} of the Cluster "${stringAt(left[0], 'spec', 'clusterName') ?? ''}", and nothing does any more`,
      fix: 'keep it, or give the pools a fixed size in the same change',
    }];
  },
};

/** Pools with bounds that an autoscaler finds among the objects of another state. */
function scaledPools(autoscaler: Autoscaler, index: ManifestIndex): ManifestObject[] {
  return clustersFoundBy(autoscaler, index).flatMap((cluster) => poolsOf(cluster, index))
    .filter((pool) => hasBounds(pool) && finds(autoscaler, pool));
}

/** Rules for changes of autoscalers. */
export const AUTOSCALER_CHANGES: readonly TransitionRule[] = [LEFT];
