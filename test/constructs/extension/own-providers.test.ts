import { join } from 'node:path';
import { App, JsonPatch, Size, Testing } from 'cdk8s';
import { HETZNER, HetznerInfrastructure, HetznerInfrastructureProps, HetznerMachine, HetznerMachineProps } from '../../../examples/own-strategies/hetzner';
import { RKE2, Rke2Bootstrap, Rke2ControlPlane, Rke2ControlPlaneProps, Rke2Options } from '../../../examples/own-strategies/rke2';
import { TALOS, TalosBootstrap, TalosControlPlane, TalosControlPlaneProps, TalosOptions } from '../../../examples/own-strategies/talos';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { Bootstrap } from '../../../src/constructs/contracts/bootstrap';
import { ControlPlane } from '../../../src/constructs/contracts/control-plane';
import { Infrastructure } from '../../../src/constructs/contracts/infrastructure';
import { Machine } from '../../../src/constructs/contracts/machine';
import { NodeName } from '../../../src/constructs/contracts/node-name';
import { NodePoolProps } from '../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { NodeSetup } from '../../../src/constructs/contracts/node-setup';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ControlPlaneEndpoint } from '../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { Plan } from '../../../src/constructs/testing/plan';
import { registerProvider } from '../../../src/manifests/systems/providers';
import { validate } from '../../../src/manifests/validation/validation-report';
import { changed } from '../../manifests/rules/changes/changes';
import { findings, findingsIn, objectsIn } from '../../manifests/rules/rules-under-test';
import { SchemaValidator } from '../../manifests/schema/validate';
import { Manifest } from '../../support/clusters';
import { parse } from '../../support/outputs';
import { problemsOf } from '../../support/problems';
import { ExampleInfrastructure, ExampleMachine } from '../../support/strategies';

[HETZNER, RKE2, TALOS].forEach((provider) => registerProvider(provider));

const CRDS = ['hetzner', 'rke2', 'talos'].map((name) => join(__dirname, '../../../examples/own-strategies', name, 'crds'));
const validator = SchemaValidator.loadWithExamples();

interface Page {
  readonly id?: string;
  readonly infrastructure?: Partial<HetznerInfrastructureProps> | Infrastructure;
  readonly machine?: Partial<HetznerMachineProps> | Machine;
  readonly controlPlane?: ControlPlane | ((machine: Machine) => ControlPlane);
  readonly bootstrap?: Bootstrap;
  readonly pool?: Partial<NodePoolProps>;
}

function page({ id = 'acme', infrastructure = {}, machine = {}, controlPlane, bootstrap, pool }: Page = {}): TenantCluster {
  const servers = machine instanceof Machine ? machine : new HetznerMachine({ serverType: 'cpx32', image: 'node', ...machine });
  const app = Testing.app();
  // As the page of the user does.
  ManifestValidation.attach(app, { crds: CRDS });
  const acme = new TenantCluster(app, id, {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    infrastructure: infrastructure instanceof Infrastructure ? infrastructure : new HetznerInfrastructure({
      regions: ['fsn1', 'nbg1'], sshKeys: ['ops'], ...infrastructure,
    }),
    controlPlane: controlPlane instanceof ControlPlane ? controlPlane : (controlPlane ?? kubeadm)(servers),
    bootstrap,
    cni: Cni.none(),
    delivery: new FluxDelivery(),
  });
  acme.addNodePool('general', { machine: servers, size: PoolSize.fixed(3), ...pool });
  return acme;
}

/** A server that asks more of its node. */
class Asking extends HetznerMachine {
  public constructor(private readonly setup: NodeSetup) {
    super({ serverType: 'cx33', image: 'node' });
  }

  public override nodeSetup(): NodeSetup {
    return this.setup;
  }
}

const kubeadm = (machine: Machine): ControlPlane => new KubeadmControlPlane({ machine, replicas: 3 });

function object(cluster: TenantCluster, kind: string, prefix = ''): Manifest {
  return cluster.toJson().find((manifest: Manifest) => manifest.kind === kind && manifest.metadata.name.startsWith(prefix));
}

function refused(cluster: TenantCluster): string[] {
  return problemsOf(cluster.node.root as App).map(({ id, text }) => `${id} ${text}`);
}

function written(cluster: TenantCluster): string {
  return cluster.toJson().map((manifest: Manifest) => JSON.stringify(manifest)).join('\n---\n');
}

/** Faults of objects by the providers' own definitions. */
function faults(cluster: TenantCluster): string[] {
  return cluster.toJson().filter(({ apiVersion, kind }: Manifest) => validator.knows(apiVersion, kind)).flatMap((manifest: Manifest) => (
    [...validator.validate(manifest), ...validator.missingDefaults(manifest)].map((fault) => `${manifest.kind} ${fault}`)));
}

const talos = (options: Partial<TalosControlPlaneProps> = {}) => (machine: Machine) => new TalosControlPlane({ talosVersion: 'v1.12', ...options, machine });
const talosPage = (options: Partial<TalosOptions> = {}): Page => ({
  controlPlane: talos(options), bootstrap: new TalosBootstrap({ talosVersion: 'v1.12', ...options }),
});
const rke2 = (options: Partial<Rke2ControlPlaneProps> = {}) => (machine: Machine) => new Rke2ControlPlane({ revision: 1, ...options, machine });
const rke2Page = (options: Partial<Rke2Options> = {}): Page => ({
  controlPlane: rke2(options), bootstrap: new Rke2Bootstrap({ revision: 1, ...options }),
});

describe('rules of a stranger\'s providers', () => {
  const rules = [HETZNER, RKE2, TALOS].flatMap((provider) => provider.rules ?? []);

  test.each(rules.map((rule) => [rule.id, rule] as const))('%s finds what its example shows, and nothing in the corrected one', (id, { example, trap = false }) => {
    expect(findings(rules, example.failing)).toEqual([expect.stringMatching(new RegExp(`^${id} `))]);
    expect(findings(rules, example.corrected)).toEqual([]);
    expect(objectsIn(example.corrected).flatMap((one) => validator.validate(one))).toEqual([]);
    if (trap) expect(objectsIn(example.failing).flatMap((one) => validator.validate(one))).toEqual([]);
  });
});

describe('an infrastructure for Hetzner', () => {
  test('writes what its provider\'s definitions accept, and all that they would add', () => {
    expect(faults(page())).toEqual([]);
    expect(refused(page())).toEqual([]);
  });

  test('states what nodes need, and how machines are rolled, restarted and placed', () => {
    const cluster = page({ machine: { spareServer: false }, pool: { failureDomain: 'hel1' } });
    const { nodeRegistration } = object(cluster, 'KubeadmConfigTemplate').spec.template.spec.joinConfiguration;

    expect(nodeRegistration.kubeletExtraArgs).toEqual([{ name: 'cloud-provider', value: 'external' }, { name: 'provider-id', value: 'hcloud://{{ v1.instance_id }}' }]);
    expect(object(cluster, 'MachineDeployment').spec).toMatchObject({
      rollout: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }, template: { spec: { failureDomain: 'hel1' } },
    });
    expect(object(cluster, 'MachineHealthCheck', 'acme-general').spec.remediation.templateRef).toMatchObject({ kind: 'HCloudRemediationTemplate', name: 'acme-general' });
    expect(refused(page({ pool: { failureDomain: 'ash' } }))).toEqual([expect.stringMatching(/^TC-POOL-FAILURE-DOMAIN failureDomain: .*"ash".*fsn1, nbg1, hel1/)]);
  });

  test('tells the autoscaler of an empty pool which labels its nodes will have, and inventories the size of its machines', () => {
    const arm = page({ machine: { serverType: 'cax31' }, pool: { size: PoolSize.between(0, 3), labels: { 'example.com/team': 'shop' } } });

    expect(object(arm, 'MachineDeployment').metadata.annotations).toMatchObject({
      'capacity.cluster-autoscaler.kubernetes.io/labels': 'example.com/team=shop,kubernetes.io/arch=arm64',
    });
    // A command line without the package does not know the sizes of server types.
    expect(object(arm, 'HCloudMachineTemplate', 'acme-general').metadata.annotations).toMatchObject({ 'cdk8s-cluster-api/machine-capacity': 'cpu=8,memory=16Gi' });
  });

  test('makes no load balancer where the control plane brings an endpoint', () => {
    const cluster = page({ controlPlane: new KamajiControlPlane({ dataStore: 'default' }) });

    expect(object(cluster, 'HetznerCluster')).toMatchObject({
      metadata: { annotations: { 'capi.syself.com/allow-empty-control-plane-address': 'true' } },
      spec: { controlPlaneLoadBalancer: { enabled: false } },
    });
    // The provider would leave it alone, and nothing else makes it ready (TC-TRAP-KAMAJI-MANAGED-BY).
    expect(object(cluster, 'HetznerCluster').metadata.annotations).not.toHaveProperty('cluster.x-k8s.io/managed-by');
    expect(refused(cluster)).toEqual([]);
    expect(object(page(), 'HetznerCluster').spec.controlPlaneLoadBalancer).toMatchObject({ enabled: true, region: 'fsn1' });

    const external = page({
      controlPlane: (machine) => new KubeadmControlPlane({ machine, replicas: 3, endpoint: ControlPlaneEndpoint.external({ host: 'api.example.com', port: 6443 }) }),
    });
    expect(object(external, 'HetznerCluster').spec).toMatchObject({
      controlPlaneLoadBalancer: { enabled: false }, controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
    });
    expect(faults(external)).toEqual([]);
  });

  test('has rules that the templates of the provider keep', () => {
    // syself/cluster-api-provider-hetzner v1.1.8 templates/cluster-templates/v1beta1/bases
    const API = 'infrastructure.cluster.x-k8s.io/v1beta1';
    const key = { hcloudToken: 'hcloud', hetznerRobotUser: 'robot-user', hetznerRobotPassword: 'robot-password' };
    const metadata = { name: 'acme', namespace: 'tenant-acme' };
    const templates = [
      {
        apiVersion: API,
        kind: 'HetznerCluster',
        metadata,
        spec: {
          hcloudNetwork: { enabled: false },
          hcloudPlacementGroups: [{ name: 'control-plane', type: 'spread' }, { name: 'md-0', type: 'spread' }],
          controlPlaneRegions: ['fsn1'],
          controlPlaneEndpoint: { host: '', port: 443 },
          controlPlaneLoadBalancer: { region: 'fsn1' },
          sshKeys: { hcloud: [{ name: 'ops' }] },
          hetznerSecretRef: { name: 'hcloud', key },
        },
      },
      { apiVersion: API, kind: 'HCloudMachineTemplate', metadata, spec: { template: { spec: { type: 'cpx32', imageName: 'ubuntu-24.04', placementGroupName: 'md-0' } } } },
      { apiVersion: API, kind: 'HCloudRemediationTemplate', metadata, spec: { template: { spec: { strategy: { type: 'Reboot', retryLimit: 1, timeout: '180s' } } } } },
    ];

    expect(findingsIn(HETZNER.rules!, templates)).toEqual([]);
    expect(templates.flatMap((one) => validator.validate(one))).toEqual([]);
  });

  test.each<[string, Page, string]>([
    ['a region that is unknown', { infrastructure: { regions: ['fra1'] } }, 'TC-ADMIT-FIELD-VALUE infrastructure.regions[0]'],
    ['regions of two zones', { infrastructure: { regions: ['fsn1', 'hil'] } }, 'ACME-HETZNER-REGIONS infrastructure.regions[1]'],
    ['another type of load balancer', { infrastructure: { loadBalancerType: 'lb99' } }, 'TC-ADMIT-FIELD-VALUE infrastructure.loadBalancerType'],
    ['an unknown placement group', { machine: { placementGroup: 'nodes' } }, 'ACME-HETZNER-PLACEMENT-GROUP machine.placementGroup'],
    ['an empty image', { machine: { image: '' } }, 'ACME-HETZNER-IMAGE machine.image'],
    ['autoscaling of an unknown size from zero', { machine: { serverType: 'ccx99' }, pool: { size: PoolSize.between(0, 3) } }, 'TC-POOL'],
    ['machines of another infrastructure', { machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(8) }) }, 'TC-POOL-INFRASTRUCTURE'],
  ])('refuses %s', (_what, of, id) => {
    expect(refused(page(of)).join('\n')).toContain(id);
  });
});

describe('a control plane and a bootstrap for Talos', () => {
  test('write what their providers\' definitions accept, and all that they would add', () => {
    expect(faults(page(talosPage()))).toEqual([]);
    expect(refused(page(talosPage()))).toEqual([]);
  });

  test('give machines patches for files, kubelet and networks', () => {
    const options: TalosOptions = {
      talosVersion: 'v1.12',
      installDisk: '/dev/sda',
      files: [{ path: '/var/lib/motd', content: 'welcome\n', permissions: '0600' }],
      kubeletArguments: { v: '2' },
      patches: [{ machine: { sysctls: { 'vm.overcommit_memory': '1' } } }],
    };
    const cluster = page({ ...talosPage(options), pool: { taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' as never }] } });
    const patches = object(cluster, 'TalosConfigTemplate').spec.template.spec.strategicPatches.map((text: string) => parse(text)[0]);

    expect(faults(cluster)).toEqual([]);
    expect(patches).toEqual([
      { cluster: { externalCloudProvider: { enabled: true } } },
      {
        machine: {
          install: { disk: '/dev/sda' },
          kubelet: { extraArgs: { 'cloud-provider': 'external', 'v': '2' }, extraConfig: expect.objectContaining({ kubeReserved: expect.anything() }) },
          nodeTaints: { dedicated: 'db:NoSchedule' },
          files: [{ path: '/var/lib/motd', content: 'welcome\n', permissions: 0o600, op: 'create' }],
        },
      },
      { machine: { sysctls: { 'vm.overcommit_memory': '1' } } },
    ]);
    expect(object(cluster, 'TalosControlPlane').spec.controlPlaneConfig.controlplane).toMatchObject({ generateType: 'controlplane', talosVersion: 'v1.12' });
  });

  test.each<[string, Page, string]>([
    ['a version that is none', talosPage({ talosVersion: '1.12' }), 'ACME-TALOS-VERSION controlPlane.talosVersion: "1.12"'],
    ['a file on the read-only disk', talosPage({ files: [{ path: '/etc/motd', content: 'x' }] }), 'ACME-TALOS-FILE bootstrap.files[0].path: "/etc/motd"'],
    ['a file beside /var', talosPage({ files: [{ path: '/var/../etc/motd', content: 'x' }] }), 'ACME-TALOS-FILE controlPlane.files[0].path'],
    ['an argument of the infrastructure', talosPage({ kubeletArguments: { 'cloud-provider': 'aws' } }), 'ACME-TALOS-KUBELET-ARGUMENT bootstrap.kubeletArguments["cloud-provider"]'],
    ['an even number of machines', { ...talosPage(), controlPlane: talos({ replicas: 2 }) }, 'ACME-TALOS-REPLICAS controlPlane.replicas: 2 is not odd. Fix: write 3.'],
    ['a release that does not run Kubernetes 1.35', { ...talosPage(), controlPlane: talos({ talosVersion: 'v1.11' }) }, 'Talos 1.11 does not run Kubernetes v1.35.4. Accepted: 1.29 to 1.34.'],
    ['workers of such a release', { ...talosPage(), bootstrap: new TalosBootstrap({ talosVersion: 'v1.11.3' }) }, 'ACME-TALOS-KUBERNETES bootstrap.talosVersion: Talos 1.11'],
    ['half a machine', { ...talosPage(), controlPlane: talos({ replicas: 1.5 }) }, 'TC-POOL-SIZE-WHOLE controlPlane.replicas'],
  ])('refuse %s', (_what, of, text) => {
    expect(refused(page(of)).join('\n')).toContain(text);
  });

  test('refuse machines that ask for shell commands, and templates of instance data', () => {
    const of = (setup: NodeSetup) => refused(page({ ...talosPage(), machine: new Asking(setup) })).join('\n');

    expect(of({ preKubeadmCommands: ['true'] })).toContain('TC-NODE-SETUP-APPLIED bootstrap: TalosBootstrap does not apply what HetznerCluster or its machines ask of each node: commands before kubeadm (1).');
    expect(of({ nodeLabels: { 'example.com/id': '{{ v1.instance_id }}' } })).toContain('ACME-TALOS-INSTANCE-DATA bootstrap: the infrastructure asks for instance data in example.com/id');
    expect(of({ nodeName: NodeName.INSTANCE_ID })).toContain('ACME-TALOS-INSTANCE-DATA bootstrap: the infrastructure asks for instance data in the name of nodes');
    expect(of({ nodeName: NodeName.LOCAL_HOSTNAME })).toBe('');
  });
});

describe('plans of changed pages with a stranger\'s distribution', () => {
  const plan = (before: Page, after: Page) => Plan.between(page(before).toJson(), page(after).toJson()).toString();

  test.each<[string, Page, Page, string[]]>([
    ['another Talos', talosPage(), talosPage({ talosVersion: 'v1.13' }), ['control plane', '3 machines are replaced', 'pool acme-general', 'talosVersion v1.12 -> v1.13']],
    ['more machines with Talos', talosPage(), { ...talosPage(), controlPlane: talos({ replicas: 5 }) }, ['3 -> 5']],
    ['another RKE2', rke2Page(), rke2Page({ revision: 2 }), ['version v1.35.4+rke2r1 -> v1.35.4+rke2r2', '3 machines are replaced']],
    ['another registration', rke2Page(), { ...rke2Page(), controlPlane: rke2({ registrationMethod: 'internal-only-ips' }) }, ['REFUSED', 'registrationMethod']],
  ])('%s', (_what, before, after, texts) => {
    for (const text of texts) expect(plan(before, after)).toContain(text);
  });

  test('what a webhook refuses, and templates that change under one name, are found by validate', () => {
    const [before, after] = [page(rke2Page()), page({ ...rke2Page(), controlPlane: rke2({ registrationMethod: 'internal-only-ips' }) })].map((one): object[] => one.toJson());
    const changedTemplate = (page(talosPage()).toJson() as Manifest[]).map((one) => (one.kind === 'TalosConfigTemplate'
      ? { ...one, spec: { template: { spec: { ...one.spec.template.spec, talosVersion: 'v1.13' } } } } : one));

    expect(validate(after, { before }).findings.map(({ rule }) => rule)).toEqual(['TC-CHANGE-RKE2-FIELD']);
    expect(validate(changedTemplate, { before: page(talosPage()).toJson() }).findings.map(({ rule }) => rule)).toEqual(['TC-CHANGE-TALOS-FIELD']);
  });
});

describe('a control plane and a bootstrap for RKE2', () => {
  test('write what their provider\'s definitions accept, and all that they would add', () => {
    expect(faults(page(rke2Page()))).toEqual([]);
    expect(refused(page(rke2Page()))).toEqual([]);
  });

  test('give machines the version of a release of RKE2, and what infrastructure and user ask for', () => {
    const options: Rke2Options = {
      revision: 2,
      files: [{ path: '/etc/motd', content: 'welcome\n' }],
      kubeletArguments: { v: '2' },
      preRke2Commands: ['echo before'],
      postRke2Commands: ['echo after'],
      cisProfile: 'cis',
    };
    const cluster = page({ ...rke2Page(options), pool: { labels: { 'example.com/zone': 'a' }, taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' as never }] } });

    expect(faults(cluster)).toEqual([]);
    expect(object(cluster, 'MachineDeployment').spec.template.spec.version).toBe('v1.35.4+rke2r2');
    expect(object(cluster, 'RKE2ControlPlane').spec).toMatchObject({
      version: 'v1.35.4+rke2r2',
      serverConfig: { cni: 'canal', cloudProviderName: 'external', clusterDNS: '10.95.0.10', disableComponents: { kubernetesComponents: ['cloudController'] } },
    });
    expect(object(cluster, 'RKE2ConfigTemplate').spec.template.spec).toMatchObject({
      agentConfig: {
        cisProfile: 'cis',
        kubelet: { extraArgs: expect.arrayContaining(['kube-reserved=cpu=200m,memory=409Mi', 'provider-id=hcloud://{{ v1.instance_id }}', 'v=2']) },
        nodeLabels: ['example.com/zone=a'],
        nodeTaints: ['dedicated=db:NoSchedule'],
      },
      files: [{ path: '/etc/motd', content: 'welcome\n', permissions: '0644' }],
      preRKE2Commands: ['echo before'],
      postRKE2Commands: ['echo after'],
    });
  });

  test.each<[string, Page, string]>([
    ['a revision that is none', rke2Page({ revision: 0 }), 'ACME-RKE2-REVISION controlPlane.revision: 0'],
    ['an argument of the infrastructure', rke2Page({ kubeletArguments: { 'provider-id': 'x' } }), 'ACME-RKE2-KUBELET bootstrap.kubeletArguments["provider-id"]'],
    ['a setting of the kubelet without a flag', { ...rke2Page(), pool: { kubelet: { configuration: { imageGCHighThresholdPercent: 80 } } } }, 'ACME-RKE2-KUBELET'],
    ['another registration method', { ...rke2Page(), controlPlane: rke2({ registrationMethod: 'first' }) }, 'controlPlane.registrationMethod'],
    ['registration by an address that is not given', { ...rke2Page(), controlPlane: rke2({ registrationMethod: 'address' }) }, 'ACME-RKE2-REGISTRATION-ADDRESS controlPlane.registrationMethod'],
    ['no machines', { ...rke2Page(), controlPlane: rke2({ replicas: 0 }) }, 'TC-POOL-SIZE-WHOLE controlPlane.replicas'],
  ])('refuse %s', (_what, of, text) => {
    expect(refused(page(of)).join('\n')).toContain(text);
  });
});

test('RKE2 refuses machines that ask for an address of nodes, or users', () => {
  const machine = new Asking({ address: '{{ ds.meta_data.local_ipv4 }}', users: [{ name: 'ops' }] });

  expect(refused(page({ ...rke2Page(), machine })).join('\n')).toMatch(
    /TC-NODE-SETUP-APPLIED controlPlane: Rke2ControlPlane does not .*: node address \{\{ ds.meta_data.local_ipv4 \}\}; users ops\.(.|\n)*APPLIED bootstrap: Rke2Bootstrap/,
  );
});

describe.each<[string, Page, string, (controlPlane: Manifest) => { readonly name: string }]>([
  ['TalosControlPlane', talosPage(), 'HCloudMachineTemplate', ({ spec }) => spec.infrastructureTemplate],
  ['RKE2ControlPlane', rke2Page(), 'HCloudMachineTemplate', ({ spec }) => spec.machineTemplate.spec.infrastructureRef],
])('the machine template of a stranger\'s %s', (kind, of, templateKind, reference) => {
  const nameIn = (cluster: TenantCluster) => reference(object(cluster, kind)).name;

  test('is named after its content and marked against pruning, and the control plane refers to it', () => {
    const cluster = page(of);
    const template = object(cluster, templateKind, 'acme-control-plane');

    expect(template.metadata.name).toMatch(/^acme-control-plane-[0-9a-f]{8}$/);
    expect(template.metadata.annotations).toMatchObject({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled', 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' });
    expect(reference(object(cluster, kind))).toMatchObject({ kind: templateKind, name: template.metadata.name });
  });

  test('gets another name with another content, patches included, and in another cluster', () => {
    const patched = page(of);
    patched.controlPlaneMachines!.machineTemplate.addJsonPatch(JsonPatch.replace('/spec/template/spec/type', 'cx43'));

    expect(nameIn(patched)).toBe(nameIn(page({ ...of, machine: { serverType: 'cx43' } })));
    expect(nameIn(patched)).not.toBe(nameIn(page(of)));
    expect(nameIn(page({ ...of, id: 'beta' }))).toMatch(/^beta-control-plane-/);
  });

  test('that changes in place is found by comparison with what was written before, and one under another name is not', () => {
    const before = written(page(of));
    const isOld = (text: string) => text.includes('"kind":"HCloudMachineTemplate"');
    const old = before.split('\n---\n').filter(isOld).join('\n---\n');

    expect(new Set(changed(before, before.replaceAll('"type":"cpx32"', '"type":"cx43"')))).toEqual(new Set(['TC-CHANGE-HETZNER-FIELD spec.template.spec.type']));
    expect(changed(before, `${old}\n---\n${written(page({ ...of, machine: { serverType: 'cx43' } }))}`)).toEqual([]);
  });

  test('has the health check and the remediation of its machines', () => {
    expect(object(page(of), 'MachineHealthCheck', 'acme-control-plane').spec).toMatchObject({
      selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/control-plane': '' } },
      remediation: { templateRef: { kind: 'HCloudRemediationTemplate', name: 'acme-control-plane' } },
    });
  });

  test('takes the name of a pool', () => {
    const cluster = page(of);
    cluster.addNodePool('control-plane', { machine: new HetznerMachine({ serverType: 'cx33', image: 'node' }), size: PoolSize.fixed(1) });
    expect(refused(cluster).join('\n')).toContain('TC-POOL-NAME-TAKEN');
  });

  test('is of the infrastructure of the cluster', () => {
    expect(refused(page({ ...of, infrastructure: new ExampleInfrastructure() })).join('\n')).toContain('TC-POOL-INFRASTRUCTURE controlPlane.machine');
  });
});
