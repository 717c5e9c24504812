import { Testing } from 'cdk8s';
import { planAddons } from '../../../../src/constructs/addons/addon-plan';
import { MetalLb } from '../../../../src/constructs/addons/catalog/metal-lb';
import { Flannel } from '../../../../src/constructs/addons/cni/flannel';
import { Addon } from '../../../../src/constructs/contracts/addon';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { NifcloudCloudControllerManager } from '../../../../src/constructs/hosts/nifcloud/nifcloud-cloud-controller-manager';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { VultrApiKey } from '../../../../src/constructs/infrastructures/vultr/api-key';
import {
  VultrCloudControllerManager, VultrCloudControllerManagerAddon,
} from '../../../../src/constructs/infrastructures/vultr/vultr-cloud-controller-manager';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { problemsOf } from '../../../support/problems';
import { valuesOf } from '../bound';

/** Problems that a cluster on KubeVirt reports for an addon. */
function refused(addon: Addon, cloudControllerManager?: KubevirtCloudControllerManager): string[] {
  const app = Testing.app();
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane(),
    infrastructure: new KubevirtInfrastructure({ cloudControllerManager }),
    cni: new Flannel(),
    delivery: new FluxDelivery(),
  });
  cluster.addAddon(addon);
  return problemsOf(app).map(({ id, text }) => `${id} ${text}`);
}

test('beside a cloud controller manager that publishes Services without a class it needs one', () => {
  expect(refused(new MetalLb())).toEqual([expect.stringContaining('TC-ADDON-EXCLUSIVE the infrastructure and "metallb" bring default-load-balancer')]);
  expect(refused(new MetalLb({ loadBalancerClass: '' }))).toHaveLength(1);
  expect(refused(new MetalLb({ loadBalancerClass: 'metallb.io/metallb' }))).toEqual([]);
  expect(refused(new MetalLb({ values: { loadBalancerClass: 'metallb.io/metallb' } }))).toEqual([]);
});

test.each<[string, Addon]>([
  ['Nifcloud\'s', new NifcloudCloudControllerManager({ region: 'jp-east-1', credentials: { secretName: 'api' } })],
  ['Vultr\'s', new VultrCloudControllerManagerAddon(VultrCloudControllerManager.of({ apiKey: VultrApiKey.inTenant({ name: 'api', key: 'token' }) }))],
])('so it does beside %s', (_, manager) => {
  const network = new Flannel();
  const found = (balancer: Addon) => planAddons([network, manager, balancer]).problems.map(({ rule, message }) => `${rule.id} ${message}`);

  expect(found(new MetalLb())).toEqual([expect.stringMatching(/^TC-ADDON-EXCLUSIVE "metallb" and ".*" bring default-load-balancer/)]);
  expect(found(new MetalLb({ loadBalancerClass: 'metallb.io/metallb' }))).toEqual([]);
});

test('with FRR both DaemonSets run on every node', () => {
  const everywhere = [{ operator: 'Exists' }];

  expect(valuesOf(new MetalLb({ frr: true }))).toMatchObject({ 'speaker': { tolerations: everywhere }, 'frr-k8s': { frrk8s: { tolerations: everywhere } } });
  expect(valuesOf(new MetalLb())['frr-k8s']).toBeUndefined();
});

test('beside one that publishes none it needs no class', () => {
  expect(refused(new MetalLb(), KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }))).toEqual([]);
});
