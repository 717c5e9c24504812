import { BARE_METAL_HOSTS } from './bare-metal-hosts';
import { hostConsequences } from './host-consequences';
import { METAL3_MACHINES } from './machine-data';
import { METAL3_HOST_RULE, METAL3_HOSTS } from './machine-hosts';
import { METAL3_CLUSTER } from './metal3-kinds';
import { METAL3_NODES } from './nodes';
import { CLUSTER, MACHINE } from './page-parts';
import { METAL3_REMEDIATION } from './remediation';
import { METAL3_WEBHOOKS } from './webhooks';
import { formFacts, isSet, ManifestObject, MoveFactsOf, Provider } from '../../rules/contract';

/** Fields of hosts that the provider writes when a machine takes them. */
const HOST_FIELDS = ['image', 'customDeploy', 'userData', 'metaData', 'networkData', 'consumerRef', 'online', 'automatedCleaningMode'].map((name) => ({
  field: `spec.${name}`,
  holds: 'the machine that has the host',
  when: (host: ManifestObject) => isSet(host, 'spec', 'consumerRef'),
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (setHostSpec, setHostConsumerRef)',
}));

/**
 * The move of a Metal3Cluster. Its machines are BareMetalHosts, of a controller beside Cluster API. Hosts that stay behind are deprovisioned when
 * their namespace is deleted, and hosts that come without their status are inspected and provisioned anew.
 *
 * Source: metal3-io/baremetal-operator docs/baremetalhost-states.md.
 */
const hostsMove: MoveFactsOf = (_, { from }) => ({
  obstacles: [{
    message: `its machines are BareMetalHosts: one that stays in ${from.name} is wiped when it is deleted there, and one that comes without its status is provisioned anew`,
    fix: 'follow the steps of Metal3 for pivoting, which this command does not list',
  }],
});

/** Facts of Metal3 that its table does not hold. */
export const METAL3_FACTS: Partial<Provider> = {
  rules: [...METAL3_WEBHOOKS, ...BARE_METAL_HOSTS, ...METAL3_MACHINES, ...METAL3_NODES, METAL3_HOST_RULE, METAL3_REMEDIATION],
  ...formFacts(CLUSTER, MACHINE),
  moves: { [METAL3_CLUSTER]: hostsMove },
  managers: [{ name: 'baremetal-operator', role: 'controller', title: 'the Bare Metal Operator', source: 'metal3-io/baremetal-operator Dockerfile (ENTRYPOINT)' }],
  controllerFields: { 'metal3.io/BareMetalHost': HOST_FIELDS },
  machineHosts: METAL3_HOSTS,
  consequences: { 'metal3.io/BareMetalHost': hostConsequences },
};
