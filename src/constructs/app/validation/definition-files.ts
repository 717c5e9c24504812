import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isManifestFile } from '../../../manifests/landscape/manifest-file-names';
import { listedObjects } from '../../../manifests/objects/manifest-list';
import { ManifestObject } from '../../../manifests/objects/manifest-object';
import { decode, readText } from '../../../manifests/objects/manifest-text';
import { isDefinition } from '../../../manifests/rules/structure/kind-definitions';
import { statusOf } from '../../../manifests/values/file-status';
import { formatProblem, Rule } from '../../../manifests/values/problem';

/** Property with the paths. */
export const CRDS = 'crds';

/** The rule for definitions that objects of an app are checked against. */
export const CRDS_RULE: Rule = {
  id: 'TC-VALIDATION-CRDS',
  title: 'A path of `crds` must be a file or folder with CustomResourceDefinitions that API servers accept.',
  source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions',
};

/** The CustomResourceDefinitions in files and folders. Throws an error for a path without any. */
export function definitionsIn(paths: readonly string[]): ManifestObject[] {
  return paths.flatMap((given) => {
    const status = statusOf(given);
    if (!status) throw fault(`there is no ${given}`, 'give the path of a file or folder; relative paths start where the program is run');
    const files = status.isDirectory() ? filesIn(given) : [given];
    const definitions = files.flatMap((file) => definitionsOf(file, file === given));
    if (definitions.length === 0) throw fault(`there is no CustomResourceDefinition in ${given}`, 'name the file or folder with the definitions of the kinds');
    return definitions;
  });
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => isManifestFile(name.replaceAll('\\', '/')));
  return names.sort().map((name) => join(folder, name)).filter((file) => statusOf(file)?.isFile());
}

/** Other files of a folder may be no manifests, such as templates of a chart. */
function definitionsOf(file: string, isNamed: boolean): ManifestObject[] {
  const decoded = decode(readFileSync(file));
  const text = 'text' in decoded ? decoded.text : '';
  const { documents, faults } = readText(text);
  const reason = 'fault' in decoded ? `${file} ${decoded.fault}` : faults.length > 0 ? `${file} cannot be read: ${faults[0].message}` : undefined;
  if (reason !== undefined && (isNamed || text.includes('kind: CustomResourceDefinition'))) throw fault(reason, 'give YAML or JSON files');
  return documents.flatMap(({ value }) => listedObjects(value)).map(({ object }) => object).filter(isDefinition);
}

/** An error of the call: what is read is needed at once. */
function fault(message: string, fix: string): Error {
  return new Error(formatProblem({ rule: CRDS_RULE, property: CRDS, message, fix }));
}
