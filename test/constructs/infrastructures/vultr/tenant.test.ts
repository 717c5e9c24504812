import { Chart, Testing } from 'cdk8s';
import { BLOCK, LIKE_AN_API_KEY, PROGRAM_CASES, SHARED } from './program-cases';
import { tenantChart } from '../../../../src/constructs/addons/tenant-chart';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import { CompanyNetwork } from '../../../../src/constructs/contracts/company-network/company-network';
import { VultrApiKey } from '../../../../src/constructs/infrastructures/vultr/api-key';
import { VultrCsiDriver } from '../../../../src/constructs/infrastructures/vultr/csi-driver/vultr-csi-driver';
import { VultrCloudControllerManager } from '../../../../src/constructs/infrastructures/vultr/vultr-cloud-controller-manager';
import { VultrInfrastructure, VultrInfrastructureProps } from '../../../../src/constructs/infrastructures/vultr/vultr-infrastructure';
import { checkArguments, parseArgument } from '../../../../src/manifests/values/component-arguments';
import { Component } from '../../../../src/manifests/values/component-facts';
import { releaseOf } from '../../../../src/manifests/values/image-reference';
import { VolumeReclaimPolicy } from '../../../../src/manifests/values/storage-class';
import { SchemaValidator } from '../../../manifests/schema/validate';
import { Manifest } from '../../../support/clusters';
import { clusterContext } from '../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../support/problems';

const CONTEXT = clusterContext({ controlPlane: { apiServerPort: 6443, machineCount: 3 } });

/** Objects in the tenant. */
function tenant(props: Partial<VultrInfrastructureProps> = {}, context = CONTEXT): Manifest[] {
  const { addons = [] } = new VultrInfrastructure({ region: 'ewr', ...props }).bind(Testing.chart(), context);
  return addons.flatMap((addon) => {
    const chart = new Chart(Testing.app(), addon.name);
    addon.bind(chart, context);
    return Testing.synth(chart);
  });
}

function named(objects: readonly Manifest[], kind: string, name: string): Manifest {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

function problems(props: Partial<VultrInfrastructureProps>): ReportedProblem[] {
  return problemsIn((app) => {
    const owner = new Chart(app, 'acme');
    const { addons = [] } = new VultrInfrastructure({ region: 'ewr', ...props }).bind(owner, CONTEXT);
    addons.forEach((addon) => addon.bind(tenantChart(owner, addon.name, addon.name), CONTEXT));
    validateApp(app);
  });
}

test('without storage classes the tenant gets the cloud controller manager alone', () => {
  expect(tenant().map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
    'ClusterRole vultr-ccm', 'ClusterRoleBinding vultr-ccm', 'DaemonSet vultr-ccm', 'Role vultr-ccm', 'RoleBinding vultr-ccm', 'ServiceAccount vultr-ccm',
  ]);
  expect(new VultrInfrastructure({ region: 'ewr' }).capabilities.externalCloudProvider).toBe(true);
});

test('controllers and nodes log in to the private registries of the company\'s network', () => {
  const companyNetwork = new CompanyNetwork({ registries: [{ registry: 'registry.example.com', pullSecret: 'registry' }] });
  const secretsOf = (context: typeof CONTEXT) => tenant({ storageClasses: [BLOCK] }, context)
    .filter(({ kind }) => ['DaemonSet', 'Deployment'].includes(kind)).map(({ spec }) => spec.template.spec.imagePullSecrets);

  expect(secretsOf({ ...CONTEXT, companyNetwork })).toEqual(Array(3).fill([{ name: 'registry' }]));
  expect(secretsOf(CONTEXT)).toEqual(Array(3).fill(undefined));
});

test('nodes wait for a cloud controller manager that somebody else installs, too', () => {
  const props = { region: 'ewr', cloudControllerManager: VultrCloudControllerManager.external() };

  expect(tenant(props)).toEqual([]);
  expect(new VultrInfrastructure(props).capabilities.externalCloudProvider).toBe(true);
});

test('the cloud controller manager runs on the network of control plane machines, with the key of a Secret', () => {
  const apiKey = VultrApiKey.inTenant({ name: 'vultr', key: 'token' });
  const { spec } = named(tenant({ cloudControllerManager: VultrCloudControllerManager.of({ apiKey }) }), 'DaemonSet', 'vultr-ccm').spec.template;

  expect(spec).toMatchObject({ hostNetwork: true, nodeSelector: { 'node-role.kubernetes.io/control-plane': '' }, tolerations: [{ operator: 'Exists' }] });
  expect(spec.containers[0].env).toEqual([{ name: 'VULTR_API_KEY', valueFrom: { secretKeyRef: { name: 'vultr', key: 'token' } } }]);
  expect(spec.containers[0].args).toContain('--cluster-name=acme');
});

describe('API keys are carried from the management cluster', () => {
  function sets(props: Partial<VultrInfrastructureProps> = {}): Manifest[] {
    const chart = Testing.chart();
    new VultrInfrastructure({ region: 'ewr', ...props }).bind(chart, CONTEXT);
    return Testing.synth(chart).filter(({ kind }) => kind === 'ClusterResourceSet');
  }

  /** The Secrets of the tenant that programs read. */
  function read(props: Partial<VultrInfrastructureProps> = {}): string[] {
    return [...JSON.stringify(tenant(props)).matchAll(/"secretKeyRef":\{"key":"([^"]*)","name":"([^"]*)"/g)].map(([, key, name]) => `${name}/${key}`);
  }

  test('all in one Secret, unless something else is said', () => {
    const validator = SchemaValidator.load();
    const [set, ...others] = sets({ storageClasses: [BLOCK] });

    expect(others).toEqual([]);
    expect(set).toMatchObject({
      metadata: { name: 'acme.vultr-api-keys' },
      spec: {
        clusterSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme' } },
        resources: [{ kind: 'Secret', name: 'acme-vultr-api-keys' }],
        strategy: 'Reconcile',
      },
    });
    expect(validator.validate({ ...set, metadata: { ...set.metadata, namespace: 'tenant-acme' } })).toEqual([]);
    expect(read({ storageClasses: [BLOCK] })).toEqual(['vultr-ccm/api-key', 'vultr-csi/api-key']);
  });

  test('under names of one\'s own', () => {
    const props = {
      cloudControllerManager: VultrCloudControllerManager.of({ apiKey: VultrApiKey.carried({ secretName: 'one', name: 'vultr', key: 'token' }) }),
      storageClasses: [BLOCK],
      csiDriver: VultrCsiDriver.of({ apiKey: VultrApiKey.carried({ secretName: 'another' }) }),
    };

    expect(sets(props)[0].spec.resources).toEqual([{ kind: 'Secret', name: 'another' }, { kind: 'Secret', name: 'one' }]);
    expect(read(props)).toEqual(['vultr/token', 'vultr-csi/api-key']);
  });

  test('or are not: nothing carries what is in the tenant, or what nobody reads', () => {
    const apiKey = VultrApiKey.inTenant({ name: 'vultr', key: 'token' });

    expect(sets({ cloudControllerManager: VultrCloudControllerManager.of({ apiKey }) })).toEqual([]);
    expect(sets({ cloudControllerManager: VultrCloudControllerManager.external() })).toEqual([]);
  });

  test('what looks like one is not repeated', () => {
    const apiKey = VultrApiKey.inTenant({ name: LIKE_AN_API_KEY, key: LIKE_AN_API_KEY });
    const found = problems({ cloudControllerManager: VultrCloudControllerManager.of({ apiKey }) });

    expect(found.map(({ id }) => id)).toEqual(['TC-VULTR-API-KEY', 'TC-VULTR-API-KEY']);
    expect(JSON.stringify(found)).not.toContain(LIKE_AN_API_KEY);
  });
});

test.each<[what: string, props: Partial<VultrInfrastructureProps>]>([
  ['no driver, and no storage classes', { csiDriver: VultrCsiDriver.none() }],
  ['a class of file systems alone, which need not be the default', { storageClasses: [SHARED] }],
  ['a class of file systems beside one of block storage', { storageClasses: [BLOCK, SHARED] }],
  ['a resizer where one class lets volumes grow', { storageClasses: [BLOCK, { ...SHARED, allowVolumeExpansion: false }], csiDriver: VultrCsiDriver.of({ resizer: {} }) }],
])('accepted: %s', (_what, props) => {
  expect(problems(props)).toEqual([]);
});

test('storage classes bring the driver, whose nodes do not get the key', () => {
  const objects = tenant({ storageClasses: [BLOCK, { ...SHARED, reclaimPolicy: VolumeReclaimPolicy.RETAIN }] });

  expect(named(objects, 'StorageClass', 'block')).toMatchObject({
    metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'block.csi.vultr.com',
    parameters: { storage_type: 'block', disk_type: 'nvme' },
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  });
  expect(named(objects, 'StorageClass', 'shared')).toMatchObject({ parameters: { storage_type: 'vfs', disk_type: 'nvme' }, reclaimPolicy: 'Retain' });
  expect(JSON.stringify(named(objects, 'Deployment', 'csi-vultr-controller'))).toContain('"--token=$(VULTR_API_KEY)"');
  const node = named(objects, 'DaemonSet', 'csi-vultr-node');
  expect(JSON.stringify(node)).not.toContain('VULTR_API_KEY');
  expect(node.spec.template.spec.automountServiceAccountToken).toBe(false);
});

test('where no volume grows, nothing and nobody lets it grow', () => {
  const objects = tenant({ storageClasses: [{ ...BLOCK, allowVolumeExpansion: false }] });

  expect(JSON.stringify(objects)).not.toContain('csi-resizer');
  expect(JSON.stringify(objects)).not.toContain('persistentvolumeclaims/status');
});

test('an API server takes the objects', () => {
  const validator = SchemaValidator.load();

  for (const object of tenant({ storageClasses: [BLOCK] })) {
    expect(validator.validate(object).map((fault) => `${object.kind} ${fault}`)).toEqual([]);
  }
});

const PROGRAMS: Readonly<Record<string, Component>> = {
  'vultr-ccm': 'vultr-cloud-controller-manager',
  'csi-provisioner': 'csi-provisioner',
  'csi-attacher': 'csi-attacher',
  'csi-resizer': 'csi-resizer',
  'node-driver-registrar': 'csi-node-driver-registrar',
};

test('every program is given flags that it has', () => {
  const containers = tenant({ storageClasses: [BLOCK] }).flatMap(({ spec }) => spec?.template?.spec.containers ?? []);

  for (const { name, image, args } of containers.filter((container: Manifest) => container.name !== 'csi-vultr-plugin')) {
    expect(checkArguments(PROGRAMS[name], releaseOf(image)!, args.map(parseArgument))).toEqual([]);
  }
  expect(new Set(containers.map(({ name }) => name))).toEqual(new Set([...Object.keys(PROGRAMS), 'csi-vultr-plugin']));
});

test.each(PROGRAM_CASES)('%s: %#', (id, props, texts) => {
  const found = problems(props);

  expect(found.map((problem) => problem.id)).toEqual([id]);
  for (const text of texts) expect(found[0].text).toContain(text);
});
