import { IConstruct } from 'constructs';
import { ConstructGroup } from './construct-manifests';
import { tenantAround } from '../../synth/output-place';
import { Share } from '../../synth/share';

/**
 * Leaves out what another process validates, where several of them write an app: the objects of its tenant clusters. One whose namespace
 * has a cluster of this process stays, because its objects may be referred to.
 *
 * @param scope the construct that all of it is below
 * @param groups what there is
 */
export function ofThisProcess(scope: IConstruct, groups: readonly ConstructGroup[]): readonly ConstructGroup[] {
  const share = Share.of(scope);
  if (share.isWhole) return groups;
  const namespaces = new Set(groups.flatMap(({ objects }) => objects).flatMap((object) => {
    const tenant = tenantAround(object);
    return tenant && share.has(tenant) ? [tenant.namespace] : [];
  }));
  const isOurs = (construct: IConstruct): boolean => {
    const tenant = tenantAround(construct);
    return tenant === undefined || namespaces.has(tenant.namespace);
  };
  return groups.filter(({ owner }) => isOurs(owner)).map(({ owner, objects }) => ({ owner, objects: objects.filter(isOurs) }));
}
