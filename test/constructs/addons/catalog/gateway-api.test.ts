import { Chart, Duration, Testing } from 'cdk8s';
import { AddonSet } from '../../../../src/constructs/addons/addon-set';
import { EnvoyGateway } from '../../../../src/constructs/addons/catalog/envoy-gateway';
import { GatewayApi, GatewayApiChannel, GatewayApiProps } from '../../../../src/constructs/addons/catalog/gateway-api';
import { Cilium } from '../../../../src/constructs/addons/cni/cilium';
import { ManifestFileAddon } from '../../../../src/constructs/addons/manifest-addon';
import { Addon } from '../../../../src/constructs/contracts/addon';
import { Delivery } from '../../../../src/constructs/contracts/delivery/delivery';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { clusterContext } from '../../../support/contexts';
import { problemsOf } from '../../../support/problems';
import { RecordingDelivery } from '../recording-delivery';

function manifestsOf(props?: GatewayApiProps) {
  return new GatewayApi(props).bind(new Chart(Testing.app(), 'tenant'), clusterContext()).gitManifests;
}

test('the definitions are those of the releases, as their projects keep them', () => {
  const gatewayApi = { name: 'gateway-api', repository: 'https://github.com/kubernetes-sigs/gateway-api', tag: 'v1.6.1' };

  expect(manifestsOf()).toEqual([
    { ...gatewayApi, path: 'config/crd' },
    { name: 'gateway-api-envoy', repository: 'https://github.com/envoyproxy/gateway', tag: 'v1.9.0', path: 'charts/gateway-helm/charts/crds/crds/generated' },
  ]);
  expect(manifestsOf({ channel: GatewayApiChannel.EXPERIMENTAL, envoyGateway: false })).toEqual([{ ...gatewayApi, path: 'config/crd/experimental' }]);
});

test('they come from mirrors, under a name of its own, and as late as is said', () => {
  const props = { name: 'own', repository: 'https://git.example.com/a', envoyGatewayRepository: 'https://git.example.com/b', timeout: Duration.minutes(1) };

  expect(manifestsOf(props)).toMatchObject([
    { name: 'own', repository: 'https://git.example.com/a', timeout: Duration.minutes(1) },
    { name: 'own-envoy', repository: 'https://git.example.com/b', timeout: Duration.minutes(1) },
  ]);
  const cilium = new Cilium();
  expect(new GatewayApi({ after: [cilium] })).toMatchObject({ provides: ['gateway-api'], requires: [], after: [cilium] });
});

test('what needs them comes after all of them', () => {
  const delivery = new RecordingDelivery();
  const owner = new Chart(Testing.app(), 'acme');
  const set = new AddonSet(owner, clusterContext(), { delivery, scope: owner });
  [new Cilium({ gatewayApi: true }), new EnvoyGateway(), new GatewayApi()].forEach((addon) => set.add(addon));

  expect(delivery.after).toEqual({
    'gateway-api': [], 'gateway-api-envoy': [], 'cilium': ['gateway-api', 'gateway-api-envoy'], 'envoy-gateway': ['cilium', 'gateway-api', 'gateway-api-envoy'],
  });
});

describe('a cluster', () => {
  function problems(delivery: Delivery, definitions: Addon): { id: string; text: string }[] {
    const app = Testing.app();
    const cluster = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane(),
      infrastructure: new KubevirtInfrastructure(),
      cni: new Cilium({ gatewayApi: true }),
      delivery,
    });
    cluster.addAddon(definitions);
    return problemsOf(app);
  }

  test('with Flux gets them', () => {
    expect(problems(new FluxDelivery(), new GatewayApi())).toEqual([]);
  });

  test('with a HelmChartProxy is told what else there is, which works', () => {
    const found = problems(new HelmChartProxyDelivery(), new GatewayApi({ envoyGateway: false }));
    expect(found).toMatchObject([{ id: 'TC-DELIVERY-GIT-UNSUPPORTED', text: expect.stringContaining('a ManifestFileAddon that provides the same capabilities') }]);

    const copy = new ManifestFileAddon('gateway-api', `${__dirname}/gateway-class-definition.yaml`, { provides: ['gateway-api'], requires: [] });
    expect(problems(new HelmChartProxyDelivery(), copy)).toEqual([]);
  });

  test('is told about an address that is none', () => {
    const found = problems(new FluxDelivery(), new GatewayApi({ repository: 'git@example.com:a', envoyGateway: false }));
    expect(found).toMatchObject([{ id: 'TC-DELIVERY-REPOSITORY', text: expect.stringContaining('gitManifests["gateway-api"].repository') }]);
  });
});
