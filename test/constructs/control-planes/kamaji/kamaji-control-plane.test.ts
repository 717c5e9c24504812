import { Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { bound, manifestOf, refused } from './bound';
import { MAXIMAL } from './maximal';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { ControlPlane } from '../../../../src/constructs/contracts/control-plane';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiKubeconfigKey } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { KubernetesVersion } from '../../../../src/manifests/values/kubernetes-version';
import { SchemaValidator } from '../../../manifests/schema/validate';
import { clusterContext } from '../../../support/contexts';

describe('the objects', () => {
  test('by default are the control plane and its disruption budget', () => {
    const { manifests, config, problems } = bound();

    expect(problems).toEqual([]);
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['KamajiControlPlane acme', 'PodDisruptionBudget acme']);
    expect(config.resource.node.path).toBe('acme/ControlPlane/Resource');
    expect(config.resource.apiVersion).toBe('controlplane.cluster.x-k8s.io/v1alpha2');
  });

  test('pass the schemas of the API server, which would add nothing', () => {
    const schemas = SchemaValidator.load();
    for (const [{ manifests }, count] of [[bound(), 2], [bound(MAXIMAL), 4]] as const) {
      expect(manifests).toHaveLength(count);
      expect(manifests.flatMap((manifest) => schemas.validate(manifest))).toEqual([]);
      expect(manifests.flatMap((manifest) => schemas.missingDefaults(manifest))).toEqual([]);
    }
  });

  test('are accepted with everything switched on', () => {
    expect(refused(MAXIMAL)).toEqual([]);
  });

  test('do not depend on each other\'s clusters: one instance serves many', () => {
    const controlPlane = new KamajiControlPlane({ replicas: 3 });
    const chart = new Chart(Testing.app(), 'two');
    const specs = ['red', 'blue'].map((name) => controlPlane.bind(new Construct(chart, name), clusterContext({ name })).resource.toJson().spec);

    expect(controlPlane).toBeInstanceOf(ControlPlane);
    expect(specs.map(({ replicas }) => replicas)).toEqual([3, 3]);
    expect(specs.map(({ dataStoreSchema }) => dataStoreSchema)).toEqual([expect.stringContaining('_red_'), expect.stringContaining('_blue_')]);
  });

  test('carry no cluster-wide name but that of the cluster', () => {
    const { spec, config } = bound({}, { name: 'blue' });

    expect(config.resource.name).toBe('blue');
    expect(spec.deployment.topologySpreadConstraints[0].labelSelector).toEqual({ matchLabels: { 'kamaji.clastix.io/name': 'blue' } });
    expect(new KamajiControlPlane().kubeconfigs({ name: 'blue', namespace: 'tenant-blue' })).toEqual({
      internal: { name: 'blue-admin-kubeconfig', key: 'super-admin.svc' },
      external: { name: 'blue-kubeconfig', key: 'value' },
    });
  });

  test.each([
    ['a load balancer without an address', KamajiExposure.loadBalancer(), undefined, 6443],
    ['a load balancer', KamajiExposure.loadBalancer({ address: '192.0.2.1', port: 443 }), { host: '192.0.2.1', port: 443 }, 443],
    ['a node port', KamajiExposure.nodePort({ address: '192.0.2.1', port: 30443 }), { host: '192.0.2.1', port: 30443 }, 30443],
    ['an Ingress', KamajiExposure.ingress({ hostname: 'a.example.com' }), { host: 'a.example.com', port: 443 }, 6443],
    ['a Gateway', KamajiExposure.gateway({ name: 'g', namespace: 'n', hostname: 'a.example.com' }), { host: 'a.example.com', port: 6443 }, 6443],
  ])('are reached behind %s', (_name, exposure, published, port) => {
    expect(new KamajiControlPlane({ exposure }).apiServerAddresses({ name: 'blue', namespace: 'tenant-blue' })).toEqual({
      published, internal: { host: 'blue.tenant-blue.svc', port },
    });
  });
});

describe('the disruption budget', () => {
  test('lets one pod go at a time, and one that is not ready at any time', () => {
    expect(manifestOf(bound().manifests, 'PodDisruptionBudget').spec).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: { 'kamaji.clastix.io/name': 'acme' } },
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
  });

  test.each([0, 1])('is not there with %d replicas', (replicas) => {
    const { manifests, spec } = bound({ replicas });
    expect(manifestOf(manifests, 'PodDisruptionBudget')).toBeUndefined();
    expect(spec.replicas).toBe(replicas);
  });
});

describe('the control plane object', () => {
  test('has the version with its v, and lists that stay owned when they are empty', () => {
    const { spec } = bound();

    expect(spec.version).toBe('v1.35.4');
    expect(spec.apiServer).toMatchObject({ extraArgs: [], extraVolumeMounts: [] });
    expect(spec.controllerManager).toMatchObject({ extraArgs: [], extraVolumeMounts: [] });
    expect(spec.scheduler).toMatchObject({ extraArgs: [], extraVolumeMounts: [] });
    expect(spec.deployment.extraVolumes).toEqual([]);
    expect(spec.network.loadBalancerConfig).toEqual({ loadBalancerSourceRanges: [] });
    expect(spec).not.toHaveProperty('dataStoreName');
    expect(spec).not.toHaveProperty('kine');
    expect(spec).not.toHaveProperty('controlPlaneEndpoint');
  });

  test('is marked against pruning and substitution, and lets the user overrule the marks', () => {
    const { manifests } = bound({ annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'enabled', 'kamaji.clastix.io/migration-timeout': '10m' } });

    expect(manifestOf(manifests, 'KamajiControlPlane').metadata.annotations).toEqual({
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'helm.sh/resource-policy': 'keep',
      'kamaji.clastix.io/migration-timeout': '10m',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'kustomize.toolkit.fluxcd.io/substitute': 'enabled',
    });
  });

  test('says which kubeconfig is published', () => {
    const { manifests } = bound({ kubeconfigSecretKey: KamajiKubeconfigKey.SUPER_ADMIN_SERVICE });
    expect(manifestOf(manifests, 'KamajiControlPlane').metadata.annotations).toMatchObject({ 'kamaji.clastix.io/kubeconfig-secret-key': 'super-admin.svc' });
  });

  test('gives all probes to the deployment and to every component, since the provider takes none otherwise', () => {
    const { spec } = bound({ probes: { liveness: { timeoutSeconds: 5 }, startup: { periodSeconds: 20 } } });
    const probes = { liveness: { timeoutSeconds: 5 }, startup: { failureThreshold: 30, periodSeconds: 20 } };

    expect(spec).toMatchObject({ deployment: { probes }, apiServer: { probes }, controllerManager: { probes }, scheduler: { probes } });
  });

  test.each([
    [{ replicas: 1.5 }, 'TC-ADMIT-FIELD-TYPE controlPlane.replicas: 1.5 is not a whole number'],
    [{ replicas: -1 }, 'TC-ADMIT-FIELD-VALUE controlPlane.replicas: -1 is too small'],
    [{ labels: { 'cluster.x-k8s.io/cluster-name': 'x' } }, 'TC-KAMAJI-METADATA controlPlane.labels["cluster.x-k8s.io/cluster-name"]: "cluster.x-k8s.io/cluster-name" is set by the library'],
    [{ labels: { 'a b': 'c' } }, 'TC-ADMIT-FIELD-METADATA controlPlane.labels["a b"]: "a b" is not a qualified name'],
    [{ annotations: { '-x': 'y' } }, 'TC-ADMIT-FIELD-METADATA controlPlane.annotations["-x"]: "-x" is not a qualified name'],
    [{ probes: { startup: { failureThreshold: 0 } } }, 'TC-ADMIT-FIELD-VALUE controlPlane.probes.startup.failureThreshold: 0 is too small'],
    [{ probes: { liveness: { initialDelaySeconds: -1 } } }, 'TC-ADMIT-FIELD-VALUE controlPlane.probes.liveness.initialDelaySeconds: -1 is too small'],
    [{ kineResources: { requests: { memory: '1x' } } }, 'TC-KAMAJI-RESOURCES controlPlane.kineResources.requests.memory: "1x" is not a quantity'],
  ])('is refused with %j', (props, problem) => {
    expect(refused(props)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('capabilities', () => {
  test('name Kamaji as the one who fills the endpoint', () => {
    expect(new KamajiControlPlane().capabilities).toMatchObject({ apiServerPort: 6443, endpointManager: 'kamaji' });
  });

  test('an infrastructure that the provider does not know is refused with a way out', () => {
    const context = { infrastructure: { clusterKind: 'NifcloudCluster' } };

    expect(refused({}, context)).toEqual([expect.stringMatching(
      /^TC-KAMAJI-INFRASTRUCTURE controlPlane: Kamaji's provider does not know how to give an endpoint to a NifcloudCluster.*Accepted: AWSCluster, .*additionalInfrastructureKinds/,
    )]);
    expect(refused({ additionalInfrastructureKinds: ['NifcloudCluster'] }, context)).toEqual([]);
  });
});

describe('the release of Kamaji', () => {
  const kubernetes = (version: string) => ({ kubernetesVersion: KubernetesVersion.of(version) });

  test.each([
    ['edge-26.2.1', '1.35.9'],
    ['26.5.2-edge', '1.35.9'],
    ['26.5.4-edge', '1.36.3'],
    ['26.8.2-edge', '1.36.3'],
    ['26.10.1-edge', '1.36.3'],
  ])('%s runs Kubernetes %s', (kamajiVersion, version) => {
    expect(refused({ kamajiVersion }, kubernetes(version))).toEqual([]);
  });

  test.each([
    ['edge-26.2.1', '1.36.0', '1.35.x'],
    ['26.5.2-edge', '1.36.0', '1.35.x'],
    ['26.8.2-edge', '1.37.0', '1.36.x'],
  ])('%s refuses Kubernetes %s', (kamajiVersion, version, accepted) => {
    expect(refused({ kamajiVersion }, kubernetes(version))).toEqual([expect.stringMatching(
      `^TC-KAMAJI-KUBERNETES-VERSION kubernetesVersion: Kubernetes v${version} is newer than Kamaji ${kamajiVersion} can run.*Accepted: versions up to ${accepted}`,
    )]);
  });

  test('one that is newer than the library\'s own runs a newer Kubernetes, with a warning', () => {
    const emit = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(refused({ kamajiVersion: '26.11.1-edge' }, kubernetes('1.37.2'))).toEqual([]);
    const said = emit.mock.calls.map(([text, { code }]) => `${code} ${text}`).filter((text) => text.startsWith('TC-KAMAJI'));
    emit.mockRestore();
    expect(said).toEqual([expect.stringMatching(
      /^TC-KAMAJI-VERSION-NEWER .*controlPlane\.kamajiVersion: Kamaji 26\.11\.1-edge is newer than 26\.8\.2-edge, .* whether it runs Kubernetes v1\.37\.2 is not checked/,
    )]);
  });

  test.each(['latest', 'v1.0.0', '26.8.2', 'edge-25.12.4', '26.1.1-edge'])('%s is refused', (kamajiVersion) => {
    expect(refused({ kamajiVersion })).toEqual([expect.stringMatching(/^TC-KAMAJI-VERSION controlPlane.kamajiVersion: .*Accepted: tags from edge-26.2.1 on/)]);
  });

  test('26.5.3-edge is refused where konnectivity and flags of the API server come together', () => {
    const kamajiVersion = '26.5.3-edge';
    const flags = { apiServer: { extraArgs: [{ name: 'audit-log-maxage', value: '7' }] } };

    expect(refused({ kamajiVersion, ...flags })).toEqual([expect.stringContaining('TC-KAMAJI-ROLLOUT-LOOP controlPlane.kamajiVersion: Kamaji 26.5.3-edge rolls')]);
    expect(refused({ kamajiVersion, admissionPlugins: { disable: ['PodSecurity'] } })).toHaveLength(1);
    expect(refused({ kamajiVersion, ...flags, konnectivity: KamajiKonnectivity.none() })).toEqual([]);
    expect(refused({ kamajiVersion })).toEqual([]);
  });
});

describe('the data store', () => {
  test('knows the control plane by a name that follows from its own', () => {
    const identity = 'tenant_acme_acme_b52142e9';
    expect(bound({ dataStore: 'default' }).spec).toMatchObject({ dataStoreName: 'default', dataStoreSchema: identity, dataStoreUsername: identity });
  });

  test('tells apart what reads the same with underscores, and never passes 32 characters', () => {
    const identities = [['a-b', 'c'], ['a', 'b-c'], ['a-b-c', 'd'], ['x'.repeat(63), 'y'.repeat(63)]]
      .map(([namespace, name]) => bound({}, { namespace, name }).spec.dataStoreSchema);

    expect(new Set(identities).size).toBe(4);
    expect(identities).toEqual(identities.map(() => expect.stringMatching(/^[a-z0-9_]{1,32}$/)));
    expect(identities[3]).toHaveLength(32);
  });

  test('keeps the name that an existing control plane has', () => {
    const uid = 'f0a4c1de-5d0b-4d4c-9f0a-6f5a0d4b2c11';
    const identity = { dataStoreSchema: uid, dataStoreUsername: uid };

    expect(bound(identity)).toMatchObject({ spec: identity, problems: [] });
  });

  test.each([
    [{ dataStore: 'Default' }, 'TC-KAMAJI-DATA-STORE controlPlane.dataStore: "Default" is not a DNS name'],
    [{ dataStoreSchema: 'a b' }, 'TC-KAMAJI-DATA-STORE-IDENTITY controlPlane.dataStoreSchema: "a b" is not a name that databases accept'],
    [{ dataStoreUsername: 'x'.repeat(64) }, 'TC-KAMAJI-DATA-STORE-IDENTITY controlPlane.dataStoreUsername: "xxx'],
    [{ dataStoreOverrides: [{ resource: '/events', dataStore: 'a' }, { resource: '/events', dataStore: 'b' }] },
      'TC-TRAP-KAMAJI-DATA-STORE-OVERRIDE controlPlane.dataStoreOverrides[1].resource: "/events" is sent to another data store already, by dataStoreOverrides[0]'],
    [{ dataStoreOverrides: [{ resource: 'events', dataStore: 'a' }] }, 'TC-TRAP-KAMAJI-DATA-STORE-OVERRIDE controlPlane.dataStoreOverrides[0].resource: "events" does not name a kind'],
    [{ dataStoreOverrides: [{ resource: '/events', dataStore: 'a_b' }] }, 'TC-KAMAJI-DATA-STORE controlPlane.dataStoreOverrides[0].dataStore: "a_b" is not a DNS name'],
  ])('is refused with %j', (props, problem) => {
    expect(refused(props)).toEqual([expect.stringContaining(problem)]);
  });
});
