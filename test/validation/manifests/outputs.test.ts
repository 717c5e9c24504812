import { ManifestObject, objectName } from '../../../src/images/manifest-object';
import { fieldText } from '../../../src/validation/manifests/field-text';
import { ManifestValidator } from '../../../src/validation/manifests/validate-manifests';
import { OUTPUTS, parse } from '../../support/outputs';

const VALIDATOR = new ManifestValidator();

/** Found where a ClusterResourceSet carries the sample application, which has a claim and an autoscaled Deployment. */
const CARRIED = ['TC-TRAP-CRS-IMMUTABLE', 'TC-TRAP-CRS-REPLICAS'];
const CARRIERS = ['delivery-argo-cd', 'delivery-cluster-resource-set', 'delivery-flux', 'delivery-helm-chart-proxy'];

test.each(Object.keys(OUTPUTS))('what %s writes breaks no rule', (name) => {
  const { management, tenants } = OUTPUTS[name]();
  const groups = [parse(management), ...Object.values(tenants).map(parse)];
  const { found } = VALIDATOR.validate(groups, { silences: [], strict: false });

  const carried = CARRIERS.includes(name) ? CARRIED : [];
  expect(found.filter(({ finding }) => !carried.includes(finding.rule.id)).map(({ finding, object }) => `${finding.rule.id} ${objectName(object as ManifestObject)} ${fieldText(finding.path)}: ${finding.message}`)).toEqual([]);
});
