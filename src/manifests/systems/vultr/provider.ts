import { VULTR_CLUSTER, VULTR_CLUSTER_TEMPLATE, VULTR_MACHINE, VULTR_MACHINE_TEMPLATE } from './rules/vultr-kinds';
import { VULTR_MANIFEST_RULES } from './rules/vultr-rules';
import { Provider } from '../../rules/provider';
import { stringAt } from '../../values/fields';

/** Cluster API's provider for Vultr. */
export const VULTR: Provider = {
  name: 'vultr',
  title: 'Vultr',
  kinds: [
    { kind: VULTR_CLUSTER, role: 'cluster' },
    { kind: VULTR_CLUSTER_TEMPLATE, role: 'clusterTemplate' },
    { kind: VULTR_MACHINE, holdsState: true },
    { kind: VULTR_MACHINE_TEMPLATE, role: 'machineTemplate' },
  ],
  namespaces: { 'capvultr-system': 'Cluster API\'s provider for Vultr runs there' },
  rules: VULTR_MANIFEST_RULES,
  templateWords: {
    [VULTR_MACHINE_TEMPLATE]: { 'template.spec.planID': 'plan', 'template.spec.region': 'region', 'template.spec.snapshot_id': 'snapshot', 'template.spec': 'machine' },
  },
  machineSizes: { [VULTR_MACHINE_TEMPLATE]: (template) => ({ instanceType: stringAt(template, 'spec', 'template', 'spec', 'planID') }) },
};
