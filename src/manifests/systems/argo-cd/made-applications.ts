import { APPLICATION } from './argo-cd-kinds';
import { CASCADE } from './deliveries';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../../values/fields';

const PLACEHOLDER = /\{\{\s*\.?([\w.-]+)\s*\}\}/g;

/**
 * The Applications that Argo CD makes of an ApplicationSet whose elements stand in it.
 *
 * Sources: argoproj/argo-cd docs/operator-manual/applicationset/Generators-List.md, docs/operator-manual/applicationset/Application-Deletion.md.
 *
 * @returns undefined if elements come from somewhere else, or the template does more than fill in their values
 */
export function madeApplications(set: ManifestObject): ManifestObject[] | undefined {
  const generators = listAt(set, 'spec', 'generators');
  const template = fieldAt(set, 'spec', 'template');
  if (!isFields(template) || isSet(set, 'spec', 'templatePatch') || !generators.every(isList)) return undefined;
  const made = generators.flatMap((generator) => objectsAt(generator, 'list', 'elements').map(([element]) => filledIn(template, element) as Fields));
  if (JSON.stringify(made).includes('{{')) return undefined;
  const cascades = fieldAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') !== true;
  const isKept = ['create-only', 'create-update'].includes(stringAt(set, 'spec', 'syncPolicy', 'applicationsSync') ?? '');
  return made.map(({ metadata, spec }) => ({
    apiVersion: set.apiVersion,
    kind: APPLICATION.slice(APPLICATION.indexOf('/') + 1),
    metadata: {
      ...metadata as Fields,
      namespace: namespaceOf(set),
      finalizers: cascades ? [CASCADE] : [],
      ...(isKept && { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } }),
    },
    spec,
  }));
}

function isList(generator: unknown): boolean {
  return isFields(generator) && Object.keys(generator).join() === 'list' && Array.isArray(fieldAt(generator, 'list', 'elements'))
    && !isSet(generator, 'list', 'elementsYaml') && !isSet(generator, 'list', 'template');
}

/** A template with the values of an element. A placeholder without a value stays. */
function filledIn(value: unknown, element: Fields): unknown {
  if (typeof value === 'string') {
    return value.replace(PLACEHOLDER, (whole, path: string) => {
      const found = fieldAt(element, ...path.split('.')) ?? element[path];
      return typeof found === 'string' || typeof found === 'number' ? String(found) : whole;
    });
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, element));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, element)]));
}
