import { ApiObject, App, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { parseAllDocuments } from 'yaml';
import { ProviderAddons, ProviderProgram } from '../../../src/constructs/addons/provider-addons';
import { ProviderChart, ProviderPrograms, ProviderStorageClass } from '../../../src/constructs/addons/provider-chart';
import { TenantSecret } from '../../../src/constructs/addons/tenant-secret';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { AddonCapability } from '../../../src/constructs/contracts/addon';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { InfrastructureConfig } from '../../../src/constructs/contracts/infrastructure';
import { MachineConfig } from '../../../src/constructs/contracts/machine';
import { PoolContext } from '../../../src/constructs/contracts/node-pool/pool-context';
import { ProviderObjects } from '../../../src/constructs/contracts/provider-object';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { strangerCluster, StrangerInfrastructure, StrangerMachine } from '../contracts/stranger';

interface Options extends ProviderPrograms {
  readonly token?: TenantSecret;
  readonly storageClasses?: ProviderStorageClass[];
  readonly zone?: string;
  readonly releases?: ProviderProgram['releases'];
}

const API_VERSION = 'infrastructure.cluster.x-k8s.io/v1beta1';
const RELEASES = ['1.34', '1.35', '1.37'].map((kubernetes) => ({ kubernetes, version: `${kubernetes}.2`, images: { image: `docker.io/stranger/ccm:v${kubernetes}` } }));

/** A stranger's infrastructure with both programs, and a network beside the cluster. */
class WithPrograms extends StrangerInfrastructure {
  public constructor(public readonly options: Options = {}) {
    super();
  }

  public override bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { token, storageClasses = [], cloudControllerManager, csiDriver, zone = 'rack-1', releases = RELEASES } = this.options;
    ProviderObjects.besideCluster(scope, context, 'Network', {
      apiVersion: API_VERSION, kind: 'StrangerNetwork', metadata: { name: `${context.name}-network` }, fields: { zone }, props: this.options,
    });
    const same = { repository: 'https://charts.stranger.example.com', secretName: 'stranger-token', secret: token };
    const name = ProviderAddons.secretName('stranger-token', token);
    return {
      ...super.bind(scope, context),
      addons: ProviderAddons.of(scope, context, [
        {
          ...same,
          chart: 'stranger-ccm',
          releases,
          given: cloudControllerManager,
          provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
          manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cloud-config', namespace: 'kube-system' }, data: { zone } }],
          values: { secret: name, nodeSelector: ProviderAddons.controlPlaneNodes(context) ?? null, tolerations: ProviderAddons.everywhere() },
        },
        {
          ...same,
          chart: 'stranger-csi',
          releases: [{ kubernetes: '1.30', version: '0.4.0' }],
          given: csiDriver,
          values: { secret: name },
          storageDriver: 'csi.stranger.example.com',
          storageClasses,
        },
      ]),
    };
  }
}

class FollowingMachine extends StrangerMachine {
  public override bind(scope: Construct, context: PoolContext): MachineConfig {
    const infrastructure = ProviderObjects.infrastructure(context.cluster);
    const zone = infrastructure instanceof WithPrograms ? infrastructure.options.zone : undefined;
    return { template: ProviderObjects.machineTemplate(scope, context, { apiVersion: API_VERSION, kind: 'StrangerMachineTemplate', fields: { zone }, props: {} }) };
  }
}

/** A page with the programs of an infrastructure: its objects, those that it carries to the tenant included, and its problems. */
function written(options: Options = {}, page: Parameters<typeof strangerCluster>[0] = {}) {
  const cluster = { delivery: new FluxDelivery(), ...page.cluster };
  const { tenant, problems } = strangerCluster({ infrastructure: new WithPrograms(options), ...page, cluster });
  const objects = (): any[] => {
    const own = tenant.node.root.node.findAll().filter((construct) => construct instanceof ApiObject).map((object) => object.toJson());
    const carried = own.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => Object.values<string>(data));
    return [...own, ...carried.flatMap((text) => parseAllDocuments(text).map((document): unknown => document.toJS()))];
  };
  return {
    find: (kind: string, name = ''): any => objects().find((object) => object?.kind === kind && object.metadata.name.includes(name)),
    problems: (): string[] => problems().map(({ id, text }) => `${id} ${text}`),
  };
}

const FAST = { name: 'fast', isDefault: true, parameters: { type: 'ssd' } };

test('programs of a stranger\'s infrastructure reach the tenant as charts in the release for its Kubernetes version, with one Secret', () => {
  const { find, problems } = written({ storageClasses: [FAST] });

  expect(problems()).toEqual([]);
  expect(find('HelmRelease', 'stranger-ccm').spec).toMatchObject({
    chart: { spec: { version: '1.35.2' } },
    values: { secret: 'stranger-token', nodeSelector: { 'node-role.kubernetes.io/control-plane': '' }, tolerations: [{ operator: 'Exists' }] },
  });
  expect(find('HelmRelease', 'stranger-csi').spec.chart.spec.version).toBe('0.4.0');
  expect(find('ClusterResourceSet', 'acme.stranger-token').spec.resources).toEqual([{ kind: 'Secret', name: 'acme-tenant-stranger-token' }]);
  expect(find('ConfigMap', 'cloud-config').data).toEqual({ zone: 'rack-1' });
  expect(find('StorageClass', 'fast')).toMatchObject({ provisioner: 'csi.stranger.example.com', parameters: { type: 'ssd' }, volumeBindingMode: 'WaitForFirstConsumer' });
});

test('users choose releases, values and the Secret, or install a program by themselves', () => {
  const { find } = written({
    token: TenantSecret.inTenant('my-token'),
    cloudControllerManager: ProviderChart.of({ chartVersion: '1.34.9', namespace: 'cloud', values: { replicas: 2 } }),
  });

  expect(find('HelmRelease', 'stranger-ccm').spec).toMatchObject({ chart: { spec: { version: '1.34.9' } }, targetNamespace: 'cloud', values: { secret: 'my-token', replicas: 2 } });
  expect(find('HelmRelease', 'stranger-csi')).toBeUndefined();
  expect(find('ClusterResourceSet', 'token')).toBeUndefined();
  expect(written({ cloudControllerManager: ProviderChart.external() }).find('HelmRelease', 'stranger-ccm')).toBeUndefined();
});

test('a hosted control plane has no nodes for programs beside the API server', () => {
  const controlPlane = new KamajiControlPlane({ dataStore: 'default', additionalInfrastructureKinds: ['StrangerCluster'] });

  const { find } = written({}, { cluster: { controlPlane } });

  expect(find('HelmRelease', 'stranger-ccm').spec.values.nodeSelector).toBeNull();
});

test('no warning doubts what the page states of the provider of a hosted control plane', () => {
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation();
  const warned = (additionalInfrastructureKinds: string[], app: App) => {
    const controlPlane = new KamajiControlPlane({ dataStore: 'default', additionalInfrastructureKinds });
    strangerCluster({ infrastructure: new WithPrograms(), cluster: { controlPlane } }, app).problems();
    return warn.mock.calls.filter(([text]) => text.includes('KAMAJI-INFRASTRUCTURE'));
  };

  expect(warned([], Testing.app())).toEqual([[expect.stringContaining('does not know how to give an endpoint to a StrangerCluster'), expect.anything()]]);
  warn.mockClear();
  expect(warned(['StrangerCluster'], Testing.app())).toEqual([]);
});

test('an object beside the cluster is kept, and what is wrong with it is reported with the property of the user', () => {
  const { find } = written();

  expect(find('StrangerNetwork').metadata).toMatchObject({ name: 'acme-network', annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } });
  expect(find('StrangerNetwork').spec).toEqual({ zone: 'rack-1' });
});

test('a machine follows options of the infrastructure of its cluster', () => {
  const machine = new FollowingMachine();

  expect(written({ zone: 'rack-2' }, { machine }).find('StrangerMachineTemplate').spec.template.spec).toEqual({ zone: 'rack-2' });
  expect(written({}, { machine, infrastructure: new StrangerInfrastructure() }).find('StrangerMachineTemplate').spec.template.spec).toEqual({});
  expect(ProviderObjects.infrastructure({ infrastructure: { clusterKind: 'StrangerCluster' } } as ClusterContext)).toBeUndefined();
});

test.each<[string, Options, string]>([
  ['no default class', { storageClasses: [{ name: 'a' }] }, 'TC-PROVIDER-STORAGE-CLASS infrastructure.storageClasses: no class is the default'],
  ['a class twice', { storageClasses: [FAST, { name: 'fast' }] }, 'TC-PROVIDER-STORAGE-CLASS infrastructure.storageClasses[1].name: the storage class "fast" is already defined'],
  ['a release for no minor version', { releases: [{ kubernetes: '35', version: '1.35.2' }] }, 'TC-PROVIDER-CHART-RELEASE infrastructure: the chart "stranger-ccm" has a release for "35"'],
  ['a release behind a later one', { releases: [{ kubernetes: '1.36', version: '1.36.0' }, { kubernetes: '1.35', version: '1.35.2' }] }, 'TC-PROVIDER-CHART-RELEASE infrastructure: the chart "stranger-ccm" has a release for "1.35" behind one'],
  ['no known release', { releases: [] }, 'TC-DELIVERY-CHART-VERSION charts["stranger-ccm"].chartVersion: no version is given'],
])('%s is refused', (_, options, text) => {
  expect(written(options).problems()).toContainEqual(expect.stringContaining(text));
});
