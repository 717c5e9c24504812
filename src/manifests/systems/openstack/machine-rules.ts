import { machineTemplateText as templateText } from './openstack-objects';
import { ManifestObject } from '../../objects/manifest-object';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, FieldPath, isSet, listAt, objectsAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const WEBHOOKS = 'kubernetes-sigs/cluster-api-provider-openstack v0.14.7 pkg/webhooks';
const TEMPLATE_PATH: FieldPath = ['spec', 'template', 'spec'];

const machineText = (fields: string) => `apiVersion: ${GROUP}/v1beta1
kind: OpenStackMachine
metadata:
  name: acme-workers-1
  namespace: tenant-acme
spec:
  flavor: m1.large
  image: {filter: {name: ubuntu-2404}}
${fields}`;

const PROVIDER_ID: ManifestRule = {
  id: 'TC-ADMIT-OPENSTACK-PROVIDER-ID',
  title: 'A template of machines must not have a provider ID, which each machine gets from its server.',
  source: `${WEBHOOKS}/openstackmachinetemplate_webhook.go`,
  kinds: [`${GROUP}/OpenStackMachineTemplate`],
  example: { failing: templateText('      providerID: openstack:///1\n'), corrected: templateText('') },
  check: (object) => (typeof fieldAt(object, ...TEMPLATE_PATH, 'providerID') !== 'string' ? [] : [{
    path: [...TEMPLATE_PATH, 'providerID'], message: 'the webhook refuses a provider ID in a template', fix: 'remove it',
  }]),
};

const ROOT_DEVICE = '  rootVolume: {sizeGiB: 50}\n  additionalBlockDevices: [{name: data, sizeGiB: 10, storage: {type: Local}}]\n';

const MACHINE: ManifestRule = {
  id: 'TC-ADMIT-OPENSTACK-MACHINE',
  title: 'A machine with a root volume must not have another device "root", and a port without port security must not have security groups.',
  source: `${WEBHOOKS}/openstackmachine_webhook.go, openstackserver_webhook.go`,
  kinds: [`${GROUP}/OpenStackMachine`, `${GROUP}/OpenStackServer`],
  example: replaced(machineText(ROOT_DEVICE), 'name: data', 'name: root'),
  check: (object) => refusedMachine(object, ['spec']),
};

const TEMPLATE: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-MACHINE',
  title: 'A template must not ask for what is refused in each of its machines: a second device "root", or security groups of a port without port security.',
  source: `${WEBHOOKS}/openstackmachine_webhook.go`,
  trap: true,
  kinds: [`${GROUP}/OpenStackMachineTemplate`],
  example: replaced(templateText('      ports: [{disablePortSecurity: true}]\n'), 'true}', 'true, securityGroups: [{filter: {name: web}}]}'),
  check: (object) => refusedMachine(object, TEMPLATE_PATH),
};

/** Rules over machines, servers and their templates. */
export const MACHINE_RULES: readonly ManifestRule[] = [PROVIDER_ID, MACHINE, TEMPLATE];

function refusedMachine(object: ManifestObject, path: FieldPath): Finding[] {
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
