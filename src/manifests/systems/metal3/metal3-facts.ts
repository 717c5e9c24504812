import { METAL3_MACHINES } from './machine-data';
import { METAL3_CLUSTER } from './metal3-kinds';
import { hostsMove } from './moves';
import { METAL3_NODES } from './nodes';
import { PAGE_PARTS } from './page-parts';
import { METAL3_REMEDIATION } from './remediation';
import { METAL3_WEBHOOKS } from './webhooks';
import { ManifestObject } from '../../objects/manifest-object';
import { Provider } from '../../rules/provider';
import { isSet } from '../../values/fields';

const HOST_SOURCE = 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (setHostSpec, setHostConsumerRef)';

/** Fields of hosts that the provider writes when a machine takes them. */
const HOST_FIELDS = ['image', 'customDeploy', 'userData', 'metaData', 'networkData', 'consumerRef', 'online', 'automatedCleaningMode'].map((name) => ({
  field: `spec.${name}`, holds: 'the machine that has the host', when: (host: ManifestObject) => isSet(host, 'spec', 'consumerRef'), source: HOST_SOURCE,
}));

/** Facts of Metal3 that its table does not hold. */
export const METAL3_FACTS: Partial<Provider> = {
  rules: [...METAL3_WEBHOOKS, ...METAL3_MACHINES, ...METAL3_NODES, METAL3_REMEDIATION],
  pageParts: PAGE_PARTS,
  moves: { [METAL3_CLUSTER]: hostsMove },
  managers: [{ name: 'baremetal-operator', role: 'controller', title: 'the Bare Metal Operator', source: 'metal3-io/baremetal-operator Dockerfile (ENTRYPOINT)' }],
  controllerFields: { 'metal3.io/BareMetalHost': HOST_FIELDS },
};
