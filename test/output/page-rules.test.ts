import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { RULE_TOPICS } from '../../src/cli/explain/rule-text';
import { prepare } from '../../src/constructs/app/synth/synthesis';
import { constructGroups, written } from '../../src/constructs/app/validation/construct-manifests';
import { KamajiExposure } from '../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiVolume } from '../../src/constructs/control-planes/kamaji/volumes';
import { DiskSetup, PartitionType } from '../../src/constructs/control-planes/kubeadm/bootstrap/disk-setup';
import { KubeadmBootstrap } from '../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmControlPlane } from '../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeadmControlPlaneProps } from '../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { VultrFirewallRule, VultrLoadBalancer, VultrLoadBalancerOptions } from '../../src/constructs/infrastructures/vultr/vultr-load-balancer';
import { manifestRules } from '../../src/manifests/validation/manifest-rules';
import { ManifestValidator } from '../../src/manifests/validation/validate-manifests';
import { exampleCluster, poolProps } from '../support/clusters';
import { problemsOf } from '../support/problems';
import { ExampleMachine } from '../support/strategies';

/** A page that breaks a rule over manifests, and the property that synthesis names. */
interface FailingPage {
  readonly property: string;
  write(app: App): void;
}

/** Pages by the rule that they break. A rule has an entry here in place of a check of the input. */
const PAGES: { readonly [id: string]: FailingPage } = {
  'TC-TRAP-KAMAJI-VOLUME': hosted('deployment.volumes[0]', { deployment: { volumes: [KamajiVolume.secret('Tokens', 'acme-tokens')] } }),
  'TC-TRAP-KAMAJI-SERVICE-PORT': hosted('additionalServicePorts[0].port', { additionalServicePorts: [{ name: 'proxy', port: 6443 }] }),
  'TC-TRAP-KAMAJI-NODE-PORT': hosted('exposure.port', { exposure: KamajiExposure.nodePort({ address: '192.0.2.10', port: 6443, konnectivityPort: 30132 }) }),
  'TC-TRAP-KAMAJI-PORT-CLASH': hosted('exposure.servicePort', { exposure: KamajiExposure.ingress({ hostname: 'acme.example.com', servicePort: 10257 }) }),
  'TC-TRAP-KAMAJI-DATA-STORE-OVERRIDE': hosted('dataStoreOverrides[0].resource', { dataStoreOverrides: [{ resource: 'events', dataStore: 'events' }] }),
  'TC-TRAP-KAMAJI-MANAGED-FLAG': hosted('controllerManager.extraArgs[0]', { controllerManager: { extraArgs: [{ name: 'leader-elect', value: 'false' }] } }),
  'TC-TRAP-KAMAJI-OIDC': hosted('apiServer.extraArgs[0]', { apiServer: { extraArgs: [{ name: 'oidc-issuer-url', value: 'https://id.example.com' }] } }),
  'TC-TRAP-KAMAJI-ARGUMENT': hosted('scheduler.extraArgs[0]', { scheduler: { extraArgs: [{ name: 'vv', value: '4' }] } }),
  'TC-TRAP-KAMAJI-ADMISSION-PLUGIN': hosted('admissionPlugins.enable[0]', { admissionPlugins: { enable: ['PodSecurityPolicy'] } }),
  'TC-ADMIT-KUBEADM-FILE-PATH': joined('files[1].path', { files: [{ path: '/etc/motd', content: 'a' }, { path: '/etc/motd', content: 'b' }] }),
  'TC-ADMIT-KUBEADM-FILE-SOURCE': joined('files[0]', { files: [{ path: '/etc/motd', content: 'a', secret: { name: 'motd', key: 'text' } }] }),
  'TC-ADMIT-KUBEADM-PARTITION-TYPE': joined('diskSetup.partitions[0].shares[0].partitionType', { diskSetup: partitioned(PartitionType.of('ext4')) }),
  'TC-TRAP-KUBEADM-PARTITION-TYPE': joined('diskSetup.partitions[0].shares[0].partitionType', {
    diskSetup: partitioned(PartitionType.guid('0FC63DAF-8483-4772-8E79-3D69D8477DE4')),
  }),
  'TC-TRAP-KAMAJI-FLAG-VALUE': hosted('apiServer.extraArgs[0]', { apiServer: { extraArgs: [{ name: 'anonymous-auth', value: 'false' }] } }),
  'TC-TRAP-KUBEADM-FLAG-VALUE': owned('apiServer.extraArgs[0]', { apiServer: { extraArgs: [{ name: 'authorization-mode', value: 'RBAC' }] } }),
  'TC-TRAP-KUBEADM-ARGUMENT-FILE': owned('apiServer.extraArgs[0]', { apiServer: { extraArgs: [{ name: 'audit-policy-file', value: '/etc/audit/policy.yaml' }] } }),
  'TC-TRAP-KUBEADM-OIDC': owned('apiServer.extraArgs[0]', { apiServer: { extraArgs: [{ name: 'oidc-client-id', value: 'acme' }] } }),
  'TC-TRAP-KUBEADM-ARGUMENT': owned('scheduler.featureGates', { scheduler: { featureGates: { Wathclist: true } } }),
  'TC-ADMIT-KUBEADM-ARGUMENT': owned('scheduler.extraArgs[1].name', { scheduler: { extraArgs: [{ name: 'v', value: '2' }, { name: 'v', value: '4' }] } }),
  'TC-TRAP-KUBELET-VALUE': {
    property: 'kubelet.configuration.imageGCLowThresholdPercent',
    write: (app) => {
      const configuration = { imageGCHighThresholdPercent: 70, imageGCLowThresholdPercent: 80 };
      exampleCluster(app).addNodePool('general', poolProps({ bootstrap: new KubeadmBootstrap(), kubelet: { configuration } }));
    },
  },
  'TC-TRAP-VULTR-SERVICE-VALUE': published('nodeCount', { nodeCount: 2 }),
  'TC-TRAP-VULTR-SERVICE-PROTOCOL': published('annotations["backend-protocol"]', { annotations: { 'backend-protocol': 'http' } }),
  'TC-TRAP-VULTR-SERVICE-TLS': published('annotations["https-ports"]', { annotations: { 'https-ports': '80' } }),
  'TC-TRAP-VULTR-SERVICE-COMBINATION': published('firewallRules', { firewallRules: [VultrFirewallRule.cloudflare(443)] }),
};

/** Rules over the input that share the end of their id with a rule over manifests, each with the reason. */
const KEPT: { readonly [id: string]: string } = {
  'TC-ADDRESS-POOL-EXHAUSTED': 'no object shows a pool that exists elsewhere, or what machines of unknown kinds take',
  'TC-CLUSTER-NAME': 'the name goes into many objects: one finding, not one in each',
  'TC-CLUSTER-NAMESPACE': 'the namespace goes into many objects: one finding, not one in each',
  'TC-KAMAJI-ADMISSION-PLUGIN': 'a plug-in that is not on is not written',
  'TC-KAMAJI-API-PORT': 'the port is in the Cluster, which the control plane does not write, and for an Ingress or a Gateway no object shows it',
  'TC-KAMAJI-ARGUMENT': 'no object shows which property sets a flag',
  'TC-KAMAJI-INFRASTRUCTURE': 'no object shows the flags of the provider, which the page names',
  'TC-KAMAJI-VERSION': 'no object shows the release of Kamaji; the other rule is about that of Kubernetes',
  'TC-KUBEADM-CRI-SOCKET': 'a page is refused a socket without scheme, too, and machines without Cluster API are set up by no object',
  'TC-KUBEADM-FILE-PATH': 'manifests may be for Windows',
  'TC-KUBEADM-FILE-SOURCE': 'manifests may have empty files',
  'TC-KUBEVIRT-DEVICE-MIGRATION': 'a page is refused LiveMigrateIfPossible, too',
  'TC-KUBEVIRT-MEMORY': 'a fraction of a MiB cannot be written; the other rule is about memory that is missing',
  'TC-KUBEVIRT-NAME-LENGTH': 'a page counts the names of control plane machines, too',
  'TC-KUBEVIRT-SIZING': 'a size that is missing, and a capacity beside it, cannot be written',
  'TC-POOL-NAME': 'the name goes into many objects: one finding, not one in each',
  'TC-VSPHERE-ENDPOINT': 'the endpoint is a property of the control plane, which the object of the infrastructure does not show',
  'TC-VULTR-MACHINE-NAME': 'the name comes from the cluster or the pool, and is refused there',
};

describe.each(Object.entries(PAGES))('a page that breaks %s', (id, { property, write }) => {
  test('is refused at the property', () => {
    const app = Testing.app();
    write(app);

    expect(problemsOf(app).map((problem) => `${problem.id} ${problem.text}`)).toEqual([expect.stringContaining(`${id} ${property}: `)]);
  });

  test('is refused as manifests, which no construct has checked', () => {
    const app = Testing.app();
    write(app);

    expect(idsFound(app)).toContain(id);
  });
});

test('the comparison notices a page that breaks no rule', () => {
  const app = Testing.app();
  hosted('', {}).write(app);

  expect(Object.keys(PAGES).filter((id) => idsFound(app).includes(id))).toEqual([]);
});

test('no rule over the input repeats one over manifests', () => {
  const tails = new Set(manifestRules().map(({ id }) => id.replace(/^TC-(ADMIT|TRAP)-/, '')));
  const pairs = RULE_TOPICS.flatMap(({ rules }) => rules).map(({ id }) => id).filter((id) => tails.has(id.replace(/^TC-/, '')));

  expect(pairs.sort()).toEqual(Object.keys(KEPT));
});

/** Rules that what an app writes breaks, without the validation of its constructs. */
function idsFound(app: App): string[] {
  prepare(app);
  const groups = constructGroups(app).map((objects) => (
    objects.flatMap(({ owner, object }) => written(object, owner)).map(({ manifest }) => manifest)
  ));
  return new ManifestValidator().validate(groups, { silences: [], strict: false }).found.map(({ finding }) => finding.rule.id);
}

function hosted(property: string, props: KamajiControlPlaneProps): FailingPage {
  return {
    property: `controlPlane.${property}`,
    write: (app) => { exampleCluster(app, { controlPlane: new KamajiControlPlane(props), infrastructure: new KubevirtInfrastructure() }); },
  };
}

function owned(property: string, props: Partial<KubeadmControlPlaneProps>): FailingPage {
  return {
    property: `controlPlane.${property}`,
    write: (app) => { exampleCluster(app, { controlPlane: new KubeadmControlPlane({ machine: new ExampleMachine(), ...props }) }); },
  };
}

function joined(property: string, props: ConstructorParameters<typeof KubeadmBootstrap>[0]): FailingPage {
  return {
    property: `bootstrap.${property}`,
    write: (app) => { exampleCluster(app).addNodePool('general', poolProps({ bootstrap: new KubeadmBootstrap(props) })); },
  };
}

function published(property: string, options: VultrLoadBalancerOptions): FailingPage {
  return {
    property,
    write: (app) => {
      const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] };
      VultrLoadBalancer.publish(new ApiObject(new Chart(app, 'web'), 'service', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec }), options);
    },
  };
}

function partitioned(partitionType: PartitionType): DiskSetup {
  return { partitions: [{ device: '/dev/vdb', shares: [{ percentage: 100, partitionType }] }] };
}
