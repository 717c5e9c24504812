import { fieldWords, inWords, Mutation } from './mutation';
import { placeMutation } from './place-mutation';
import { replaced, valueAt } from './places';
import { isFields, stringAt } from '../../../src/manifests/values/fields';

const NAMES = [
  'Acme', 'acme.general', 'acme_general', '-acme', 'acme-', '.acme', 'acme/general', 'acme general', '', '1acme', 'a'.repeat(53), 'a'.repeat(63), 'a'.repeat(64), 'a'.repeat(253), 'a'.repeat(254), 'äcme', 'acme:x', '1.2',
];
const LABEL_KEYS = ['team', 'example.com/team', 'example.com/', '/team', 'Example.com/team', 'a/b/c', 'te am', '', 'x'.repeat(64), `${'d'.repeat(254)}/x`, '-team', 'team.', 'example_com/team', 'cluster.x-k8s.io/cluster-name'];
const LABEL_VALUES: readonly unknown[] = ['acme', '', 'a b', '-a', 'a-', 'x'.repeat(63), 'x'.repeat(64), 'ä', 'a/b', '{{ x }}', 1, true, null, ['a'], {}];
const ANNOTATION_VALUES: readonly unknown[] = ['', 'a b', 1, true, null, {}, ['x'], '10', '-1', '0', 'x'.repeat(262_145)];

/** Mutations of names, kinds and references. */
export const IDENTITY_MUTATIONS: readonly Mutation[] = [
  {
    name: 'other name',
    weight: 2,
    mutate: ({ object, random }) => {
      const name = random.pick(NAMES);
      return { object: replaced(object, ['metadata', 'name'], name), words: `other name: ${inWords(name)}` };
    },
  },
  {
    name: 'other version or kind',
    weight: 1,
    mutate: ({ object, others, random }) => {
      const [apiVersion, kind] = [String(object.apiVersion), String(object.kind)];
      const other = random.pick([object, ...others]);
      const [field, value] = random.pick<readonly [string, unknown]>([
        ['apiVersion', apiVersion.replace(/v\d.*$/, 'v1')], ['apiVersion', apiVersion.replace(/v\d.*$/, 'v1beta1')], ['apiVersion', apiVersion.replace(/v\d.*$/, 'v9')],
        ['apiVersion', other.apiVersion], ['kind', other.kind], ['kind', kind.toLowerCase()], ['kind', `${kind}s`], ['kind', `${kind}List`], ['apiVersion', ''], ['kind', ''],
        ['apiVersion', undefined], ['kind', undefined], ['apiVersion', 1], ['apiVersion', `${apiVersion}/x`], ['metadata', undefined], ['metadata', {}],
      ]);
      return { object: replaced(object, [field], value), words: `other version or kind: ${field} becomes ${inWords(value)}` };
    },
  },
  {
    name: 'label',
    weight: 3,
    mutate: ({ object, places, random }) => {
      const maps = [['metadata', 'labels'], ...places.filter(({ path, value }) => isFields(value) && /^(labels|matchLabels|nodeSelector)$/.test(String(path.at(-1)))).map(({ path }) => path)];
      const path = random.pick(maps);
      const [key, value] = [random.pick(LABEL_KEYS), random.pick(LABEL_VALUES)];
      const map = valueAt(object, path);
      return { object: replaced(object, path, { ...isFields(map) ? map : {}, [key]: value }), words: `label: ${inWords(key)} ${inWords(value)} in ${fieldWords(path)}` };
    },
  },
  {
    name: 'annotation',
    weight: 1,
    mutate: ({ object, random }) => {
      const path = ['metadata', 'annotations'];
      const map = valueAt(object, path);
      const known = Object.keys(isFields(map) ? map : {});
      const key = known.length > 0 && random.chance(0.6) ? random.pick(known) : random.pick(LABEL_KEYS);
      const value = random.pick(ANNOTATION_VALUES);
      return { object: replaced(object, path, { ...isFields(map) ? map : {}, [key]: value }), words: `annotation: ${inWords(key)} ${inWords(value)}` };
    },
  },
  {
    name: 'metadata',
    weight: 1,
    mutate: ({ object, random }) => {
      const [field, value] = random.pick<readonly [string, unknown]>([
        ['finalizers', ['x']], ['finalizers', ['example.com/x']], ['finalizers', ['example.com/x', 'example.com/x']], ['finalizers', 'x'], ['ownerReferences', [{}]],
        ['ownerReferences', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '1' }]], ['ownerReferences', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }]],
        ['generateName', 'acme-'], ['generateName', 'Acme-'], ['generation', 1], ['generation', '1'], ['uid', 1], ['resourceVersion', ''], ['creationTimestamp', null],
        ['creationTimestamp', 'yesterday'], ['annotation', {}], ['label', {}], ['selfLink', '/x'], ['deletionGracePeriodSeconds', '5'],
        ['labels', []], ['annotations', 'x'], ['labels', null], ['clusterName', 'x'], ['managedFields', []], ['managedFields', [{}]],
      ]);
      return { object: replaced(object, ['metadata', field], value), words: `metadata: ${field} ${inWords(value)}` };
    },
  },
  placeMutation('reference broken', 3, ({ value }) => isFields(value) && typeof value.kind === 'string' && typeof value.name === 'string', ({ value }, { others, random }) => {
    const reference = value as Record<string, unknown>;
    const other = random.pick(others);
    const [field, odd] = random.pick<readonly [string, unknown]>([
      ['name', 'nobody'], ['name', ''], ['name', 'No Body'], ['name', undefined], ['kind', 'Nothing'], ['kind', String(reference.kind).toLowerCase()], ['kind', other.kind], ['kind', ''],
      ['kind', undefined], ['apiGroup', 'example.com'], ['apiGroup', ''], ['apiGroup', 'example.com/v1'], ['apiGroup', undefined], ['apiVersion', other.apiVersion], ['apiVersion', 'v1'],
      ['namespace', stringAt(other, 'metadata', 'namespace') ?? 'other'], ['namespace', ''], ['uid', 'x'],
    ]);
    const { [field]: _, ...rest } = reference;
    return odd === undefined ? rest : { ...rest, [field]: odd };
  }),
];
