/* eslint-disable @typescript-eslint/no-floating-promises -- Node.js's test runner waits for its tests. */
import { deepEqual, match, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { Size, Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { HETZNER, HetznerInfrastructure, HetznerMachine } from './index';
import './register';
import {
  Cni, type ControlPlane, FluxDelivery, GitOpsApp, KamajiControlPlane, KubeadmControlPlane, Plan, PoolSize, TenantCluster, testing, validation,
} from 'cdk8s-cluster-api';
import { validate } from 'cdk8s-cluster-api/manifests';

const KUBEADM = new KubeadmControlPlane({ machine: new HetznerMachine({ serverType: 'cx33', image: 'node-1.35.4' }), replicas: 3 });

/** The page of a user, with regions, a control plane and a server type of the test. */
function page(regions: string[], controlPlane: ControlPlane = KUBEADM, serverType = 'cpx32'): TenantCluster {
  const app = new GitOpsApp({ validation: validation.ManifestValidation.of({ crds: ['crds'], strict: true }) });
  const acme = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    infrastructure: new HetznerInfrastructure({ regions, sshKeys: ['ops'], storageClasses: [{ name: 'volumes', isDefault: true }] }),
    controlPlane,
    cni: Cni.none(),
    delivery: new FluxDelivery(),
  });
  acme.addNodePool('general', {
    machine: new HetznerMachine({ serverType, image: 'node-1.35.4' }), size: PoolSize.between(0, 10), failureDomain: regions[0],
  });
  return acme;
}

test('the objects fit the definitions of the provider, and pools have the sizes of server types', () => {
  const pool = testing.ClusterAssertions.of(page(['fsn1', 'nbg1'])).pool('general');

  pool.hasMachine({ instanceType: 'cpx32', cpu: 4, memory: Size.gibibytes(8) });
  pool.hasSize(PoolSize.between(0, 10));
});

test('a control plane that brings the endpoint, without machines of its own, is accepted', () => {
  testing.ClusterAssertions.of(page(['fsn1'], new KamajiControlPlane({ dataStore: 'default' }))).hasPools(['general']);
});

test('what the provider refuses is refused at the property of the page', () => {
  throws(() => testing.ClusterAssertions.of(page(['fsn1', 'ash'])), /ACME-HETZNER-REGIONS infrastructure\.regions\[1\]: "ash"/);
  throws(() => testing.ClusterAssertions.of(page(['fra1'])), /infrastructure\.regions\[0\]: "fra1"/);
});

test('a plan has the words of the provider, and says what becomes of machines', () => {
  const [before, after] = [page(['fsn1']), page(['fsn1'], KUBEADM, 'cx43')].map((cluster) => Testing.synth(cluster));

  match(Plan.between(before, after).toString(), /machines are replaced.*: server type cpx32 -> cx43/);
});

for (const { id, example } of HETZNER.rules ?? []) {
  test(`${id} finds what its example shows`, () => {
    const broken = (text: string) => {
      const objects = parseAllDocuments(text).map((document) => document.toJS() as object);
      return validate(objects).findings.map(({ rule }) => rule).filter((rule) => rule.startsWith('ACME-'));
    };

    deepEqual([broken(example.failing), broken(example.corrected)], [[id], []]);
  });
}
