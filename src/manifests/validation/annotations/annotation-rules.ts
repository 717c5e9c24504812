import { annotationSystems, KnownKey, knownKey, unknownKey } from './known-keys';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { AnnotationForm, AnnotationPlace } from '../../rules/annotation-facts';
import { clusterApiPlaces } from '../../rules/cluster-api/annotation-places';
import { MAX_SIZE, MIN_SIZE } from '../../rules/cluster-api/autoscaler-annotations';
import { MACHINE, MACHINE_DEPLOYMENT } from '../../rules/cluster-api/cluster-api-kinds';
import { poolYaml } from '../../rules/cluster-api/example-manifests';
import { ManifestRule } from '../../rules/manifest-rule';
import { ofOneObject } from '../../rules/of-one-object';
import { podOf } from '../../rules/pod-objects';
import { fieldAt, FieldPath, fieldText, isFields } from '../../values/fields';
import { Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';

/** A label or an annotation of an object, and what its place means for it. */
interface PlacedKey {
  readonly path: FieldPath;
  readonly key: string;
  readonly value: string;
  readonly isLabel: boolean;
  readonly place: AnnotationPlace;
}

/** Every place of labels and annotations in an object. */
function placesOf(object: ManifestObject): AnnotationPlace[] {
  const kind = groupKind(object);
  const pod = podOf(object);
  const others = [
    ...clusterApiPlaces(object),
    ...(pod && pod.path.length > 0 ? [{ path: [...pod.path, 'metadata'], reaches: ['/Pod'] }] : []),
    ...annotationSystems().flatMap(({ places }) => (places && Object.hasOwn(places, kind) ? places[kind](object) : [])),
  ];
  if (others.length === 0) return [{ path: ['metadata'], reaches: [kind], isOwn: true }];
  const isOwn = ({ path }: AnnotationPlace) => path.length === 1 && path[0] === 'metadata';
  return [
    { path: ['metadata'], reaches: [kind, ...others.filter(isOwn).flatMap(({ reaches }) => reaches)], isOwn: true },
    ...others.filter((place) => !isOwn(place)),
  ];
}

const FIELDS = ['annotations', 'labels'] as const;

/** Labels and annotations with a prefix, which alone may be of a controller. Each object of a repository is searched. */
const placedKeys = ofOneObject((object: ManifestObject): readonly PlacedKey[] => {
  const found: PlacedKey[] = [];
  for (const place of placesOf(object)) {
    const metadata = fieldAt(object, ...place.path);
    for (const field of FIELDS) {
      const entries = fieldAt(metadata, field);
      if (!isFields(entries)) continue;
      for (const key of Object.keys(entries)) {
        const value = entries[key];
        if (key.includes('/') && typeof value === 'string') found.push({ path: [...place.path, field, key], key, value, isLabel: field === 'labels', place });
      }
    }
  }
  return found;
});

function reads({ kinds }: KnownKey['fact'], { reaches, isOwn }: AnnotationPlace): boolean {
  if (!kinds) return isOwn === true;
  return kinds.some((kind) => kind === '*' || reaches.some((reached) => (
    reached === kind || (kind.endsWith('/') && reached.startsWith(kind)) || (reached.endsWith('/') && kind.startsWith(reached)))));
}

function hasForm({ isLabel = false }: KnownKey['fact'], given: PlacedKey): boolean {
  return isLabel === 'both' || isLabel === given.isLabel;
}

/** Kinds in words. */
function kindWords(kinds: readonly string[]): string {
  const names = [...new Set(kinds.map((kind) => (kind.endsWith('/') ? `kinds of ${kind.slice(0, -1)}` : kind.slice(kind.indexOf('/') + 1))))];
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0];
}

const READERS = 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_utils.go, kubernetes-sigs/cluster-api api/core/v1beta2, '
  + 'fluxcd/kustomize-controller api/v1, argoproj/argo-cd gitops-engine/pkg/sync/common/types.go, clastix/kamaji api/v1alpha1, '
  + 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go';

const NAME: ManifestRule = {
  id: 'TC-TRAP-ANNOTATION-NAME',
  title: 'A label or an annotation below the prefix of a controller must be one that the controller reads: others do nothing.',
  source: READERS,
  trap: true,
  warning: true,
  kinds: [],
  kindSuffix: '',
  example: {
    failing: poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "1"\n  ${MAX_SIZE}: "4"\n  capacity.cluster-autoscaler.kubernetes.io/mem: 16Gi` }),
    corrected: poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "1"\n  ${MAX_SIZE}: "4"\n  capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi` }),
  },
  check: (object) => placedKeys(object).flatMap(({ path, key, place, isLabel }) => {
    const unknown = knownKey(key) ? undefined : unknownKey(key, place);
    return unknown ? [{
      path,
      message: `${unknown.reader} knows no ${isLabel ? 'label' : 'annotation'} ${JSON.stringify(key)}, and ignores it`,
      fix: unknown.meant === undefined ? 'remove it' : `did you mean ${JSON.stringify(unknown.meant)}?`,
    }] : [];
  }),
};

const PLACE: ManifestRule = {
  id: 'TC-TRAP-ANNOTATION-PLACE',
  title: 'A label or an annotation that a controller reads must be on an object that it reads it from: it does nothing elsewhere.',
  source: READERS,
  trap: true,
  kinds: [],
  kindSuffix: '',
  example: {
    failing: poolYaml({ templateMetadata: `labels:\n  cluster.x-k8s.io/deployment-name: acme-general\nannotations:\n  ${MIN_SIZE}: "1"\n  ${MAX_SIZE}: "4"` }),
    corrected: poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "1"\n  ${MAX_SIZE}: "4"` }),
  },
  check: (object) => {
    const keys = placedKeys(object);
    return keys.flatMap((given): Finding[] => {
      const known = knownKey(given.key);
      if (!known || (hasForm(known.fact, given) && reads(known.fact, given.place))) return [];
      // Tools that write a key everywhere write it where it is read, too.
      if (keys.some((other) => other.key === given.key && hasForm(known.fact, other) && reads(known.fact, other.place))) return [];
      return [{ path: given.path, ...misplaced(object, given, known) }];
    });
  },
};

function misplaced(object: ManifestObject, given: PlacedKey, { fact, system }: KnownKey): Omit<Finding, 'path'> {
  const field = fact.isLabel === true ? 'labels' : 'annotations';
  const right = placesOf(object).find((place) => reads(fact, place));
  const fix = right ? `move it to ${fieldText([...right.path, field])}` : `write it on one of these objects: ${kindWords(fact.kinds ?? [])}`;
  if (!hasForm(fact, given)) {
    return { message: `${system.reader} reads it as ${fact.isLabel === true ? 'a label' : 'an annotation'}, and ignores this ${given.isLabel ? 'label' : 'annotation'}`, fix };
  }
  const where = given.place.isOwn ? `not on a ${String(object.kind)}` : `and these ${field} are for ${kindWords(given.place.reaches.slice(0, 1))}`;
  return { message: `${system.reader} reads it on ${fact.kinds ? kindWords(fact.kinds) : 'the object itself'}, ${where}`, fix };
}

/** Words by which a user means to turn something off. */
const OFF: readonly string[] = ['0', 'disabled', 'false', 'no', 'off'];

const VALUE: ManifestRule = {
  id: 'TC-TRAP-ANNOTATION-VALUE',
  title: 'The value of a label or an annotation that a controller reads must have the form that it parses: it is ignored otherwise, or counts as another one.',
  source: READERS,
  trap: true,
  kinds: [],
  kindSuffix: '',
  example: {
    failing: poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "0"\n  ${MAX_SIZE}: "4"\n  capacity.cluster-autoscaler.kubernetes.io/cpu: four\n  capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi` }),
    corrected: poolYaml({ metadata: `annotations:\n  ${MIN_SIZE}: "0"\n  ${MAX_SIZE}: "4"\n  capacity.cluster-autoscaler.kubernetes.io/cpu: "4"\n  capacity.cluster-autoscaler.kubernetes.io/memory: 16Gi` }),
  },
  check: (object) => placedKeys(object).flatMap((given): Finding[] => {
    const { key, path, value, place } = given;
    const known = knownKey(key);
    if (!known || !hasForm(known.fact, given) || !reads(known.fact, place)) return [];
    const { fact: { form, presence, inMachineTemplate }, system } = known;
    if (inMachineTemplate !== undefined && place.reaches.includes(MACHINE) && !place.isOwn && !place.reaches.includes(MACHINE_DEPLOYMENT)) {
      return [{ path, message: `it reaches every machine: ${inMachineTemplate}`, fix: 'remove it from the template, and annotate single machines' }];
    }
    if (presence && OFF.includes(value.toLowerCase())) {
      return [{ path, message: `it counts with any value: ${system.reader} takes ${JSON.stringify(value)} like "true"`, fix: 'remove it' }];
    }
    const broken = form ? brokenEntries(form, value) : [];
    return form === undefined || broken.length === 0 ? [] : [{
      path, message: `${system.reader} cannot read ${broken.map((entry) => JSON.stringify(entry)).join(', ')}, and ignores it`, ...valueFix(form, broken),
    }];
  }),
};

function brokenEntries(form: AnnotationForm, value: string): string[] {
  return (form.isList ? value.split(',').map((entry) => entry.trim()) : [value]).filter((entry) => !form.fits(entry));
}

/** Most words that a finding lists. */
const MOST_WORDS = 8;

function valueFix({ accepted, words = [] }: AnnotationForm, broken: readonly string[]): Pick<Finding, 'accepted' | 'fix'> {
  const meant = broken.map((entry) => words.find((word) => word.toLowerCase() === entry.toLowerCase()) ?? nearestName(entry, words, 3));
  const fix = meant.every((word) => word !== undefined) ? `did you mean ${meant.map((word) => JSON.stringify(word)).join(', ')}?` : 'write a value of this form';
  return { ...(words.length <= MOST_WORDS || !fix.endsWith('?') ? { accepted } : {}), fix };
}

/** Rules for the labels and annotations that controllers read, over objects of any kind. */
export const ANNOTATION_RULES: readonly ManifestRule[] = [NAME, PLACE, VALUE];
