import { API_SERVER_RULES } from './api-server-rules';
import { CLOUD_CONFIG_RULES } from './cloud-config-rules';
import { MACHINE_RULES } from './machine-rules';
import { BASTION_CHANGE, NETWORK_RULES } from './network-rules';
import { OPENSTACK_MACHINE_TEMPLATE } from './openstack-objects';
import { PAGE_PARTS } from './page-parts';
import { VIRTUAL_ADDRESS_RULES } from './virtual-address-rules';
import { Provider } from '../../rules/provider';
import { stringAt } from '../../values/fields';

/** Facts that the table of the provider cannot hold, beside its rules over changes of fields. */
export const OPENSTACK_FACTS: Partial<Provider> = {
  pageParts: PAGE_PARTS,
  rules: [...API_SERVER_RULES, ...NETWORK_RULES, ...MACHINE_RULES, ...VIRTUAL_ADDRESS_RULES, ...CLOUD_CONFIG_RULES],
  changes: [BASTION_CHANGE],
  templateWords: {
    [OPENSTACK_MACHINE_TEMPLATE]: {
      'template.spec': 'machine',
      ...Object.fromEntries(['flavor', 'image', 'rootVolume', 'serverGroup', 'securityGroups', 'ports', 'sshKeyName'].map((field) => [`template.spec.${field}`, field])),
    },
  },
  machineSizes: { [OPENSTACK_MACHINE_TEMPLATE]: (template) => ({ instanceType: stringAt(template, 'spec', 'template', 'spec', 'flavor') }) },
};
