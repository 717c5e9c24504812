import { managerArguments } from './cloud-controller-manager-addon';
import { VultrCloudControllerManager } from './vultr-cloud-controller-manager';
import { Problem } from '../../../../manifests/values/problem';
import { imageName, VULTR_CLOUD_CONTROLLER_MANAGER } from '../../../../manifests/values/versions';
import { checkContainer, releaseOf } from '../../../addons/controllers/controller-checks';
import { Versions } from '../../../contracts/versions';
import { checkApiKey } from '../api-key';

/** Name of the property of a cluster that holds the options. */
const PROPERTY = 'infrastructure.cloudControllerManager';

const PROBED = 'its probe asks at the default port of the machine';
const ELECTION = 'its role lets it have no other Lease than the default one';
const OWN_ACCOUNT = 'it works on the tenant that it runs in, with the rights of its own ServiceAccount';
const NO_FILES = 'its pod has no volume for files';
const OWN_CERTIFICATE = 'it makes its certificate itself';
const POD_NETWORK = 'pods get their addresses from the pod network of the cluster';
const WORK = 'nodes or Services would have no controller';

/**
 * Flags by which it would not start or not do its work, or which would do nothing, with the reason. What they mean to every cloud controller
 * manager: k8s.io/cloud-provider options/options.go.
 */
const MANAGED: Readonly<Record<string, string>> = {
  'allocate-node-cidrs': POD_NETWORK,
  'authentication-kubeconfig': OWN_ACCOUNT,
  'authorization-kubeconfig': OWN_ACCOUNT,
  'bind-address': PROBED,
  'cert-dir': OWN_CERTIFICATE,
  'cidr-allocator-type': POD_NETWORK,
  'client-ca-file': NO_FILES,
  'cloud-config': NO_FILES,
  'cluster-cidr': POD_NETWORK,
  'configure-cloud-routes': 'Vultr has no routes for pods',
  'controllers': WORK,
  'enable-leader-migration': 'it takes no work over from another controller manager',
  'kubeconfig': OWN_ACCOUNT,
  'leader-elect-resource-lock': ELECTION,
  'leader-elect-resource-name': ELECTION,
  'leader-elect-resource-namespace': ELECTION,
  'leader-migration-config': NO_FILES,
  'master': OWN_ACCOUNT,
  'requestheader-client-ca-file': NO_FILES,
  'secure-port': PROBED,
  'tls-cert-file': NO_FILES,
  'tls-private-key-file': NO_FILES,
  'use-service-account-credentials': 'it has one ServiceAccount, which may make no tokens for others',
};

/** Checks how the cloud controller manager is to run. */
export function checkCloudControllerManager({ enabled, options, _apiKey }: VultrCloudControllerManager, versions: Versions): Problem[] {
  if (!enabled) return [];
  return [
    ...checkApiKey(`${PROPERTY}.apiKey`, _apiKey),
    ...checkContainer(PROPERTY, options, {
      component: 'vultr-cloud-controller-manager',
      release: releaseOf(options.image ?? imageName(VULTR_CLOUD_CONTROLLER_MANAGER, versions)),
      managed: { ...MANAGED, ...Object.fromEntries(managerArguments('').map(({ name }) => [name, 'the library sets it'])) },
    }),
  ];
}
