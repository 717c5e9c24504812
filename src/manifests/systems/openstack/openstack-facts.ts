import { API_SERVER_RULES } from './api-server-rules';
import CLOUD_CONFIG from './cloud-config.json';
import { IDENTITY_RULES } from './identity-rules';
import { MACHINE_RULES } from './machine-rules';
import { BASTION_CHANGE, NETWORK_RULES } from './network-rules';
import { OPENSTACK_MACHINE_TEMPLATE } from './openstack-objects';
import { CLUSTER, MACHINE } from './page-parts';
import { VIRTUAL_ADDRESS_RULES } from './virtual-address-rules';
import { cloudConfigRule, formFacts, Provider, stringAt, TEMPLATE_FIELDS } from '../../rules/contract';

const CLOUD_CONFIG_RULE = cloudConfigRule({
  id: 'TC-TRAP-OPENSTACK-CLOUD-CONFIG',
  cloud: 'OpenStack',
  source: 'kubernetes/cloud-provider-openstack v1.36.0 pkg/openstack/openstack.go, pkg/client/client.go, pkg/csi/cinder/openstack/openstack.go, pkg/util/metadata/metadata.go, '
    + 'go-gcfg/gcfg set.go',
  text: '[Global]\nauth-url=https://identity.example.com/v3\nuse-clouds=false\n[LoadBalancer]\nfloating-network-id=80c9fc78-a2be-45d5-a85b-f17a6c98df92\ncreate-monitor=true\n',
  variable: 'floating-network-id',
}, CLOUD_CONFIG);

/** Facts that the table of the provider cannot hold, beside its rules over changes of fields. */
export const OPENSTACK_FACTS: Partial<Provider> = {
  ...formFacts(CLUSTER, MACHINE),
  rules: [...API_SERVER_RULES, ...NETWORK_RULES, ...MACHINE_RULES, ...VIRTUAL_ADDRESS_RULES, ...IDENTITY_RULES, CLOUD_CONFIG_RULE],
  changes: [BASTION_CHANGE],
  machineSizes: { [OPENSTACK_MACHINE_TEMPLATE]: (template) => ({ instanceType: stringAt(template, ...TEMPLATE_FIELDS, 'flavor') }) },
};
