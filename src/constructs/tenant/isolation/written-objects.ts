import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { computedObjects } from '../../app/synth/computed-objects';
import { constructsIn, writtenManifest } from '../../app/synth/synthesis';
import { ClusterContext } from '../../contracts/cluster-context';

/** A manifest as it will be written. */
export interface Manifest {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** An object and its manifest. */
export interface WrittenObject {
  readonly object: ApiObject;
  readonly manifest: Manifest;
}

/**
 * The manifests of some kinds that will be written from a part of the tree, patches applied.
 *
 * @param scope the construct that they are below, such as a chart
 * @param kinds the kinds that are wanted, as `group/Kind`, or as `group/*` for all of a group
 */
export function manifestsOf(scope: IConstruct, kinds: readonly string[]): Manifest[] {
  return writtenObjects(scope, kinds).map(({ manifest }) => manifest);
}

/** The manifests of some kinds of a cluster: those that will be written, and those that Cluster API makes of its topology. */
export function clusterObjects(chart: Chart, { decommission }: ClusterContext, kinds: readonly string[]): WrittenObject[] {
  return [...writtenObjects(chart, kinds), ...(decommission ? [] : ofKinds(computedObjects(chart), kinds))];
}

function writtenObjects(scope: IConstruct, kinds: readonly string[]): WrittenObject[] {
  return ofKinds(constructsIn(scope).filter((construct) => ApiObject.isApiObject(construct)), kinds);
}

function ofKinds(objects: readonly ApiObject[], kinds: readonly string[]): WrittenObject[] {
  return objects
    .filter(({ apiGroup, kind }) => kinds.includes(`${apiGroup}/${kind}`) || kinds.includes(`${apiGroup}/*`))
    .flatMap((object) => {
      try {
        return [{ object, manifest: writtenManifest(object) as Manifest }];
      } catch {
        // Reported when the object is written; thrown here it would hide the problems that explain it.
        return [];
      }
    });
}
