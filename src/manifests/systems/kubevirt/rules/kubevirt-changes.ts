import { CSI_CONTROLLER, enforcementsIn, parsedConfig } from './controller-config';
import { DATA_VOLUME_CHANGE } from './disks';
import { KUBEVIRT_CLUSTER_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE } from './kubevirt-objects';
import { ManifestObject } from '../../../objects/manifest-object';
import { isUpdate, keeps, NEW_TEMPLATE } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { changedText } from '../../../rules/example-text';
import { POD_KINDS } from '../../../rules/pod-objects';
import { argumentOf, runningPrograms, valueOf } from '../../../rules/programs';
import { fieldAt, listAt, stringAt } from '../../../values/fields';

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
  return parsedConfig(stringAt(object, ...PATH));
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
  passesDryRun: true,
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  example: changedText(MACHINE_TEMPLATE_TEXT, { 'u1.large': 'u1.xlarge' }, { 'u1.large': 'u1.xlarge', 'acme-general': 'acme-general-2' }),
  check: keeps([{ path: ['spec'] }], NEW_TEMPLATE),
};

const DRIVER = 'kubevirt/csi-driver pkg/kubevirt/client.go, pkg/service/controller.go, 27b52aa2';
const DRIVER_TEXT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: acme-csi-driver
  namespace: tenant-acme
spec:
  selector:
    matchLabels: {app: csi}
  template:
    metadata:
      labels: {app: csi}
    spec:
      containers:
        - name: driver
          image: quay.io/kubevirt/kubevirt-csi-driver:latest
          args: [--infra-cluster-namespace=tenant-acme, --infra-cluster-labels=tenant=acme, --v=2]
`;

/** Arguments by which the driver finds and accepts the volumes that it made. */
const OF_VOLUMES: Readonly<Record<string, string>> = { 'infra-cluster-namespace': '', 'infra-cluster-labels': '', 'volume-prefix': 'pvc' };

const VOLUMES_LOST: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-CSI-VOLUMES',
  title: 'Namespace, labels and prefix of KubeVirt\'s CSI driver must stay: it refuses all volumes that it made with others.',
  source: DRIVER,
  kinds: POD_KINDS,
  trap: true,
  stranding: true,
  example: changedText(DRIVER_TEXT, { 'tenant=acme': 'tenant=beta' }, { '--v=2': '--v=4' }),
  check: ({ before, after, old, now }) => {
    const [former, later] = [before, after].map((object) => object && runningPrograms(object).find(({ name }) => name === CSI_CONTROLLER));
    if (!former || !later || !former.isComplete || !later.isComplete) return [];
    return Object.entries(OF_VOLUMES).flatMap(([name, usual]) => {
      const [wasArgument, isArgument] = [argumentOf(former, name), argumentOf(later, name)];
      const was = wasArgument ? valueOf(former, wasArgument, old) : usual;
      const is = isArgument ? valueOf(later, isArgument, now) : usual;
      return was === undefined || is === undefined || was === is || was === '' ? [] : [{
        path: isArgument?.path ?? later.path,
        message: `--${name} was ${was}: volumes that exist are attached, expanded and deleted no longer`,
        fix: `keep --${name}=${was} as long as there are volumes`,
      }];
    });
  },
};

const LIMITS_TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: driver-config
  namespace: tenant-acme
data:
  infraStorageClassEnforcement: |
    allowAll: false
    allowList: [replicated, local]
`;

const CLASS_TAKEN: TransitionRule = {
  id: 'TC-CHANGE-KUBEVIRT-CLASS-ALLOWED',
  title: 'A class of the infrastructure must stay allowed as long as a StorageClass names it: the CSI driver refuses each new volume.',
  source: DRIVER,
  kinds: ['/ConfigMap'],
  trap: true,
  stranding: true,
  example: changedText(LIMITS_TEXT, { '[replicated, local]': '[replicated]' }, { '[replicated, local]': '[replicated, local, fast]' }),
  check: ({ before, after }) => {
    if (!before || !after) return [];
    const [was] = enforcementsIn(before);
    const [is] = enforcementsIn(after);
    if (!was || !is || is.config.allowAll === true) return [];
    const [former, later] = [was, is].map(({ config }) => listAt(config, 'allowList').map(String));
    const taken = former.filter((name) => !later.includes(name));
    const [verb, them] = taken.length === 1 ? ['is', 'it'] : ['are', 'them'];
    return taken.length === 0 ? [] : [{
      path: is.path,
      message: `${taken.join(', ')} ${verb} no longer allowed: StorageClasses of the tenant that name ${them} get no volume`,
      fix: 'keep it, or remove these StorageClasses first',
    }];
  },
};

/** Rules of KubeVirt's provider for changes, and for their effects on the objects of KubeVirt's controllers. */
export const KUBEVIRT_CHANGES: readonly TransitionRule[] = [
  CLUSTER_TEMPLATE, MACHINE_TEMPLATE, LOCAL_TRAFFIC, DATA_VOLUME_CHANGE, VOLUMES_LOST, CLASS_TAKEN,
];
