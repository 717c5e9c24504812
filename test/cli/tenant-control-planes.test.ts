import * as path from 'node:path';
import { expectFile } from './golden-file';
import { Workplace } from './run';
import { ExitCode } from '../../src/cli/command';

const GOLDEN = path.join(__dirname, 'golden', 'tenant-control-planes');

const ENTRY = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 1m0s, url: "https://git.example.com/fleet.git", ref: {branch: main}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: tenants, namespace: flux-system}
spec: {interval: 10m0s, prune: true, path: ./tenants, sourceRef: {kind: GitRepository, name: fleet}}
`;

const STORE = `apiVersion: kamaji.clastix.io/v1alpha1
kind: DataStore
metadata: {name: tenants}
spec:
  driver: PostgreSQL
  endpoints: ["database.example.com:5432"]
  basicAuth:
    username: {secretReference: {name: database, namespace: kamaji-system, keyPath: username}}
    password: {secretReference: {name: database, namespace: kamaji-system, keyPath: password}}
`;

/** A TenantControlPlane as a chart of a platform team renders it. */
function rendered(name: string, version: string, address: string): string {
  return `---
# Source: tenant/templates/control-plane.yaml
apiVersion: kamaji.clastix.io/v1alpha1
kind: TenantControlPlane
metadata:
  name: ${name}
  namespace: tenants
  labels:
    app.kubernetes.io/managed-by: Helm
    helm.sh/chart: tenant-1.2.0
spec:
  dataStore: tenants
  dataStoreSchema: ${name}
  dataStoreUsername: ${name}
  controlPlane:
    deployment:
      replicas: 2
      registrySettings: {registry: registry.k8s.io}
    service: {serviceType: LoadBalancer}
  kubernetes:
    version: ${version}
    kubelet: {cgroupfs: systemd}
    admissionControllers: [ResourceQuota, LimitRanger]
  networkProfile: {address: ${address}, port: 6443, podCidr: 10.36.0.0/16, serviceCidr: 10.96.0.0/16}
  addons:
    coreDNS: {}
    kubeProxy: {}
    konnectivity: {server: {port: 8132}}
`;
}

const RELEASES = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: flannel, namespace: tenants}
spec: {interval: 1h0m0s, url: "https://flannel-io.github.io/flannel"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: blue-flannel, namespace: tenants}
spec:
  interval: 10m0s
  kubeConfig: {secretRef: {name: blue-admin-kubeconfig, key: super-admin.svc}}
  releaseName: flannel
  targetNamespace: kube-flannel
  storageNamespace: kube-system
  install: {createNamespace: true, remediation: {retries: -1}}
  upgrade: {remediation: {retries: -1}}
  values: {podCidr: 10.36.0.0/16}
  chart: {spec: {chart: flannel, version: v0.27.4, sourceRef: {kind: HelmRepository, name: flannel}}}
`;

let workplace: Workplace;

beforeAll(() => {
  workplace = new Workplace();
  const common = { 'flux.yaml': ENTRY, 'tenants/store.yaml': STORE, 'tenants/releases.yaml': RELEASES };
  const at = (folder: string, files: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  workplace.write({
    ...at('old', { ...common, 'tenants/rendered.yaml': `${rendered('blue', 'v1.35.2', '192.0.2.10')}${rendered('green', 'v1.35.2', '192.0.2.11')}` }),
    ...at('new', { ...common, 'tenants/rendered.yaml': rendered('blue', 'v1.36.1', '192.0.2.10') }),
  });
});
afterAll(() => workplace.remove());

test.each([
  ['inventory.txt', ['inventory', 'old']],
  ['graph.mmd', ['graph', 'old', '--cluster', 'tenants/blue']],
  ['images.txt', ['images', 'old']],
])('%s of TenantControlPlanes that a chart renders, with releases of Flux', async (file, args) => {
  const { code, out, err } = await workplace.run(args);
  expect([code, err]).toEqual([ExitCode.OK, '']);
  expectFile(path.join(GOLDEN, file), out);
});

test('a plan says that one goes with its data, and what an upgrade of the other does', async () => {
  const { out } = await workplace.run(['plan', 'old', 'new']);
  expectFile(path.join(GOLDEN, 'plan.txt'), out);
});

test('nothing is wrong in them', async () => {
  const { code, out } = await workplace.run(['validate', 'old']);
  expect([code, out]).toEqual([ExitCode.OK, 'nothing wrong in 7 objects\n']);
});
