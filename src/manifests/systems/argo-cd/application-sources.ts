import { APPLICATION_SET } from './argo-cd-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, objectsAt, stringAt } from '../../values/fields';

/** A source of an Application, where it stands. */
export interface ApplicationSource {
  readonly path: FieldPath;
  readonly source: Fields;
}

/** The spec of an Application, or that of the Applications that an ApplicationSet makes. */
export function applicationSpec(object: ManifestObject): string[] {
  return groupKind(object) === APPLICATION_SET ? ['spec', 'template', 'spec'] : ['spec'];
}

/**
 * Sources that Argo CD reads objects from: `sources` wins over `source`, and the hydrator over both.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/types.go (GetSources, GetSyncSource), v3.5.1.
 */
export function objectSources(object: ManifestObject): ApplicationSource[] {
  const spec = applicationSpec(object);
  const hydrated = fieldAt(object, ...spec, 'sourceHydrator', 'syncSource');
  if (isFields(hydrated)) {
    const repoURL = stringAt(hydrated, 'repoURL') ?? stringAt(object, ...spec, 'sourceHydrator', 'drySource', 'repoURL');
    return [{ path: [...spec, 'sourceHydrator', 'syncSource'], source: { ...hydrated, repoURL } }];
  }
  const several = objectsAt(object, ...spec, 'sources').map(([source, index]): ApplicationSource => ({ path: [...spec, 'sources', index], source }));
  const one = fieldAt(object, ...spec, 'source');
  if (several.length === 0) return isFields(one) ? [{ path: [...spec, 'source'], source: one }] : [];
  // A source that others refer to by name holds files of values only.
  return several.filter(({ source }) => ['chart', 'path'].some((field) => stringAt(source, field) !== undefined) || stringAt(source, 'ref') === undefined);
}
