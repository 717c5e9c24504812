import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';

/** Ids of the rules that find something in a file, as the command finds it. */
export function rulesFound(text: string): readonly string[] {
  const { objects } = placedObjects([{ file: 'all.yaml', bytes: Buffer.from(text) }]);
  const { found } = new ManifestValidator().validate([objects.map(({ object }) => object)], { silences: [], strict: false });
  return found.map(({ finding }) => finding.rule.id);
}
