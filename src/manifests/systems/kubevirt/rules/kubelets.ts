import { machineDeployment, machineTemplate } from './examples';
import { instance, KUBEVIRT_MACHINE_TEMPLATE } from './kubevirt-objects';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE } from '../../../rules/cluster-api/cluster-api-kinds';
import { indented } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { referencesOf, referrersOf } from '../../../rules/references/object-references';
import { Fields, isFields, numberAt, stringAt } from '../../../values/fields';
import { distinctFindings, Finding } from '../../../values/finding';
import { secondsOf } from '../../../values/kubelet-settings';
import { NANO, parseQuantity } from '../../../values/quantity';
import { kubeletSettings, KubeletSettings, placeOf } from '../../kubeadm/kubelet-configurations';
import { machineSize } from '../machine-size';

const KINDS: readonly string[] = [KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE];
const MEMORY_SIGNAL = 'memory.available';

/** The kubelet's own threshold (kubernetes/kubernetes pkg/kubelet/apis/config/v1beta1/defaults_linux.go). */
const DEFAULT_THRESHOLD = '100Mi';

const TOO_LARGE: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-KUBELET-RESERVATION',
  title: 'What kubelets reserve, and their hard threshold of memory, must be less than their virtual machine has: no pod is scheduled otherwise.',
  source: 'kubernetes/kubernetes pkg/kubelet/cm/node_container_manager_linux.go (GetNodeAllocatableAbsolute), kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources',
  kinds: KINDS,
  trap: true,
  example: { failing: configured('systemReserved: {memory: 64Gi}'), corrected: configured('systemReserved: {memory: 1Gi}') },
  check: (object, index) => distinctFindings(templatesOf(object, index).flatMap((template) => {
    const { cpu, memory } = machineSize(template, index);
    return kubeletSettings(object).flatMap((settings): Finding[] => {
      const threshold = memory === undefined ? 0 : thresholdOf(settings.fields, memory);
      return [
        ...(memory === undefined ? [] : checkRest(settings, 'memory', memory, threshold, `${Math.floor(memory / 2 ** 20)}Mi`)),
        ...(cpu === undefined ? [] : checkRest(settings, 'cpu', cpu, 0, `${cpu} CPUs`)),
      ];
    });
  })),
};

function checkRest(settings: KubeletSettings, resource: string, whole: number, threshold: number, text: string): Finding[] {
  const fields = ['systemReserved', 'kubeReserved'].filter((field) => stringAt(settings.fields, field, resource) !== undefined);
  const reserved = fields.map((field) => amountOf(stringAt(settings.fields, field, resource)));
  if (fields.length === 0 || reserved.includes(undefined) || reserved.reduce<number>((sum, one) => sum + one!, threshold) < whole) return [];
  const words = fields.map((field) => `${stringAt(settings.fields, field, resource)} of ${field}`).join(' and ');
  return [{
    path: placeOf(settings, [fields[0], resource]),
    message: `${words}${threshold > 0 ? `, and the hard threshold of ${MEMORY_SIGNAL},` : ''} leave nothing of the ${text} of the machine for pods`,
    fix: 'reserve less, or give the machine more',
  }];
}

/** The hard threshold of memory in bytes: without any thresholds, the kubelet's own; of those that are written, only these count. */
function thresholdOf(fields: Fields, memory: number): number {
  const text = isFields(fields.evictionHard) ? stringAt(fields.evictionHard, MEMORY_SIGNAL) ?? '0' : DEFAULT_THRESHOLD;
  return text.endsWith('%') ? memory * Number(text.slice(0, -1)) / 100 || 0 : amountOf(text) ?? 0;
}

function amountOf(text: string | undefined): number | undefined {
  const amount = text === undefined ? undefined : parseQuantity(text);
  return amount === undefined ? undefined : Number(amount) / Number(NANO);
}

/** Seconds that KubeVirt waits for a machine to stop (kubevirt/kubevirt pkg/virt-handler/vm.go, DefaultGracePeriodSeconds). */
const DEFAULT_GRACE_SECONDS = 30;

const GRACE_PERIOD: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-KUBELET-SHUTDOWN',
  title: 'A virtual machine must have longer to stop than its kubelet gives pods at a shutdown: KubeVirt turns it off under them otherwise.',
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go (terminationGracePeriodSeconds), kubernetes/kubernetes pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go',
  kinds: KINDS,
  trap: true,
  example: {
    failing: configured('shutdownGracePeriod: 10m'),
    corrected: configured('shutdownGracePeriod: 10m', '              terminationGracePeriodSeconds: 660\n'),
  },
  check: (object, index) => {
    const graces = templatesOf(object, index).map((template) => numberAt(instance(template).fields, 'terminationGracePeriodSeconds') ?? DEFAULT_GRACE_SECONDS);
    return distinctFindings(graces.flatMap((grace) => kubeletSettings(object).flatMap((settings): Finding[] => {
      const shutdown = secondsOf(settings.fields.shutdownGracePeriod) ?? 0;
      return shutdown <= grace ? [] : [{
        path: placeOf(settings, ['shutdownGracePeriod']),
        message: `pods have ${shutdown} s to end when the machine stops, and KubeVirt turns it off after ${grace} s`,
        fix: `write terminationGracePeriodSeconds of more than ${shutdown} for the machine, or shorten shutdownGracePeriod`,
      }];
    })));
  },
};

/** The templates of the machines that a configuration is for. */
function templatesOf(object: ManifestObject, index: ManifestIndex): ManifestObject[] {
  const owners = [object, ...referrersOf(object, index).map(({ object: owner }) => owner)];
  const references = owners.flatMap((owner) => referencesOf(owner)).map(({ reference }) => reference);
  const names = references.filter(({ kind }) => kind === KUBEVIRT_MACHINE_TEMPLATE).map(({ name }) => name);
  const templates = [...new Set(names)].map((name) => index.find(KUBEVIRT_MACHINE_TEMPLATE, namespaceOf(object), name));
  return templates.filter((template) => template !== undefined);
}

function configured(fields: string, instanceLines = ''): string {
  const machine = machineTemplate().replace('              domain:\n', `${instanceLines}              domain:\n`);
  return `${machine}${machineDeployment('acme-general')}---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: acme-general-5e6f7a8b
  namespace: tenant-acme
spec:
  template:
    spec:
      joinConfiguration:
        patches:
          directory: /etc/kubernetes/patches
      files:
        - path: /etc/kubernetes/patches/kubeletconfiguration.yaml
          content: |
${indented(fields, 12)}`;
}

/** Rules for kubelets in virtual machines. */
export const KUBELETS: readonly ManifestRule[] = [TOO_LARGE, GRACE_PERIOD];
