import { Testing } from 'cdk8s';
import { KubePrometheusStack, KubePrometheusStackProps } from '../../../../src/constructs/addons/catalog/kube-prometheus-stack';
import { Flannel } from '../../../../src/constructs/addons/cni/flannel';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import { Delivery } from '../../../../src/constructs/contracts/delivery/delivery';
import { ArgoCdDelivery } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { exampleCluster } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';

test('Argo CD refuses Grafana without that Secret, and nothing else does', () => {
  const refused = (delivery: Delivery, props: KubePrometheusStackProps = {}) => {
    const app = Testing.app();
    ManifestValidation.attach(app);
    exampleCluster(app, { cni: new Flannel(), delivery }).addAddon(new KubePrometheusStack(props));
    return problemsOf(app).map(({ id, text }) => `${id} ${text}`);
  };

  expect(refused(new ArgoCdDelivery())).toEqual([expect.stringMatching(/^TC-TRAP-ARGO-CD-GRAFANA-PASSWORD .*grafanaAdminSecret of KubePrometheusStack/)]);
  expect(refused(new ArgoCdDelivery(), { grafanaAdminSecret: 'grafana-admin' })).toEqual([]);
  expect(refused(new ArgoCdDelivery(), { grafana: false })).toEqual([]);
  expect(refused(new FluxDelivery())).toEqual([]);
});
