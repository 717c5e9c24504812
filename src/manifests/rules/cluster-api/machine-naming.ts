import { CORE_WEBHOOKS, isV1beta1, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE_DEPLOYMENT, MACHINE_SET } from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { FieldPath, stringAt } from '../../values/fields';
import { ManifestRule } from '../manifest-rule';
import { checkNameTemplate, templateFields } from '../name-templates';

const MARK = '{{ .random }}';
const MAKERS: Readonly<Record<string, string>> = {
  [MACHINE_DEPLOYMENT]: 'machineSet', [MACHINE_SET]: 'machineSet', [KUBEADM_CONTROL_PLANE]: 'kubeadmControlPlane', [KUBEADM_CONTROL_PLANE_TEMPLATE]: 'kubeadmControlPlane',
};

/** Templates of machines' names. */
export const MACHINE_NAMING: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-NAMING',
  title: `A template of machine names must contain ${MARK}, and must produce valid object names.`,
  source: `${CORE_WEBHOOKS}/{machinedeployment,machineset}.go, controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go`,
  kinds: Object.keys(MAKERS),
  example: {
    failing: poolYaml({ spec: 'machineNaming:\n  template: "{{ .machineSet.name }}"' }),
    corrected: poolYaml({ spec: `machineNaming:\n  template: "{{ .machineSet.name }}-${MARK}"` }),
  },
  check: (object) => {
    const path = namingPath(object);
    const template = stringAt(object, ...path);
    if (template === undefined) return [];
    const maker = MAKERS[groupKind(object)];
    const sample = { cluster: { name: 'acme' }, [maker]: { name: 'acme-general' } };
    const message = template.includes(MARK) ? checkNameTemplate(template, sample) : `${JSON.stringify(template)} has no ${MARK}, so all machines would have one name`;
    return message === undefined ? [] : [{
      path, message, accepted: templateFields(sample), fix: `write a template such as "{{ .${maker}.name }}-${MARK}"`,
    }];
  },
};

function namingPath(object: ManifestObject): FieldPath {
  const spec = groupKind(object) === KUBEADM_CONTROL_PLANE_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec'];
  return [...spec, isV1beta1(object) ? 'machineNamingStrategy' : 'machineNaming', 'template'];
}
