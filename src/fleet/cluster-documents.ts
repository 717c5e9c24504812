import { ListedCluster, Place, ReadList } from './listed-cluster';
import { flatValues, isMap } from './nested-values';
import { FLEET_RULES } from './rules';
import { readText } from '../manifests/manifest-text';
import { FieldPath } from '../validation/manifests/manifest-rule';
import { Problem } from '../validation/problem';

const EXAMPLE = 'begin the file with "- name: acme"';

/**
 * Reads a list of maps, in YAML or JSON.
 *
 * @param file the file, as people are told of it
 * @param text what is in it
 */
export function readDocuments(file: string, text: string): ReadList {
  const { documents, faults } = readText(text);
  const refuse = (message: string, fix: string, line?: number): Problem => ({
    rule: FLEET_RULES.file, property: line === undefined ? file : `${file}:${line}`, message, fix,
  });
  if (faults.length > 0) return { clusters: [], problems: faults.map(({ line, message }) => refuse(`the text ${message}`, 'correct it', line)) };
  const [document, second] = documents;
  if (document === undefined) return { clusters: [], problems: [refuse('there is nothing in it', `${EXAMPLE}, or write [] for no cluster`)] };
  if (second !== undefined) return { clusters: [], problems: [refuse('there is a second document', 'remove the line "---"', second.line)] };
  const { value: list, lineOf } = document;
  if (!Array.isArray(list)) return { clusters: [], problems: [refuse('it holds no list', `${EXAMPLE}, and each cluster with "- "`, document.line)] };

  const clusters: ListedCluster[] = [];
  const problems: Problem[] = [];
  list.forEach((entry: unknown, index) => {
    const placeOf = (path: FieldPath): Place => () => `${file}:${lineOf([index, ...path])}`;
    if (!isMap(entry)) {
      problems.push({ rule: FLEET_RULES.file, property: placeOf([])(), message: `entry ${index + 1} is no map`, fix: 'write what belongs to the cluster as "name: acme"' });
      return;
    }
    const flat = flatValues(entry, placeOf);
    problems.push(...flat.problems);
    clusters.push({ place: placeOf([]), values: flat.values });
  });
  return { clusters, problems };
}
