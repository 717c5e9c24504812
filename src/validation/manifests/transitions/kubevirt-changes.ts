import { parse } from 'yaml';
import { changedText } from './change-examples';
import { isUpdate } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { fieldAt, ManifestObject, textAt } from '../../../images/manifest-object';

const PATH = ['data', 'cloud-config'];

const CONFIG_TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: acme-cloud-controller-manager
  namespace: tenant-acme
data:
  cloud-config: |
    namespace: tenant-acme
    loadBalancer:
      enabled: true
      creationPollInterval: 5
`;

/** The configuration of KubeVirt's cloud controller manager in a ConfigMap; undefined if there is none that can be read. */
function configIn(object: ManifestObject | undefined): unknown {
  try {
    return parse(textAt(object, ...PATH) ?? '', { logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

/** Whether its load balancers have a selector in the infrastructure cluster. */
function selects(config: unknown): boolean {
  const [enabled, selectorless, slices] = ['enabled', 'selectorless', 'enableEPSController'].map((field) => fieldAt(config, 'loadBalancer', field));
  return fieldAt(config, 'loadBalancer') !== undefined && enabled !== false && selectorless !== true && slices !== true;
}

const LOCAL_TRAFFIC: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-LOCAL-TRAFFIC',
  title: 'Services with externalTrafficPolicy: Local that exist when KubeVirt\'s cloud controller manager starts to write EndpointSlices must be '
    + 'created anew: theirs are created and deleted without end.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, pkg/controller/kubevirteps/kubevirteps_controller.go, v0.6.0',
  kinds: ['/ConfigMap'],
  warning: true,
  example: changedText(CONFIG_TEXT, { 'enabled: true': 'enabled: true\n      enableEPSController: true' }, { 'Interval: 5': 'Interval: 10' }),
  check: (change) => {
    if (!isUpdate(change) || fieldAt(configIn(change.after), 'loadBalancer', 'enableEPSController') !== true) return [];
    return !selects(configIn(change.before)) ? [] : [{
      path: PATH,
      message: 'loadBalancer.enableEPSController is true from now on. The infrastructure cluster\'s Services for Services of the tenant that have '
        + 'externalTrafficPolicy: Local already keep their selector, and the cloud controller manager creates and deletes EndpointSlices for them, '
        + 'more than one a second',
      fix: 'after the change, delete each such Service in the tenant and create it again, which may change its address; without such Services, '
        + 'nothing is to be done',
    }];
  },
};

/** What a change does to what KubeVirt's controllers have made. */
export const KUBEVIRT_CHANGES: readonly TransitionRule[] = [LOCAL_TRAFFIC];
