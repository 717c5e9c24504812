import { ConformanceCase } from './conformance-case';
import { refuses } from './refusing-rules';
import { isGate } from './server-gates';
import { storedFor } from './stored-objects';
import { groupKind, ManifestObject, objectName } from '../../src/manifests/objects/manifest-object';
import { readText } from '../../src/manifests/objects/manifest-text';
import { ManifestIndex, targetAmong } from '../../src/manifests/rules/manifest-index';
import { ExplainedRule, ManifestRule } from '../../src/manifests/rules/manifest-rule';
import { structureOf } from '../../src/manifests/rules/structure/structures';
import { ADVERTISEMENT, CLUSTER_CONFIG } from '../../src/manifests/systems/cilium/advertisements';
import { CLUSTER_STORE, EXTERNAL_SECRET } from '../../src/manifests/systems/external-secrets/stores';
import { ALERT, RECEIVER } from '../../src/manifests/systems/flux/rules/alert-sources';
import { IMAGE_AUTOMATION, IMAGE_POLICY } from '../../src/manifests/systems/flux/rules/image-automations';
import { LISTENERS } from '../../src/manifests/systems/gateway-api/listeners';
import { ROUTES } from '../../src/manifests/systems/gateway-api/routes';
import { SELECTED } from '../../src/manifests/systems/prometheus-operator/selecting';
import { SEALED_SECRET } from '../../src/manifests/systems/sealed-secrets/provider';
import { TABLE_PROVIDERS } from '../../src/manifests/systems/tables';

/** Kinds of tables whose definitions the server does not have. */
const OF_TABLES = TABLE_PROVIDERS.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)).filter((kind) => {
  const [group, name] = kind.split('/');
  return structureOf(group, name) === undefined;
});

/** Kinds whose definitions the server does not have. */
export const ABSENT: ReadonlySet<string> = new Set([
  ...OF_TABLES, EXTERNAL_SECRET, CLUSTER_STORE, ADVERTISEMENT, CLUSTER_CONFIG, IMAGE_AUTOMATION, IMAGE_POLICY, ALERT, RECEIVER,
  'tinkerbell.org/Template', SEALED_SECRET, ...SELECTED, ...ROUTES, ...LISTENERS,
]);

/** The objects of a text of YAML, as a manifest is read. */
export function documentsOf(text: string): ManifestObject[] {
  const { documents, faults } = readText(text);
  if (faults.length > 0) throw new Error(`an example cannot be read: ${faults.map(({ message }) => message).join(', ')}`);
  return documents.map(({ value }) => value as ManifestObject);
}

/** The examples of a rule, object by object: what stands there besides the objects that the rule looks at is only looked up. */
export function ruleCases(rule: ManifestRule): ConformanceCase[] {
  const isOf = (object: ManifestObject): boolean => rule.kinds.includes(groupKind(object)) && !ABSENT.has(groupKind(object));
  const failing = documentsOf(rule.example.failing);
  const index = new ManifestIndex(failing, targetAmong(documentsOf(rule.example.management ?? '')));
  return [
    ...cases(rule, 'failing', failing, (object) => isOf(object) && rule.check(object, index).length > 0),
    ...cases(rule, 'corrected', documentsOf(rule.example.corrected), isOf),
  ];
}

/** The examples of a rule of structure, which have one object each, after the definition of its kind. */
export function structureCases(rule: ExplainedRule): ConformanceCase[] {
  return (['failing', 'corrected'] as const).flatMap((side) => {
    const documents = documentsOf(rule.example[side]);
    return cases(rule, side, documents, (object) => object === documents.at(-1));
  });
}

function cases(
  rule: ExplainedRule, side: 'failing' | 'corrected', documents: readonly ManifestObject[], isCase: (object: ManifestObject) => boolean,
): ConformanceCase[] {
  const objects = documents.filter((object) => !isGate(object));
  return objects.filter(isCase).map((object, number) => {
    const around = objects.filter((other) => other !== object);
    return {
      id: `${rule.id}:${side}${number === 0 ? '' : `-${number + 1}`}`,
      origin: 'rule',
      row: rule.id,
      words: `${objectName(object)}: ${side} example`,
      expected: side === 'failing' && refuses(rule) ? 'refused' : 'accepted',
      set: storedFor(object, around),
      text: JSON.stringify(object),
      around,
    };
  });
}
