import { ManifestObject, objectName } from '../../../src/images/manifest-object';
import { fieldText } from '../../../src/validation/manifests/field-text';
import { ManifestValidator } from '../../../src/validation/manifests/validate-manifests';
import { OUTPUTS, parse } from '../../support/outputs';

const VALIDATOR = new ManifestValidator();

test.each(Object.keys(OUTPUTS))('what %s writes breaks no rule', (name) => {
  const { management, tenants } = OUTPUTS[name]();
  const groups = [parse(management), ...Object.values(tenants).map(parse)];
  const { found } = VALIDATOR.validate(groups, { silences: [], strict: false });

  expect(found.map(({ finding, object }) => `${finding.rule.id} ${objectName(object as ManifestObject)} ${fieldText(finding.path)}: ${finding.message}`)).toEqual([]);
});
