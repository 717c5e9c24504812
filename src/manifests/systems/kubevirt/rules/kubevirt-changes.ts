import { parse } from 'yaml';
import { DATA_VOLUME_CHANGE } from './disks';
import { KUBEVIRT_CLUSTER_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE } from './kubevirt-objects';
import { ManifestObject } from '../../../objects/manifest-object';
import { isUpdate, keeps, NEW_TEMPLATE } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { changedText } from '../../../rules/example-text';
import { fieldAt, stringAt } from '../../../values/fields';

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

const CLUSTER_TEMPLATE_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtClusterTemplate
metadata:
  name: small
  namespace: tenant-acme
spec:
  template:
    spec:
      controlPlaneServiceTemplate:
        spec:
          type: ClusterIP
`;

const MACHINE_TEMPLATE_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata:
  name: acme-general
  namespace: tenant-acme
spec:
  template:
    spec:
      virtualMachineTemplate:
        spec:
          runStrategy: RerunOnFailure
          instancetype: {name: u1.large}
          template:
            spec:
              domain:
                devices: {}
`;

/** The configuration of KubeVirt's cloud controller manager in a ConfigMap; undefined if there is none that can be read. */
function configIn(object: ManifestObject | undefined): unknown {
  try {
    return parse(stringAt(object, ...PATH) ?? '', { logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

/** True if its load balancers have a selector in the infrastructure cluster. */
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

const CLUSTER_TEMPLATE: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-CLUSTER-TEMPLATE',
  title: 'The spec of a KubevirtClusterTemplate cannot be changed.',
  source: 'x-kubernetes-validations of the definition: kubernetes-sigs/cluster-api-provider-kubevirt config/crd/bases',
  kinds: [KUBEVIRT_CLUSTER_TEMPLATE],
  example: changedText(CLUSTER_TEMPLATE_TEXT, { 'type: ClusterIP': 'type: LoadBalancer' }, { 'type: ClusterIP': 'type: LoadBalancer', 'name: small': 'name: small-2' }),
  check: keeps([{ path: ['spec'] }], NEW_TEMPLATE),
};

const MACHINE_TEMPLATE: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-MACHINE-TEMPLATE',
  title: 'The spec of a KubevirtMachineTemplate cannot be changed, although a dry run accepts changes.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/webhookhandler/validator.go',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  example: changedText(MACHINE_TEMPLATE_TEXT, { 'u1.large': 'u1.xlarge' }, { 'u1.large': 'u1.xlarge', 'acme-general': 'acme-general-2' }),
  check: keeps([{ path: ['spec'] }], NEW_TEMPLATE),
};

/** What KubeVirt's provider refuses of changes, and what they do to what KubeVirt's controllers have made. */
export const KUBEVIRT_CHANGES: readonly TransitionRule[] = [CLUSTER_TEMPLATE, MACHINE_TEMPLATE, LOCAL_TRAFFIC, DATA_VOLUME_CHANGE];
