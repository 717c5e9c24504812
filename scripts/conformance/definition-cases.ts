import { ConformanceCase } from './conformance-case';
import { mutate } from './mutations/mutate';
import { Mutant } from './mutations/mutation';
import { replaced } from './mutations/places';
import { fittingValue } from './mutations/schema-values';
import { isInGolden, isPinned, providerDefinitions, tableDefinitions } from './provider-definitions';
import { TEMPLATES } from './provider-templates';
import { Random } from './random';
import { rawJson } from './raw-json';
import { documentsOf } from './rule-cases';
import { groupOf, ManifestObject, nameOf, objectName } from '../../src/manifests/objects/manifest-object';
import { DefinedKind } from '../../src/manifests/rules/structure/defined-kind';
import { KindDefinitions } from '../../src/manifests/rules/structure/kind-definitions';
import { STRUCTURE_RULES } from '../../src/manifests/rules/structure/structure-rules';
import { withDefinedKinds } from '../../src/manifests/rules/structure/structures';
import { SchemaNode } from '../../src/manifests/schema/schema-node';
import { ManifestValidator } from '../../src/manifests/validation/validate-manifests';
import { Fields, fieldText, isFields, sameValue, stringAt } from '../../src/manifests/values/fields';

/** Row of the cases. */
export const DEFINITION_ROW = 'definitions of others';

const DEFINITION_PREFIX = 'definitions';

/** Number of mutants of the objects of one definition, by the number of definitions. */
const MUTANTS = 10;

const NAMESPACE: ManifestObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-acme' } };

/** Objects are drawn so many times before one fits all rules. */
const MOST_DRAWS = 40;

/** The second object of a definition breaks a rule in CEL, if it has one, and the next ones replace another. */
const BROKEN = 1;
const REPLACED = 3;

/** The rules that a drawn object breaks. */
const FITS = '';
const BREAKS_RULE = STRUCTURE_RULES.rule.id;

const JUDGE = new ManifestValidator([]);

/** Share of mutants that are updates. */
const UPDATES = 0.25;

/**
 * Objects of other projects' definitions, which the server holds meanwhile, and of pinned ones whose kinds no golden output has: drawn ones and their mutants, and templates with the mistakes that are often
 * made in them. Nothing but the definition judges them.
 *
 * @param seed the seed
 * @param served definitions that the server has all the time: of their kinds, no objects are drawn
 */
export function definitionCases(seed: number, served: readonly ManifestObject[] = []): ConformanceCase[] {
  const known = providerDefinitions().filter(({ definition }) => !served.some((other) => nameOf(other) === nameOf(definition)));
  if (known.length === 0) console.log('NOT PROVED: there are no definitions of providers to draw objects from');
  const isClear = ({ versions }: DefinedKind): boolean => ![...versions.values()].some(hasEmptyMap);
  const tables = tableDefinitions();
  // Mutants of kinds in golden output are in the rows of the examples.
  const drawnKinds = [...known, ...tables.filter((defined) => !isInGolden(defined))].filter(isClear);
  return [...drawnKinds.flatMap((defined, number) => drawnCases(defined, number, seed)), ...templateCases([...known, ...tables])];
}

function drawnCases(defined: DefinedKind, number: number, seed: number): ConformanceCase[] {
  return withDefinedKinds(new KindDefinitions([defined.definition]), () => Array.from({ length: MUTANTS }, (_, index) => {
    const random = new Random(`${seed}/${defined.release}/${index}`);
    const object = drawn(defined, index === BROKEN ? BREAKS_RULE : FITS, random);
    const { mutant, isUpdate } = changed(object, defined, index, random);
    const before = isUpdate ? JSON.stringify(object) : undefined;
    return caseOf(`${number}-${index}`, mutant.object, defined, { words: mutant.words, before });
  }));
}

/** Templates of providers, each object as it is, and with each of its mistakes. */
function templateCases(known: readonly DefinedKind[]): ConformanceCase[] {
  return TEMPLATES.flatMap(({ provider, objects, mistakes }) => documentsOf(objects).flatMap((object) => {
    const defined = known.find(({ group, kind }) => group === groupOf(object) && kind === object.kind);
    if (!defined) return [];
    const own = mistakes.filter(([kind]) => kind === object.kind);
    return [
      caseOf(`${provider}-${String(object.kind)}`, object, defined, { words: 'as it is', expected: 'accepted' }),
      ...own.map(([kind, path, value], index) => (
        caseOf(`${provider}-${kind}-${index}`, replaced(object, path, value), defined, { words: `mistake in ${fieldText(path)}`, expected: 'refused' }))),
    ];
  }));
}

function caseOf(
  id: string, object: ManifestObject, defined: DefinedKind, { words, ...more }: Pick<ConformanceCase, 'words' | 'before' | 'expected'>,
): ConformanceCase {
  return {
    id: `${DEFINITION_PREFIX}:${id}`,
    origin: 'mutation',
    row: DEFINITION_ROW,
    words: `${objectName(object)}: ${words}`,
    ...more,
    set: [...isPinned(defined) ? [] : [defined.definition], NAMESPACE],
    text: rawJson(object),
    around: [],
  };
}

/** The case of an object: the object, another one in its place, or a mutant. */
function changed(
  object: ManifestObject, defined: DefinedKind, index: number, random: Random,
): { readonly mutant: Mutant; readonly isUpdate: boolean } {
  if (index <= BROKEN) return { mutant: { object, words: 'as it is drawn' }, isUpdate: false };
  const mutant = index > REPLACED ? mutate(object, [], random)
    : { object: drawn(defined, FITS, random, stringAt(object, 'apiVersion')), words: 'another one in its place' };
  const isUpdate = (index <= REPLACED || random.chance(UPDATES)) && brokenBy(object, defined) === FITS && isJudgedAlone(object, mutant.object);
  return { mutant, isUpdate };
}

/** The rules that an object breaks. */
function brokenBy(object: ManifestObject, { definition }: DefinedKind): string {
  const { found } = JUDGE.validate([[object]], { silences: [], strict: false, definitions: [definition] });
  return [...new Set(found.map(({ finding }) => finding.rule.id))].join();
}

/**
 * True if the definition alone judges an update. Servers look at names in metadata only when objects are created, and server-side apply leaves null
 * where the last field of a map goes.
 */
function isJudgedAlone({ metadata: before, ...was }: ManifestObject, { metadata: after, ...is }: ManifestObject): boolean {
  return sameValue([before, was.apiVersion, was.kind], [after, is.apiVersion, is.kind]) && !emptiesMap(was, is);
}

function emptiesMap(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return before.some((entry) => after.some((other) => emptiesMap(entry, other)));
  if (!isFields(before) || !isFields(after)) return false;
  const isEmpty = Object.keys(after).length === 0 && Object.keys(before).length > 0;
  return isEmpty || Object.keys(after).some((name) => emptiesMap(before[name], after[name]));
}

/** True if a schema has a map without any field: server-side apply accepts unknown ones in it, and servers drop them. */
function hasEmptyMap({ type, open, embedded, fields, values, items }: SchemaNode): boolean {
  if (type === 'object' && !open && !embedded && !values && (fields?.size ?? 0) === 0) return true;
  const inside = [...fields ?? []].filter(([name]) => name !== 'metadata').map(([, field]) => field);
  return [...inside, values, items].some((one) => one !== undefined && hasEmptyMap(one));
}

/** An object that is wanted, if one is drawn in time. */
function drawn(defined: DefinedKind, wanted: string, random: Random, apiVersion?: string): ManifestObject {
  const { group, kind, scope, versions } = defined;
  const version = apiVersion?.slice(group.length + 1) ?? random.pick([...versions.keys()]);
  const metadata = { name: 'acme', ...(scope === 'Namespaced' && { namespace: stringAt(NAMESPACE, 'metadata', 'name') }) };
  for (let draw = 1; ; draw++) {
    const { apiVersion: _, kind: __, metadata: ___, status: ____, ...fields } = fittingValue(versions.get(version)!, random) as Fields;
    const object = { apiVersion: `${group}/${version}`, kind, metadata, ...fields };
    if (draw === MOST_DRAWS || brokenBy(object, defined) === wanted) return object;
  }
}
