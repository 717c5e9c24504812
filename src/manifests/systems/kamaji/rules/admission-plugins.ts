import { argumentsOf } from './components';
import { controlPlaneExample } from './examples';
import { controlPlaneFields, PROVIDER_KINDS, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { PROVIDER_CRD } from './sources';
import { groupKind } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { parseArgument } from '../../../values/component-arguments';
import { stringsAt } from '../../../values/fields';
import { CONFIGURATION_FLAG, CONFIGURED, REMOVED } from '../admission-plugin-facts';

/** Admission plug-ins of the API server. */
export const ADMISSION_PLUGINS: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ADMISSION-PLUGIN',
  title: 'Admission plug-ins of a control plane must exist in Kubernetes, and must have a configuration if they require one: the API server exits otherwise.',
  source: `${PROVIDER_CRD}, kubernetes/kubernetes pkg/kubeapiserver/options/plugins.go`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample('  admissionControllers: [NodeRestriction, PodSecurityPolicy]\n', '  admissionControllers: [NodeRestriction]\n'),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const list = [...(groupKind(object) === TENANT_CONTROL_PLANE ? ['kubernetes'] : []), 'admissionControllers'];
    const isConfigured = argumentsOf(object, 'apiServer').some(([text]) => parseArgument(text)?.name === CONFIGURATION_FLAG);
    return stringsAt(fields, ...list).flatMap(([name, index]) => {
      const at = [...path, ...list, index];
      if (REMOVED.includes(name)) return [{ path: at, message: `Kubernetes has no admission plug-in ${name} any more, and the API server exits on it`, fix: `remove ${name}` }];
      return !CONFIGURED.includes(name) || isConfigured ? [] : [{
        path: at, message: `the API server exits, because ${name} has no configuration`, fix: `mount an AdmissionConfiguration by a volume of the deployment, and name its file in the argument --${CONFIGURATION_FLAG}`,
      }];
    });
  },
};
