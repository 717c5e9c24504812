import { API_VERSION, MACHINE_TEXT, machineTemplateText, OPENSTACK_MACHINE, OPENSTACK_MACHINE_TEMPLATE, OPENSTACK_SERVER } from './openstack-objects';
import {
  fieldAt, FieldPath, Finding, isSet, listAt, machineRules, ManifestRule, objectsAt, providerYaml, replaced, specPath,
  templateProviderId,
} from '../../rules/contract';

const WEBHOOKS = 'kubernetes-sigs/cluster-api-provider-openstack v0.14.7 pkg/webhooks';
const ROOT_DEVICE = 'rootVolume: {sizeGiB: 50}\nadditionalBlockDevices: [{name: data, sizeGiB: 10, storage: {type: Local}}]\n';

const FLAVOR: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-FLAVOR',
  title: 'A machine should have a flavor by its name or by its ID: beside the ID, the name is not read.',
  source: 'kubernetes-sigs/cluster-api-provider-openstack v0.14.7 pkg/cloud/services/compute/instance.go (GetFlavorID)',
  trap: true,
  warning: true,
  kinds: [OPENSTACK_MACHINE, OPENSTACK_MACHINE_TEMPLATE, OPENSTACK_SERVER],
  example: { failing: machineTemplateText('flavorID: 4d2cbb3e\n'), corrected: machineTemplateText('') },
  check: (object) => {
    const path = specPath(object);
    return isSet(object, ...path, 'flavor') && isSet(object, ...path, 'flavorID')
      ? [{ path: [...path, 'flavor'], message: 'the machines have the flavor of flavorID', fix: 'remove one of both' }] : [];
  },
};

/** Rules over machines, servers and their templates. */
export const MACHINE_RULES: readonly ManifestRule[] = [
  FLAVOR,
  templateProviderId('TC-ADMIT-OPENSTACK-PROVIDER-ID', OPENSTACK_MACHINE_TEMPLATE, `${WEBHOOKS}/openstackmachinetemplate_webhook.go`, {
    failing: machineTemplateText('providerID: openstack:///1\n'), corrected: machineTemplateText(''),
  }, true),
  ...machineRules({
    machines: {
      id: 'TC-ADMIT-OPENSTACK-MACHINE',
      title: 'A machine with a root volume must not have another device "root", and a port without port security must not have security groups.',
      source: `${WEBHOOKS}/openstackmachine_webhook.go, openstackserver_webhook.go`,
      kinds: [OPENSTACK_MACHINE, OPENSTACK_SERVER],
      example: replaced(providerYaml(API_VERSION, 'OpenStackMachine', `${MACHINE_TEXT}${ROOT_DEVICE}`, 'acme-workers-1'), 'name: data', 'name: root'),
    },
    templates: {
      id: 'TC-TRAP-OPENSTACK-MACHINE',
      title: 'A template must not ask for what is refused in each of its machines: a second device "root", or security groups of a port without port security.',
      source: `${WEBHOOKS}/openstackmachine_webhook.go`,
      kinds: [OPENSTACK_MACHINE_TEMPLATE],
      example: replaced(machineTemplateText('ports: [{disablePortSecurity: true}]\n'), 'true}', 'true, securityGroups: [{filter: {name: web}}]}'),
    },
    check: refusedMachine,
  }),
];

function refusedMachine(object: object, path: FieldPath): Finding[] {
  const spec = fieldAt(object, ...path);
  const roots = isSet(spec, 'rootVolume') ? objectsAt(spec, 'additionalBlockDevices').filter(([{ name }]) => name === 'root') : [];
  const ports = objectsAt(spec, 'ports').filter(([port]) => port.disablePortSecurity === true && listAt(port, 'securityGroups').length > 0);
  return [
    ...roots.map(([, index]) => ({
      path: [...path, 'additionalBlockDevices', index, 'name'], message: '"root" is the name of the root volume', fix: 'give the device another name',
    })),
    ...ports.map(([, index]) => ({
      path: [...path, 'ports', index, 'securityGroups'], message: 'a port without port security has no security groups', fix: 'remove securityGroups, or disablePortSecurity',
    })),
  ];
}
