import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { KUBERNETES_GROUPS } from '../../../rules/structure/kind-structure';
import { structureOf } from '../../../rules/structure/structures';
import { objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { APPLICATION } from '../deliveries';
import { globPattern } from '../glob-pattern';

const TEXT = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://github.com/example/web", path: chart, targetRevision: main}
  destination: {server: "https://kubernetes.default.svc", namespace: web}
  ignoreDifferences:
    - {group: apps, kind: Deployment, jsonPointers: ["/spec/template/spec/containers/0/resources"]}
`;

/** A step of a path in the notation of JSONPath, and not in that of JSON pointers. */
const BRACKETS = /\/[^/]*[A-Za-z]\[\d*\]/;

/** Words that are mistaken for the name of the core group. */
const MISTAKEN: readonly string[] = ['core', 'v1'];

const ignored: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-IGNORED-FIELD',
  title: 'Differences that an Application ignores must be named by the group of their kind and by JSON pointers: others are compared all the same.',
  source: 'argoproj/argo-cd util/argo/normalizers/diff_normalizer.go (NewIgnoreNormalizer, Normalize), v3.5.1; issues 1815, 2322',
  kinds: [APPLICATION],
  trap: true,
  example: replaced(TEXT, '/containers/0/', '/containers[0]/'),
  check: (object) => objectsAt(object, 'spec', 'ignoreDifferences').flatMap(([rule, at]): Finding[] => {
    const path = ['spec', 'ignoreDifferences', at];
    const [group, kind] = [stringAt(rule, 'group') ?? '', stringAt(rule, 'kind') ?? ''];
    const groups = [...KUBERNETES_GROUPS].filter((one) => structureOf(one, kind));
    const matches = globPattern(group);
    // Another group may have a kind of its own with this name.
    const isOfNone = groups.length > 0 && matches !== undefined && !groups.some((one) => matches(one))
      && (MISTAKEN.includes(group) || KUBERNETES_GROUPS.has(group));
    return [
      ...(isOfNone ? [{
        path: [...path, 'group'],
        message: `${kind} is not of the group ${JSON.stringify(group)}`,
        accepted: groups.map((one) => JSON.stringify(one)).join(', '),
        fix: groups.includes('') ? 'leave it out: the group of core kinds is empty' : `write group: ${groups[0]}`,
      }] : []),
      ...stringsAt(rule, 'jsonPointers').filter(([pointer]) => BRACKETS.test(pointer) || !/^\//.test(pointer)).map(([pointer, position]) => ({
        path: [...path, 'jsonPointers', position],
        message: `${JSON.stringify(pointer)} is no JSON pointer`,
        fix: BRACKETS.test(pointer) ? 'write the index of an entry as a step of its own, such as /containers/0, or use jqPathExpressions' : 'begin it with a slash, or use jqPathExpressions',
      })),
    ];
  }),
};

/** Rules over differences that are ignored. */
export const IGNORED_FIELDS: readonly ManifestRule[] = [ignored];
