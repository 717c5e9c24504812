import { Testing } from 'cdk8s';
import { CertManager } from '../../../src/constructs/addons/catalog/cert-manager';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Flannel } from '../../../src/constructs/addons/cni/flannel';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { Addon } from '../../../src/constructs/contracts/addon';
import { Delivery } from '../../../src/constructs/contracts/delivery/delivery';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { exampleCluster } from '../../support/clusters';
import { problemsOf } from '../../support/problems';

/** Values as JavaScript takes them, and TypeScript does not. */
type Anything = { [key: string]: unknown };

const circle: Anything = { replicas: 2 };
circle.inner = { self: circle };
const endless: unknown[] = [];
endless.push(endless);

const SHAPES: [what: string, values: unknown, at: string, text: string][] = [
  ['an object in itself', circle, '.inner.self', 'the value is a value that contains itself, which YAML cannot hold'],
  ['a list in itself', { list: endless }, '.list', 'the value is a value that contains itself, which YAML cannot hold'],
];

const ADDONS: [name: string, make: (values: Anything) => Addon][] = [
  ['podinfo', (values) => new HelmAddon('podinfo', { chart: 'podinfo', repository: 'oci://ghcr.io/stefanprodan/charts', chartVersion: '6.9.0', namespace: 'apps', requires: [], values })],
  ['cert-manager', (values) => new CertManager({ values })],
  ['cilium', (values) => new Cilium({ kubeProxyReplacement: false, values })],
];

const DELIVERIES: [name: string, delivery: Delivery][] = [
  ['Flux', new FluxDelivery()], ['Argo CD', new ArgoCdDelivery()], ['the provider for Helm', new HelmChartProxyDelivery()],
];

describe.each(ADDONS)('%s', (name, make) => {
  test.each(SHAPES)('with values that are %s is refused', (_, values, at, text) => {
    for (const [, delivery] of DELIVERIES) {
      for (const images of [undefined, new ImageSources({ imageRegistry: 'registry.example.com' })]) {
        const app = Testing.app();
        const addon = make(values as Anything);
        const cluster = exampleCluster(app, { delivery, images, cni: addon instanceof Cilium ? addon : new Flannel() });
        if (!(addon instanceof Cilium)) cluster.addAddon(addon);
        expect(problemsOf(app).filter(({ id }) => !id.startsWith('TC-IMAGE')).map((problem) => problem.text)).toEqual([expect.stringContaining(`charts["${name}"].values${at}: ${text}`)]);
      }
    }
  });
});
