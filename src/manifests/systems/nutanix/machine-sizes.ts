import { specPath } from '../../rules/cluster-api/machine-template-rules';
import { replaced, templateYaml } from '../../rules/contract';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt } from '../../values/fields';
import { checkQuantity, compareQuantities } from '../../values/quantity';

/** The least that a machine may have. */
const LEAST: Readonly<Record<string, string>> = { systemDiskSize: '20Gi', memorySize: '2Gi' };

const TEXT = templateYaml('infrastructure.cluster.x-k8s.io/v1beta1', 'NutanixMachineTemplate', `image: {type: name, name: ubuntu}
cluster: {type: name, name: prism}
subnet: [{type: name, name: vlan-10}]
memorySize: 4Gi
systemDiskSize: 40Gi
vcpuSockets: 2
vcpusPerSocket: 1
`);

const SIZES: ManifestRule = {
  id: 'TC-TRAP-NUTANIX-MACHINE-SIZE',
  title: 'Machines of Nutanix must have 2 GiB of memory and a system disk of 20 GiB at least: the controller makes no smaller ones.',
  source: 'nutanix-cloud-native/cluster-api-provider-nutanix controllers/nutanixmachine_controller.go (validateMachineConfig), v1.10.3',
  kinds: ['NutanixMachine', 'NutanixMachineTemplate'].map((kind) => `infrastructure.cluster.x-k8s.io/${kind}`),
  trap: true,
  example: replaced(TEXT, 'systemDiskSize: 40Gi', 'systemDiskSize: 18Gi'),
  check: (object) => Object.entries(LEAST).flatMap(([field, least]) => {
    const path = [...specPath(object), field];
    const given = fieldAt(object, ...path);
    const size = typeof given === 'string' || typeof given === 'number' ? String(given) : undefined;
    if (size === undefined || checkQuantity(size) !== undefined || compareQuantities(size, least) >= 0) return [];
    return [{ path, message: `${size} is less than the controller takes`, accepted: `${least} and more`, fix: `write ${least} or more` }];
  }),
};

/** Rules over sizes of machines. */
export const NUTANIX_SIZES: readonly ManifestRule[] = [SIZES];
