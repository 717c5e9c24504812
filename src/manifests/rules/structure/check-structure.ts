import { checkMetadata, checkTemplateMetadata, NameGrammar, namesOf, needsName } from './check-metadata';
import { KindStructure, KUBERNETES_GROUPS } from './kind-structure';
import { STRUCTURE_RULES, StructureFindings } from './structure-rules';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { Reading, ValueCheck, ValueFault } from '../../schema/check-value';
import { objectWithDefaults } from '../../schema/defaults';
import { faultWords, FaultWords } from '../../schema/finding-words';
import { brokenGoFormat } from '../../schema/formats';
import { nodeAt, SchemaNode } from '../../schema/schema-node';
import { nameWords, shownValue } from '../../schema/value-words';
import { apiLifecycle, isServedBySome } from '../../values/component-facts';
import { fieldAt, FieldPath, Fields, isFields, stringAt } from '../../values/fields';
import { checkQualifiedName } from '../../values/labels';
import { misspelledName } from '../../values/nearest-name';
import { CLUSTER_NAME_LABEL } from '../cluster-api/cluster-api-kinds';
import { RuleFinding } from '../manifest-rule';

/** Finalizers without a domain, which servers know. */
export const SERVERS_FINALIZERS: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

/**
 * Checks what server-side apply demands of the metadata of any kind: it says itself who wrote which field, and tells the entries of lists apart.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go,
 * staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go (listType, listMapKey).
 */
function checkAppliedMetadata(metadata: unknown, findings: StructureFindings): void {
  if (!isFields(metadata)) return;
  if (Array.isArray(metadata.managedFields)) {
    findings.at('managedFields', () => findings.add('metadata', {
      message: 'server-side apply takes no word on who wrote which field, not even an empty list', fix: 'leave it out, as kubectl get does unless it is asked',
    }));
  }
  repeated(metadata, 'finalizers', (entry) => (typeof entry === 'string' ? entry : undefined), findings);
  repeated(metadata, 'ownerReferences', (entry) => stringAt(entry, 'uid'), findings);
}

function repeated(metadata: Fields, field: string, keyOf: (entry: unknown) => string | undefined, findings: StructureFindings): void {
  const list = metadata[field];
  if (!Array.isArray(list)) return;
  const keys = list.map(keyOf);
  keys.forEach((key, index) => {
    const first = key === undefined ? index : keys.indexOf(key);
    if (first < index) findings.at(field, () => findings.at(index, () => findings.add('duplicate', { message: `it is entry ${first} once more`, accepted: 'each one once', fix: 'remove it' })));
  });
}

const TIMES: readonly string[] = ['creationTimestamp', 'deletionTimestamp'];

/**
 * Checks the times in metadata that are decoded into Go's types: by API servers in Kubernetes' own kinds, by webhooks in others.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/time.go.
 */
function checkTimes(metadata: unknown, findings: StructureFindings): void {
  if (!isFields(metadata)) return;
  for (const name of TIMES) {
    const value = metadata[name];
    const words = typeof value === 'string' ? brokenGoFormat('go-time', value) : undefined;
    if (words !== undefined) findings.at(name, () => findings.add('metadata', { message: `${shownValue(value)} is not ${words}`, accepted: words, fix: 'leave it out: servers write it' }));
  }
}

/** Kinds whose metadata a server does not look at beyond what it asks of all. */
const NOT_LOOKED_AT: readonly string[] = ['policy/PodDisruptionBudget'];

/**
 * Checks the finalizers of Kubernetes' own kinds: those have a domain.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateFinalizerName).
 */
function checkKubernetesFinalizers(object: ManifestObject, findings: StructureFindings): void {
  const { metadata } = object;
  if (!isFields(metadata) || !Array.isArray(metadata.finalizers) || NOT_LOOKED_AT.includes(groupKind(object))) return;
  metadata.finalizers.forEach((finalizer: unknown, index) => {
    if (typeof finalizer !== 'string' || finalizer.includes('/') || SERVERS_FINALIZERS.includes(finalizer) || checkQualifiedName(finalizer) !== undefined) return;
    findings.at('finalizers', () => findings.at(index, () => findings.add('metadata', {
      message: `${shownValue(finalizer)} has no domain`, accepted: `a name with a domain, such as example.com/cleanup, or ${SERVERS_FINALIZERS.join(', ')}`, fix: 'put the domain of the controller that removes it before it',
    })));
  });
}

/** Fields that a mutating webhook writes into objects of a kind, before the server compares them with their schema. */
interface WebhookWrites {
  /** Fields that are filled in where nothing is written, or nothing that says anything. */
  readonly filledIn?: readonly string[];

  /** Fields whose strings a webhook always replaces. */
  readonly overwritten?: readonly string[];
}

const NAME_LABEL = placeOf('metadata', 'labels', CLUSTER_NAME_LABEL);
const TYPE = placeOf('spec', 'rollout', 'strategy', 'type');
const ROLLING = placeOf('spec', 'rollout', 'strategy', 'rollingUpdate');
const STRATEGY = placeOf('spec', 'strategy');
const REPLICAS = placeOf('spec', 'replicas');
const MAX_SURGE = placeOf('spec', 'rollout', 'strategy', 'rollingUpdate', 'maxSurge');
const MAX_UNAVAILABLE = placeOf('spec', 'rollout', 'strategy', 'rollingUpdate', 'maxUnavailable');
const STARTUP_TIMEOUT = placeOf('spec', 'checks', 'nodeStartupTimeoutSeconds');
const DELETION_TIMEOUT = placeOf('spec', 'deletion', 'nodeDeletionTimeoutSeconds');
const POOL_DELETION_TIMEOUT = placeOf('spec', 'template', 'spec', 'deletion', 'nodeDeletionTimeoutSeconds');

/** Fields that hold strings. */
const TEXTS: readonly string[] = [STRATEGY, TYPE];

/** Fields that hold numbers; all others hold objects. */
const NUMBERS: readonly string[] = [REPLICAS, MAX_SURGE, MAX_UNAVAILABLE, STARTUP_TIMEOUT, DELETION_TIMEOUT, POOL_DELETION_TIMEOUT];

const ROLLOUT: readonly string[] = [
  placeOf('spec', 'rollout'), placeOf('spec', 'rollout', 'strategy'), ROLLING, TYPE, MAX_SURGE,
];
const POOL: readonly string[] = [
  REPLICAS, placeOf('spec', 'selector'), placeOf('spec', 'selector', 'matchLabels'), placeOf('spec', 'template', 'metadata'),
  placeOf('spec', 'template', 'metadata', 'labels'),
];

/**
 * Fields that webhooks of Cluster API write, by `group/Kind`, as far as a schema or a rule says something of them.
 *
 * Source: kubernetes-sigs/cluster-api core/webhooks/admission, controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (Default); a server with
 * these webhooks takes the objects without the fields.
 */
const WRITES: Readonly<Record<string, WebhookWrites>> = {
  'addons.cluster.x-k8s.io/ClusterResourceSet': { filledIn: [STRATEGY] },
  'cluster.x-k8s.io/Machine': { filledIn: [placeOf('spec', 'deletion'), DELETION_TIMEOUT], overwritten: [NAME_LABEL] },
  'cluster.x-k8s.io/MachineDeployment': { filledIn: [...POOL, ...ROLLOUT, MAX_UNAVAILABLE], overwritten: [NAME_LABEL] },
  'cluster.x-k8s.io/MachineHealthCheck': { filledIn: [placeOf('spec', 'checks'), STARTUP_TIMEOUT], overwritten: [NAME_LABEL] },
  'cluster.x-k8s.io/MachinePool': {
    filledIn: [REPLICAS, placeOf('spec', 'template', 'spec', 'deletion'), POOL_DELETION_TIMEOUT], overwritten: [NAME_LABEL],
  },
  'cluster.x-k8s.io/MachineSet': { filledIn: POOL, overwritten: [NAME_LABEL] },
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane': { filledIn: [REPLICAS, ...ROLLOUT], overwritten: [TYPE] },
};

/** True if a mutating webhook overwrites the field, so that an invalid value never reaches validation. */
function isWrittenOver(object: ManifestObject, path: FieldPath): boolean {
  const kind = groupKind(object);
  // Servers accept an object without a field that its schema requires only if a webhook has set it before.
  if (knownKind(kind)?.defaulted?.includes(path.join('.'))) return fieldAt(object, ...path) === undefined;
  if (!Object.hasOwn(WRITES, kind)) return false;
  const { filledIn = [], overwritten = [] } = WRITES[kind];
  const [place, value] = [placeOf(...path), fieldAt(object, ...path.map(String))];
  if (overwritten.includes(place) && typeof value === 'string') return true;
  if (!filledIn.includes(place) || ([ROLLING, MAX_SURGE, MAX_UNAVAILABLE].includes(place) && !isRolling(object))) return false;
  if (value === undefined || value === null) return true;
  if (NUMBERS.includes(place)) return false;
  return TEXTS.includes(place) ? value === '' : isFields(value) && Object.values(value).every((inner) => inner === null);
}

const MAPS_OF_STRINGS: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels']);

/**
 * True if null never reaches validation: a webhook that changes anything writes a map of strings back with empty strings, and an object of another
 * version than the webhook's is converted to that one and, if the webhook changes anything, back, which drops null.
 *
 * Source: kubernetes-sigs/controller-runtime pkg/webhook/admission/defaulter_custom.go (Handle, dropSchemeRemovals), kubernetes/kubernetes
 * staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go (Dispatch: only what is dirty is converted back).
 */
function isNullReplaced(object: ManifestObject, path: FieldPath): boolean {
  const kind = groupKind(object);
  const { filledIn = [], overwritten } = Object.hasOwn(WRITES, kind) ? WRITES[kind] : {};
  if (!overwritten || typeof path.at(-1) !== 'string' || fieldAt(object, ...path) !== null) return false;
  if (!String(object.apiVersion).endsWith('/v1beta2')) return kind !== 'controlplane.cluster.x-k8s.io/KubeadmControlPlane' || isControlPlaneChanged(object);
  return MAPS_OF_STRINGS.has(String(path.at(-2))) && (isUnlabeled(object, overwritten) || filledIn.some((place) => isFilledIn(object, place)));
}

/**
 * True if the webhook changes a control plane of the former version, whose schema already writes the strategy where there is none.
 *
 * Source: kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (Default),
 * controlplane/kubeadm/config/crd/bases/controlplane.cluster.x-k8s.io_kubeadmcontrolplanes.yaml (default of rolloutStrategy); a server
 * refuses `extraArgs: null` in a control plane that has replicas and a version with "v".
 */
function isControlPlaneChanged(object: ManifestObject): boolean {
  const [replicas, version, strategy] = ['replicas', 'version', 'rolloutStrategy'].map((field) => fieldAt(object, 'spec', field) ?? undefined);
  if (replicas === undefined || typeof version !== 'string' || !version.startsWith('v')) return true;
  const surge = fieldAt(object, 'spec', 'rolloutStrategy', 'rollingUpdate', 'maxSurge') ?? undefined;
  return strategy !== undefined && (surge === undefined || fieldAt(object, 'spec', 'rolloutStrategy', 'type') !== 'RollingUpdate');
}

/** True if a webhook sets the label of the cluster. */
function isUnlabeled(object: ManifestObject, overwritten: readonly string[]): boolean {
  return overwritten.includes(NAME_LABEL) && fieldAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL) !== fieldAt(object, 'spec', 'clusterName');
}

/** True if a webhook fills in a text or a number. */
function isFilledIn(object: ManifestObject, place: string): boolean {
  if (![...TEXTS, ...NUMBERS].includes(place) || ([MAX_SURGE, MAX_UNAVAILABLE].includes(place) && !isRolling(object))) return false;
  const value = fieldAt(object, ...JSON.parse(place) as string[]);
  return value === undefined || value === null || value === '';
}

/** True if the strategy of a rollout is, or becomes, one that has bounds; that of a control plane always does. */
function isRolling(object: ManifestObject): boolean {
  const type = fieldAt(object, 'spec', 'rollout', 'strategy', 'type');
  return groupKind(object) !== 'cluster.x-k8s.io/MachineDeployment' || type === undefined || type === null || type === '' || type === 'RollingUpdate';
}

function placeOf(...path: FieldPath): string {
  return JSON.stringify(path);
}

/**
 * Kinds whose objects a mutating webhook reads into Go's types before the server compares them with their schema.
 *
 * Source: kubernetes-sigs/cluster-api {core,bootstrap/kubeadm,controlplane/kubeadm}/config/webhook/manifests.yaml.
 */
const READ_FIRST: ReadonlySet<string> = new Set([
  'addons.cluster.x-k8s.io/ClusterResourceSet', 'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate', 'cluster.x-k8s.io/Cluster', 'cluster.x-k8s.io/Machine',
  'cluster.x-k8s.io/MachineDeployment', 'cluster.x-k8s.io/MachineHealthCheck', 'cluster.x-k8s.io/MachinePool', 'cluster.x-k8s.io/MachineSet',
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane', 'runtime.cluster.x-k8s.io/ExtensionConfig',
]);

/** Kinds, beside those of providers, whose objects only a validating webhook reads, when the server has written the times (the same files). */
const READ_LATER: ReadonlySet<string> = new Set([
  'cluster.x-k8s.io/ClusterClass', 'cluster.x-k8s.io/MachineDrainRule', 'ipam.cluster.x-k8s.io/IPAddress', 'ipam.cluster.x-k8s.io/IPAddressClaim',
]);

/** True if any webhook reads the objects of a kind into Go's types. */
function isRead(object: ManifestObject): boolean {
  const kind = groupKind(object);
  return isReadFirst(object) || READ_LATER.has(kind) || (knownKind(kind)?.validatedByWebhook ?? false);
}

/** True if a mutating webhook reads the objects of a kind into Go's types, before the server has looked at them. */
function isReadFirst(object: ManifestObject): boolean {
  return READ_FIRST.has(groupKind(object));
}

/** Fix where another release of a provider may differ. */
const OTHER_RELEASE = 'for a cluster with another release, put its definitions beside the manifests';

/** Findings of an object that may hold others, whose metadata is checked, too. */
class ObjectFindings extends StructureFindings {
  public constructor(private readonly structure: KindStructure, private readonly version: string) {
    super((fault, path) => {
      const words = versionedWords(fault, path, version, structure);
      if (structure.packaged === undefined) return words;
      const message = `${words.message} (${structure.packaged})`;
      return { ...words, message, fix: this.isOfReleases(fault) ? `${words.fix}; ${OTHER_RELEASE}` : words.fix };
    });
  }

  protected override ruleOf(fault: ValueFault): keyof typeof STRUCTURE_RULES {
    return this.isOfReleases(fault) ? 'release' : super.ruleOf(fault);
  }

  private isOfReleases(fault: ValueFault): boolean {
    return this.structure.packaged !== undefined && isOfReleases(fault) && homeOf(fault, this.path, this.version, this.structure) === undefined;
  }

  /** Checks the metadata of an object inside another one. */
  public checkMetadata(metadata: unknown, isTemplate: boolean): void {
    if (isTemplate) checkTemplateMetadata(metadata as Fields, this);
    else checkMetadata(metadata, false, this);
  }
}

/**
 * Checks the fields of an object as an API server does on server-side apply, rules in CEL aside. The status is left alone where it is a subresource.
 * Required fields that a webhook fills in need not be written, and what it writes over may be anything.
 *
 * @param object an object of the kind; its fields may be of any type
 * @param structure what the objects of the kind look like
 * @returns everything that is wrong (`TC-ADMIT-FIELD-…`), in the order of the object
 */
export function checkStructure(object: ManifestObject, structure: KindStructure): readonly RuleFinding[] {
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const findings = new ObjectFindings(structure, version);
  const root = structure.versions.get(version);
  if (root) {
    checkObject(root, object, traitsOf(structure, object), findings);
  } else if (!isServedBefore(apiVersion, structure)) {
    findings.at('apiVersion', () => findings.add(structure.packaged === undefined ? 'version' : 'release', wrongVersion(version, structure)));
  }
  if (findings.found.length === 0) return findings.found;
  return findings.found.filter(({ rule, path }) => (
    rule === STRUCTURE_RULES.unknown || !(isWrittenOver(object, path) || (rule === STRUCTURE_RULES.type && isNullReplaced(object, path)))));
}

/** The object itself needs a name, and its schema adds nothing to the limits of `metadata`. */
function checkObject(root: SchemaNode, object: ManifestObject, traits: KindTraits, findings: StructureFindings): void {
  findings.enter('metadata');
  checkMetadata(object.metadata, traits.needsName, findings, traits.names);
  checkAppliedMetadata(object.metadata, findings);
  if (traits.reading.typed || traits.isReadFirst) checkTimes(object.metadata, findings);
  if (traits.reading.typed) checkKubernetesFinalizers(object, findings);
  findings.leave();
  new ValueCheck(findings, traits.reading).resource(root, objectWithDefaults(root, object));
}

/** Traits of all objects of a kind. */
interface KindTraits {
  readonly needsName: boolean;
  readonly names: NameGrammar;
  readonly reading: Reading;

  /** True if a webhook reads objects into Go's types before the server checks them. */
  readonly isReadFirst: boolean;
}

const TRAITS = new WeakMap<KindStructure, KindTraits>();

function traitsOf(structure: KindStructure, object: ManifestObject): KindTraits {
  let traits = TRAITS.get(structure);
  if (!traits) {
    traits = {
      needsName: needsName(object),
      names: namesOf(object),
      reading: { typed: KUBERNETES_GROUPS.has(structure.group), narrow: isRead(object) },
      isReadFirst: isReadFirst(object),
    };
    TRAITS.set(structure, traits);
  }
  return traits;
}

/** True if an older release of Kubernetes that is still supported serves a version: which of them the object goes to is not known. */
function isServedBefore(apiVersion: string, { kind }: KindStructure): boolean {
  const lifecycle = apiLifecycle(apiVersion, kind);
  return lifecycle !== undefined && isServedBySome(lifecycle);
}

function wrongVersion(version: string, { group, kind, release, versions, packaged }: KindStructure): FaultWords {
  const fix = packaged === undefined ? '' : `; ${OTHER_RELEASE}`;
  const served = [...versions.keys()].map((name) => (group === '' ? name : `${group}/${name}`));
  return {
    message: `${shownValue(version)} of ${kind} is not served by ${release}`,
    accepted: nameWords(served),
    fix: `write ${served.at(-1)}, and the fields as that version has them${fix}`,
  };
}

/**
 * True of a field or a choice that another release of a project may have. Of those that five releases of eleven providers added, none was like a
 * name of the release before, but for a number or a further word.
 */
function isOfReleases(fault: ValueFault): boolean {
  if (fault.code === 'choice') return typeof fault.value === 'string' && misspelledName(fault.value, fault.node.enum!.filter((one) => typeof one === 'string')) === undefined;
  if (fault.code !== 'unknown' || fault.parent?.fields?.has(fault.name)) return false;
  const { fields = new Map<string, SchemaNode>() } = fault.node;
  return ![...fields.values()].some((child) => child.fields?.has(fault.name)) && misspelledName(fault.name, fields.keys()) === undefined;
}

/** Fields come and go with versions. */
function versionedWords(fault: ValueFault, path: FieldPath, version: string, structure: KindStructure): FaultWords {
  const words = faultWords(fault, path);
  const home = homeOf(fault, path, version, structure);
  return home === undefined ? words : {
    message: `${shownValue(path.at(-1))} is a field of ${home}, and ${version} has none of this name here`,
    accepted: words.accepted,
    fix: `write what ${version} has in its place, or leave it out`,
  };
}

/** Another version that has an unknown field. */
function homeOf(fault: ValueFault, path: FieldPath, version: string, { versions }: KindStructure): string | undefined {
  if (fault.code !== 'unknown') return undefined;
  return [...versions].find(([other, root]) => other !== version && nodeAt(root, path.slice(0, -1))?.fields?.has(fault.name))?.[0];
}
