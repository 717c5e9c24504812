import { clusterText, machineTemplateText, OPENSTACK_CLUSTER } from './openstack-objects';
import {
  clusterOf, clusterOnMachines, documents, fieldAt, Finding, isSet, kubeadmPlaneYaml, ManifestObject, ManifestRule, numberAt, partOf, partReference,
  partsYaml, providerYaml, replaced, stringAt,
} from '../../rules/contract';

const CONTROLLERS = 'kubernetes-sigs/cluster-api-provider-openstack v0.14.7 controllers';
const HOSTED = 'controlplane.cluster.x-k8s.io/KamajiControlPlane';
const MANAGED_BY = 'cluster.x-k8s.io/managed-by';

const KUBEADM = documents(
  machineTemplateText('', 'acme-control-plane'), partsYaml('KubeadmControlPlane', 'OpenStackCluster'),
  kubeadmPlaneYaml('files: [{path: /etc/motd, content: hello}]\n', 'OpenStackMachineTemplate'),
);
const KAMAJI = documents(
  partsYaml('KamajiControlPlane', 'OpenStackCluster'),
  providerYaml('controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', 'version: v1.35.4\naddons: {coreDNS: {dnsServiceIPs: [10.96.0.10]}}\n'),
);
const NETWORK = 'managedSubnets: [{cidr: 10.6.0.0/24}]\n';
const BALANCED = clusterText(`${NETWORK}apiServerLoadBalancer: {enabled: true}\n`);
const LEFT = clusterText(`${NETWORK}disableAPIServerFloatingIP: true\n`);

const HOSTED_ENDPOINT: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-KAMAJI',
  title: 'With a KamajiControlPlane, an OpenStackCluster must have no load balancer and no floating IP for the API server, and must leave apiServerFixedIP and apiServerPort to Kamaji\'s provider.',
  source: `${CONTROLLERS}/openstackcluster_controller.go (reconcileControlPlaneEndpoint), pkg/webhooks/openstackcluster_webhook.go, `
    + 'clastix/cluster-api-control-plane-provider-kamaji v0.20.0 controllers/kamajicontrolplane_controller_cluster_patch.go (patchOpenStackCluster)',
  trap: true,
  kinds: [OPENSTACK_CLUSTER],
  example: { failing: documents(KAMAJI, BALANCED), corrected: documents(KAMAJI, LEFT) },
  check: (object, index) => {
    const cluster = clusterOf(object, index);
    if (!cluster || partReference(cluster, 'controlPlaneRef')?.kind !== HOSTED) return [];
    return [
      ...(isBalanced(object) ? [{
        path: ['spec', 'apiServerLoadBalancer'], message: 'the provider makes a load balancer of its own the address of the API server', fix: 'remove apiServerLoadBalancer',
      }] : []),
      ...(fieldAt(object, 'spec', 'disableAPIServerFloatingIP') === true ? [] : [{
        path: ['spec', 'disableAPIServerFloatingIP'],
        message: 'the webhook refuses the address that Kamaji\'s provider writes, unless the floating IP is disabled',
        fix: 'write disableAPIServerFloatingIP: true',
      }]),
      ...['apiServerFixedIP', 'apiServerPort'].filter((field) => isSet(object, 'spec', field)).map((field): Finding => ({
        path: ['spec', field], message: 'Kamaji\'s provider writes it, and a value here is written over it at each apply, which the webhook refuses', fix: `remove ${field}`,
      })),
      ...(isSet(object, 'metadata', 'annotations', MANAGED_BY) ? [{
        path: ['metadata', 'annotations', MANAGED_BY], message: 'the provider leaves the object alone, so that there are no networks and the cluster waits for ever', fix: 'remove it',
      }] : []),
    ];
  },
};

const ENDPOINT: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-ENDPOINT',
  title: 'A control plane on machines must have an address: a load balancer, a floating IP, apiServerFixedIP or controlPlaneEndpoint.',
  source: `${CONTROLLERS}/openstackcluster_controller.go (reconcileControlPlaneEndpoint)`,
  trap: true,
  kinds: [OPENSTACK_CLUSTER],
  example: { failing: documents(KUBEADM, LEFT), corrected: documents(KUBEADM, BALANCED) },
  check: (object, index) => {
    const spec = fieldAt(object, 'spec');
    const disabled = ['disableAPIServerFloatingIP', 'disableExternalNetwork'].find((field) => fieldAt(spec, field) === true);
    const isGiven = isSet(spec, 'apiServerFixedIP') || stringAt(spec, 'controlPlaneEndpoint', 'host') !== undefined;
    return disabled === undefined || isBalanced(object) || isGiven || !clusterOnMachines(object, index) ? [] : [{
      path: ['spec', 'controlPlaneEndpoint'],
      message: `no address of the API server can be found: there is no load balancer, and ${disabled} rules a floating IP out`,
      fix: 'write apiServerLoadBalancer: {enabled: true}, or the address of your own load balancer or kube-vip into controlPlaneEndpoint',
    }];
  },
};

const FLOATING_IP: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-FLOATING-IP',
  title: 'A control plane of several machines should have a load balancer: the floating IP of the API server stays at its first machine.',
  source: `${CONTROLLERS}/openstackmachine_controller.go (reconcileAPIServerLoadBalancer), docs/book/src/clusteropenstack/configuration.md`,
  trap: true,
  warning: true,
  kinds: [OPENSTACK_CLUSTER],
  example: replaced(documents(KUBEADM, BALANCED), '  apiServerLoadBalancer: {enabled: true}\n', ''),
  check: (object, index) => {
    const cluster = clusterOnMachines(object, index);
    const replicas = numberAt(cluster && partOf(cluster, 'controlPlaneRef', index), 'spec', 'replicas') ?? 1;
    const disabled = ['disableAPIServerFloatingIP', 'disableExternalNetwork'].some((field) => fieldAt(object, 'spec', field) === true);
    return replicas < 2 || disabled || isBalanced(object) ? [] : [{
      path: ['spec', 'apiServerLoadBalancer'],
      message: `${replicas} machines share a floating IP that the provider does not move: the API server is gone with the first one`,
      fix: 'write apiServerLoadBalancer: {enabled: true}',
    }];
  },
};

/** Rules over the address of the API server. */
export const API_SERVER_RULES: readonly ManifestRule[] = [HOSTED_ENDPOINT, ENDPOINT, FLOATING_IP];

/** The provider makes a load balancer unless `enabled` is false (api/v1beta1/types.go, IsEnabled). */
function isBalanced(object: ManifestObject): boolean {
  return isSet(object, 'spec', 'apiServerLoadBalancer') && fieldAt(object, 'spec', 'apiServerLoadBalancer', 'enabled') !== false;
}
