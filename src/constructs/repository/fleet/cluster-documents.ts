import { ListedCluster, Place, ReadList } from './listed-cluster';
import { flatValues } from './nested-values';
import { FLEET_RULES } from './rules';
import { readText } from '../../../manifests/objects/manifest-text';
import { FieldPath, isPlainObject } from '../../../manifests/values/fields';
import { Problem } from '../../../manifests/values/problem';

const EXAMPLE = 'begin the file with "- name: acme"';

/**
 * Reads a list of objects from YAML or JSON.
 *
 * @param file path of the file for messages
 * @param text content of the file
 */
export function readDocuments(file: string, text: string): ReadList {
  const { documents, faults } = readText(text);
  const refuse = (message: string, fix: string, line?: number): Problem => ({
    rule: FLEET_RULES.file, property: line === undefined ? file : `${file}:${line}`, message, fix,
  });
  if (faults.length > 0) return { clusters: [], problems: faults.map(({ line, message }) => refuse(`the file ${message}`, 'correct the syntax', line)) };
  const [document, second] = documents;
  if (document === undefined) return { clusters: [], problems: [refuse('the file is empty', `${EXAMPLE}, or write [] for no cluster`)] };
  if (second !== undefined) return { clusters: [], problems: [refuse('the file has a second document', 'remove the line "---"', second.line)] };
  const { value: list, lineOf } = document;
  if (!Array.isArray(list)) return { clusters: [], problems: [refuse('the document is not a list', `${EXAMPLE}, and start each cluster with "- "`, document.line)] };

  const clusters: ListedCluster[] = [];
  const problems: Problem[] = [];
  list.forEach((entry: unknown, index) => {
    const placeOf = (path: FieldPath): Place => () => `${file}:${lineOf([index, ...path])}`;
    if (!isPlainObject(entry)) {
      problems.push({ rule: FLEET_RULES.file, property: placeOf([])(), message: `entry ${index + 1} is not an object`, fix: 'write the fields of the cluster as "name: acme"' });
      return;
    }
    const flat = flatValues(entry, placeOf);
    problems.push(...flat.problems);
    clusters.push({ place: placeOf([]), values: flat.values });
  });
  return { clusters, problems };
}
