import { changedText, documents, edited } from './change-examples';
import { isUpdate, keeps } from './kept-fields';
import { sameValue } from './same-value';
import { TransitionRule } from './transition-rule';
import { fieldAt, groupKind } from '../../../images/manifest-object';
import { CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE_TEMPLATE } from '../cluster-api/cluster-api-kinds';
import { poolYaml } from '../cluster-api/example-manifests';
import { configTemplateYaml } from '../kubeadm/example-kubeadm';
import { KUBEVIRT_CLUSTER_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE } from '../kubevirt/kubevirt-objects';
import { machineOwnersOf, referrersOf } from '../references/object-references';
import { VULTR_MACHINE_TEMPLATE } from '../vultr/vultr-kinds';

const NEW_TEMPLATE = 'give the template another name, and name it where it is used';
const TALOS_CONFIG_TEMPLATE = 'bootstrap.cluster.x-k8s.io/TalosConfigTemplate';

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

const CONTROL_PLANE_TEMPLATE_TEXT = `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlaneTemplate
metadata:
  name: small
  namespace: tenant-acme
spec:
  template:
    spec:
      kubeadmConfigSpec:
        clusterConfiguration:
          imageRepository: registry.k8s.io
`;

const POOL_TEXT = poolYaml({});
const CONFIG_TEXT = configTemplateYaml('preKubeadmCommands:\n  - sysctl -w vm.max_map_count=262144');

const KUBEVIRT_CLUSTER_TEMPLATE_SPEC: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-CLUSTER-TEMPLATE',
  title: 'The spec of a KubevirtClusterTemplate stays what it is.',
  source: 'x-kubernetes-validations of the definition: kubernetes-sigs/cluster-api-provider-kubevirt config/crd/bases',
  kinds: [KUBEVIRT_CLUSTER_TEMPLATE],
  example: changedText(CLUSTER_TEMPLATE_TEXT, { 'type: ClusterIP': 'type: LoadBalancer' }, { 'type: ClusterIP': 'type: LoadBalancer', 'name: small': 'name: small-2' }),
  check: keeps([{ path: ['spec'] }], NEW_TEMPLATE),
};

const KUBEVIRT_MACHINE_TEMPLATE_SPEC: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-MACHINE-TEMPLATE',
  title: 'The spec of a KubevirtMachineTemplate stays what it is, although a dry run takes any change.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/webhookhandler/validator.go',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  example: changedText(MACHINE_TEMPLATE_TEXT, { 'u1.large': 'u1.xlarge' }, { 'u1.large': 'u1.xlarge', 'acme-general': 'acme-general-2' }),
  check: keeps([{ path: ['spec'] }], NEW_TEMPLATE),
};

const CONTROL_PLANE_TEMPLATE_SPEC: TransitionRule = {
  id: 'TC-CHANGE-KCP-TEMPLATE',
  title: 'What a KubeadmControlPlaneTemplate makes stays what it is.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplanetemplate.go',
  kinds: [KUBEADM_CONTROL_PLANE_TEMPLATE],
  example: changedText(CONTROL_PLANE_TEMPLATE_TEXT, { 'registry.k8s.io': 'registry.example.com' }, { 'registry.k8s.io': 'registry.example.com', 'name: small': 'name: small-2' }),
  check: keeps([{ path: ['spec', 'template', 'spec'] }], NEW_TEMPLATE),
};

const IN_PLACE: TransitionRule = {
  id: 'TC-CHANGE-TEMPLATE-IN-PLACE',
  title: 'A template that machines are made from stays what it is: no machine is replaced for what changes under one name, and only later ones have it.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/updating-machine-templates.md and docs/book/src/developer/providers/contracts/control-plane.md (machines)',
  kinds: [KUBEADM_CONFIG_TEMPLATE, VULTR_MACHINE_TEMPLATE, TALOS_CONFIG_TEMPLATE],
  kindSuffix: 'Template',
  trap: true,
  example: {
    before: documents(CONFIG_TEXT, POOL_TEXT),
    failing: documents(CONFIG_TEXT.replace('262144', '524288'), POOL_TEXT),
    corrected: documents(CONFIG_TEXT, edited(CONFIG_TEXT, { '262144': '524288', 'acme-general': 'acme-general-2' }), edited(POOL_TEXT, {
      'kind: KubeadmConfigTemplate\n          name: acme-general': 'kind: KubeadmConfigTemplate\n          name: acme-general-2',
    })),
  },
  check: (change) => {
    const { before, after, now } = change;
    // The webhook of KubeVirt's provider refuses any change, which has a rule of its own.
    if (!isUpdate(change) || !after || groupKind(after) === KUBEVIRT_MACHINE_TEMPLATE || sameValue(fieldAt(before, 'spec'), fieldAt(after, 'spec'))) return [];
    // Clusters of a class get a template of their own for each change of it.
    const isOfClass = referrersOf(after, now, CLUSTER_CLASS).length > 0;
    return isOfClass || machineOwnersOf(after, now).length === 0 ? []
      : [{ path: ['spec'], message: 'what is in it changed, and its name did not', fix: NEW_TEMPLATE }];
  },
};

/** Templates, which have other content under another name only. */
export const TEMPLATE_CHANGES: readonly TransitionRule[] = [
  KUBEVIRT_CLUSTER_TEMPLATE_SPEC, KUBEVIRT_MACHINE_TEMPLATE_SPEC, CONTROL_PLANE_TEMPLATE_SPEC, IN_PLACE,
];
