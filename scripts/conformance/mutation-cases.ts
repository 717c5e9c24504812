import { parseAllDocuments } from 'yaml';
import { ConformanceCase } from './conformance-case';
import { mutate } from './mutations/mutate';
import { Random } from './random';
import { rawJson } from './raw-json';
import { ManifestObject, objectName } from '../../src/manifests/objects/manifest-object';

/** Number and seed of the mutants. */
export interface MutationOptions {
  readonly seed: number;

  /** Mutants of each scenario. */
  readonly mutations: number;
}

/** Kinds that no strategy of the library writes: an example includes them in what the user's own controller is. */
const OF_USERS: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'Foo']);

/** Mutants of the objects of a scenario: the kinds take turns, so that those with few objects get their share. */
export function mutationCases(row: string, manifests: string, { seed, mutations }: MutationOptions): ConformanceCase[] {
  const all = parseAllDocuments(manifests).map((document) => document.toJS() as ManifestObject | null).filter((object) => object !== null);
  const objects = all.filter(({ kind }) => !OF_USERS.has(String(kind)));
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  return Array.from({ length: mutations }, (_, number) => {
    const random = new Random(`${seed}/${row}/${number}`);
    const object = random.pick(objects.filter(({ kind }) => kind === kinds[number % kinds.length]));
    const others = all.filter((other) => other !== object);
    const mutant = mutate(object, others, random);
    return {
      id: `${row}:${number}`, origin: 'mutation', row, words: `${objectName(object)}: ${mutant.words}`, set: [], text: rawJson(mutant.object), around: others,
    };
  });
}
