import { ManifestObject, objectName } from '../../../src/manifests/objects/manifest-object';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { fieldText } from '../../../src/manifests/values/fields';
import { goldenOutputs, parse } from '../../support/outputs';

const VALIDATOR = new ManifestValidator();

test.each(goldenOutputs())('what %s writes breaks no rule', (_, { management, tenants }) => {
  const groups = [parse(management), ...Object.values(tenants).map(parse)];
  const { found } = VALIDATOR.validate(groups, { silences: [], strict: false });

  expect(found.map(({ finding, object }) => `${finding.rule.id} ${objectName(object as ManifestObject)} ${fieldText(finding.path)}: ${finding.message}`)).toEqual([]);
});
