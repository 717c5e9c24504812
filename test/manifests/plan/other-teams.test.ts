import { CLUSTER, kustomization, planned, replaced, stateOf } from './texts-of-plans';
import { planObjects } from '../../../src/manifests/plan/plan-objects';

describe('a folder of a Kustomization', () => {
  const files = { 'flux/shop.yaml': kustomization('shop', 'path: ./clusters/shop'), 'clusters/shop/all.yaml': CLUSTER };
  const moved = { 'flux/shop.yaml': files['flux/shop.yaml'], 'tenants/shop/all.yaml': CLUSTER };

  test('that moves with the path changes nothing', () => {
    const text = planned(files, { ...moved, 'flux/shop.yaml': kustomization('shop', 'path: ./tenants/shop') });
    expect(text).toContain('SAFE: 0 of 1 cluster differ');
    expect(text).toContain('delivery shop  changed in place: path ./clusters/shop -> ./tenants/shop');
  });

  // fluxcd/kustomize-controller internal/controller/kustomization_controller.go: kustomization path not found.
  test.each([['moves without it', moved], ['goes', { 'flux/shop.yaml': files['flux/shop.yaml'] }]])('that %s makes it fail, and nothing is pruned', (_, after) => {
    const text = planned(files, after);
    expect(text).toContain('Kustomization shop finds no folder ./clusters/shop: it fails, applies nothing and deletes nothing until the folder is there');
    expect(text).not.toContain('deleted:');
  });

  test('that goes is looked for once for all of its objects', () => {
    const hasFiles = jest.fn(() => false);
    planObjects(stateOf(files), stateOf({ 'flux/shop.yaml': files['flux/shop.yaml'] }, hasFiles));
    expect(hasFiles).toHaveBeenCalledTimes(1);
  });

  test('that keeps another file is emptied, and all of it is pruned', () => {
    expect(planned(files, { 'flux/shop.yaml': files['flux/shop.yaml'], 'clusters/shop/README.md': '' })).toContain('LOST: team-shop/shop: the cluster with 1 machine');
  });

  test('has variables that are used nowhere', () => {
    const variables = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars, namespace: flux-system}\ndata: {REGION: eu}\n';
    const before = { ...files, 'flux/shop.yaml': kustomization('shop', 'path: ./clusters/shop, postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}'), 'flux/vars.yaml': variables };
    expect(planned(before, { ...before, 'flux/vars.yaml': variables.replace('eu', 'us') })).toContain('SAFE: 0 of 1 cluster differ');
  });
});

test.each([
  ['notification.toolkit.fluxcd.io/v1beta3', 'Alert', '{eventSeverity: info}', 'info', 'error'],
  ['image.toolkit.fluxcd.io/v1', 'ImagePolicy', '{policy: {semver: {range: 1.x}}}', '1.x', '2.x'],
])('%s %s acts on no cluster', (apiVersion, kind, spec, was, is) => {
  expect(replaced(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: flux-system}\nspec: ${spec}\n`, was, is)).toContain(`${kind}  changed in place`);
});

describe('a ResourceSet', () => {
  const set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  inputs:
  - {tenant: blue}
  - {tenant: red}
  resources:
  - ${kustomization('<< inputs.tenant >>', 'path: "./tenants/<< inputs.tenant >>"').trim().replace(/\n/g, '\n    ')}
`;
  const folders = { 'tenants/red/all.yaml': CLUSTER, 'tenants/blue/all.yaml': CLUSTER.replaceAll('shop', 'blue') };

  test('makes objects of its inputs', () => {
    const text = planned({ 'set.yaml': set, ...folders }, { 'set.yaml': set.replace('  - {tenant: red}\n', ''), ...folders });
    expect(text).toContain('Kustomization red, which applied it, is removed');
    expect(text).toContain('LOST: team-shop/shop: the cluster with 1 machine');
    expect(text).toContain('ResourceSet   changed in place');
  });

  test('with other inputs is not known', () => {
    const other = set.replace('  inputs:\n', '  inputsFrom: [{name: a}]\n  inputs:\n');
    expect(planned(other, other.replace('tenant: red', 'tenant: green'))).toContain('ResourceSet  changed, effect unknown');
  });
});

test('Flux is upgraded, and uninstalled', () => {
  const instance = 'apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\nspec: {distribution: {version: 2.5.x}}\n';
  expect(replaced(instance, '2.5.x', '2.6.x')).toContain('FluxInstance  upgraded: Flux 2.5.x -> 2.6.x');
  expect(planned(instance, CLUSTER)).toContain('not available: Flux of FluxInstance flux (it is uninstalled: what it applied stays, and no change is applied)');
});

const HOST = `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: node-0, namespace: metal3, labels: {rack: a}}
spec: {online: true, bootMACAddress: "00:5c:52:31:3a:9c", image: {url: "http://images.example.com/a"}, bmc: {address: "ipmi://192.0.2.1", credentialsName: node-0}}
`;

// metal3-io/baremetal-operator internal/webhooks/metal3.io/v1alpha1/baremetalhost_validation.go, internal/controller/metal3.io/host_state_machine.go.
test.each([
  ['online: true', 'online: false', 'not available: host node-0 and a node on it (until it is powered on again)'],
  ['rack: a', 'rack: b', 'changed in place: metadata.labels.rack a -> b'],
  ['labels:', 'annotations: {reboot.metal3.io: ""}, labels:', 'not available: host node-0 and a node on it (it is powered off and on again)'],
  ['3a:9c', '3a:9d', 'REFUSED by the server: spec.bootMACAddress'],
  ['192.0.2.1', '192.0.2.2', 'refused unless the host is being registered, or detached'],
  ['example.com/a', 'example.com/b', 'lost: what runs on host node-0 (it is deprovisioned for the other image)'],
])('a host with %s -> %s', (was, is, effect) => {
  expect(replaced(HOST, was, is)).toContain(effect);
});

test('a host that goes takes along what runs on it, unless it is detached', () => {
  const lost = 'lost: what runs on host node-0 (it is deprovisioned, and a machine that was made on it goes with it)';
  expect(planned(HOST, CLUSTER)).toContain(lost);
  expect(planned(HOST.replace('labels:', 'annotations: {baremetalhost.metal3.io/detached: "true"}, labels:'), CLUSTER)).not.toContain(lost);
});

test('a host that was provisioned elsewhere is powered off when it goes', () => {
  const plan = planned(HOST.replace('online: true', 'online: true, externallyProvisioned: true'), CLUSTER);
  expect(plan).toContain('not available: host node-0 and a node on it (it is powered off, and nothing manages it any more; what is on its disks stays)');
  expect(plan).not.toContain('lost: what runs on host node-0');
});

test('a host in maintenance loses its machine', () => {
  const host = 'apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: HetznerBareMetalHost\nmetadata: {name: h1, namespace: hz}\nspec: {serverID: 1, maintenanceMode: false}\n';
  expect(replaced(host, 'false', 'true')).toContain('not available: host h1 and a node on it');
});

test.each(['CoreProvider', 'InfrastructureProvider'])('a %s that goes leaves objects that nothing reconciles', (kind) => {
  const provider = `apiVersion: operator.cluster.x-k8s.io/v1alpha2\nkind: ${kind}\nmetadata: {name: a, namespace: a-system}\nspec: {version: v1.12.1}\n`;
  expect(planned(provider, CLUSTER)).toContain(`not available: controllers of ${kind} a (its objects stay as they are`);
});

const UNKNOWN = CLUSTER.replace('KubeadmControlPlane, name', 'ExampleControlPlane, name').replace('kind: KubeadmControlPlane', 'kind: ExampleControlPlane').replace('replicas: 1', 'replicas: 3');

test.each([
  ['version: v1.33.4', 'version: v1.34.1', '0 to 3 machines are replaced, 1 at a time: version v1.33.4 -> v1.34.1 (its provider may update machines in place)'],
  ['replicas: 3', 'replicas: 1', '2 machines are deleted: replicas 3 -> 1'],
  ['replicas: 3', 'replicas: 3\n  example: a', 'changed, effect unknown: spec.example a added'],
])('a control plane of which the contract alone is known: %s -> %s', (was, is, effect) => {
  expect(replaced(UNKNOWN, was, is)).toContain(effect);
});

test('a template of an unknown provider is compared by its name', () => {
  const pool = `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: w, namespace: team-shop}
spec:
  clusterName: shop
  replicas: 2
  template:
    spec:
      clusterName: shop
      bootstrap: {dataSecretName: w}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ExampleMachineTemplate, name: w}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1
kind: ExampleMachineTemplate
metadata: {name: w, namespace: team-shop}
spec: {template: {spec: {size: large}}}
`;
  expect(replaced(CLUSTER + pool, 'size: large', 'size: small')).toContain('affects only what is created later: spec.template.spec.size large -> small (unless the webhook of its provider refuses it)');
});

test.each(['ca', 'etcd', 'proxy', 'sa'])('a control plane is not changed without its Secret %s', (purpose) => {
  const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: shop-${purpose}, namespace: team-shop}\ndata: {tls.crt: YQ==}\n`;
  const failure = 'accepted, and fails later: it is gone, and the Cluster "shop" runs with it';
  const external = `---\napiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: shop-${purpose}, namespace: team-shop}\nspec: {}\n`;
  expect(planned(`${CLUSTER}---\n${secret}`, CLUSTER)).toContain(failure);
  expect(planned(`${CLUSTER}---\n${secret}`, CLUSTER + external)).not.toContain(failure);
});

test('an Ingress has its certificate made anew', () => {
  const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: team-shop, annotations: {cert-manager.io/cluster-issuer: company}}
spec: {tls: [{hosts: [a.example.com], secretName: web-tls}]}
`;
  const secret = '---\napiVersion: v1\nkind: Secret\nmetadata: {name: web-tls, namespace: team-shop}\ndata: {tls.crt: YQ==}\n';
  expect(planned(ingress + secret, ingress)).not.toContain('fails later');
  const unissued = ingress.replace('cert-manager.io/cluster-issuer', 'example.com/issuer');
  expect(planned(unissued + secret, unissued)).toContain('Secret web-tls is gone, and Ingress web names it');
});

test('topologies need the extension that patches them', () => {
  const classes = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: std, namespace: team-shop}
spec: {patches: [{name: a, external: {generatePatchesExtension: generate.patches}}]}
---
`;
  const extension = 'apiVersion: runtime.cluster.x-k8s.io/v1beta2\nkind: ExtensionConfig\nmetadata: {name: patches}\nspec: {clientConfig: {service: {name: a, namespace: b}}}\n';
  expect(planned(classes + extension, classes)).toContain('ExtensionConfig patches is gone, and topologies of ClusterClass std change no more without its patches');
  expect(replaced(classes + extension, 'service: {name: a', 'service: {name: c')).toContain('patches of ClusterClass std come from it');
  expect(replaced(extension, 'service: {name: a', 'service: {name: c')).toContain('its hooks may act otherwise: which ones it has is known to Cluster API alone');
});

test('an Application reads another revision, or has no credentials any more', () => {
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {repoURL: https://git.example.com/fleet, path: a, targetRevision: HEAD}
  destination: {server: https://kubernetes.default.svc}
  syncPolicy: {automated: {prune: true}}
`;
  const secret = `---
apiVersion: v1
kind: Secret
metadata: {name: fleet, namespace: argocd, labels: {argocd.argoproj.io/secret-type: repository}}
stringData: {url: "https://git.example.com/fleet.git", password: a}
`;
  const project = '---\napiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: default, namespace: argocd}\nspec: {sourceRepos: ["*"]}\n';
  expect(replaced(application, 'HEAD', 'v2')).toContain('other content is applied, which is not read, and what it does not have is deleted');
  expect(planned(application + secret, application)).toContain('Application shop reads the repository without credentials from now on');
  expect(planned(application + secret, application.replaceAll('fleet', 'other'))).not.toContain('without credentials');
  expect(planned(application + project, application)).toContain('Application shop of this project cannot be synced without it, until the server of Argo CD starts again');
});

test('the port of a lone control plane is that of its nodes', () => {
  const tenant = `apiVersion: kamaji.clastix.io/v1alpha1
kind: TenantControlPlane
metadata: {name: dev, namespace: tenants}
spec:
  controlPlane: {deployment: {replicas: 2}, service: {serviceType: LoadBalancer}}
  kubernetes: {version: v1.33.4, kubelet: {cgroupfs: systemd}}
  networkProfile: {port: 6443}
`;
  expect(replaced(tenant, 'port: 6443', 'port: 7443')).toContain('accepted, and fails later: spec.networkProfile.port: it was 6443, and is 7443 now (TC-CHANGE-TCP-NETWORK)');
});

const HOSTED = `apiVersion: k0smotron.io/v1beta1
kind: Cluster
metadata: {name: edge, namespace: k0s}
spec: {replicas: 2, version: v1.33.4-k0s.0, persistence: {type: pvc, persistentVolumeClaim: {spec: {resources: {requests: {storage: 5Gi}}}}}}
`;

test.each([
  ['v1.33.4', 'v1.34.1', '2 pods are replaced: version v1.33.4-k0s.0 -> v1.34.1-k0s.0'],
  ['replicas: 2', 'replicas: 3', 'scaled: replicas 2 -> 3'],
  ['5Gi', '10Gi', 'accepted, and fails later: persistence.persistentVolumeClaim'],
  ['replicas: 2', 'replicas: 2, k0sConfig: {spec: {telemetry: {enabled: false}}}', 'changed in place: k0sConfig'],
  ['replicas: 2', 'replicas: 2, controlPlaneFlags: [--debug]', 'affects only what is created later: controlPlaneFlags added (when the pods start again)'],
])('a control plane of k0smotron that is a cluster by itself: %s -> %s', (was, is, effect) => {
  expect(replaced(HOSTED, was, is)).toContain(`k0s/edge: changed\n  control plane  ${effect}`);
});

test('a control plane of k0smotron that goes is a cluster that is lost', () => {
  expect(planned(HOSTED, CLUSTER)).toContain('LOST: k0s/edge: the cluster');
});

test('a Cluster of another system is no cluster', () => {
  const database = HOSTED.replace('k0smotron.io/v1beta1', 'postgresql.cnpg.io/v1');
  expect(replaced(database, 'v1.33.4', 'v1.34.1')).toContain('Cluster  changed, effect unknown: spec.version v1.33.4-k0s.0 -> v1.34.1-k0s.0');
});

const NODES = `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: {name: hc, namespace: hosted}
spec: {release: {image: 'example.com/release:4.18.3'}}
---
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: {name: hc-workers, namespace: hosted}
spec: {clusterName: hc, replicas: 3, management: {upgradeType: Replace}, release: {image: 'example.com/nodes:4.18.3'}}
`;

test.each([
  ['nodes:4.18.3', 'nodes:4.19.1', '3 machines are replaced: release.image'],
  ['replicas: 3', 'replicas: 1', '2 machines are deleted: replicas 3 -> 1'],
  ['clusterName: hc', 'clusterName: other', 'REFUSED by the server: spec.clusterName'],
  ['release:4.18.3', 'release:4.19.1', '(the pods of its control plane are replaced; NodePools keep their release)'],
  ['replicas: 3', 'replicas: 3, platform: {aws: {instanceType: m6i.large}}', '3 machines are replaced: platform'],
  ['replicas: 3', 'replicas: 3, platform: {aws: {resourceTags: [{key: a, value: b}]}}', 'changed in place: platform.aws.resourceTags'],
  ['replicas: 3', 'replicas: 3, tuningConfig: [{name: a}]', 'effect unknown: tuningConfig added'],
])('a hosted cluster and its nodes: %s -> %s', (was, is, effect) => {
  expect(replaced(NODES, was, is)).toContain(effect);
});

test.each([
  ['upgradeType: Replace', 'upgradeType: InPlace', 'nodes:4.18.3', 'nodes:4.19.1', 'changed in place: release.image'],
  ['upgradeType: Replace', 'upgradeType: InPlace', 'replicas: 3', 'replicas: 3, platform: {aws: {instanceType: m6i.large}}', 'affects only what is created later: platform'],
  ['upgradeType: Replace', 'upgradeType: Replace, replace: {strategy: OnDelete}', 'nodes:4.18.3', 'nodes:4.19.1', 'affects only what is created later: release.image'],
])('a pool of a hosted cluster with %s as %s: %s -> %s', (usual, other, was, is, effect) => {
  expect(replaced(NODES.replace(usual, other), was, is)).toContain(effect);
});

const ANYWHERE = (kind: string, strategy: string) => `apiVersion: anywhere.eks.amazonaws.com/v1alpha1
kind: Cluster
metadata: {name: edge, namespace: default}
spec:
  kubernetesVersion: "1.33"
  datacenterRef: {kind: ${kind}, name: edge}
  controlPlaneConfiguration: {count: 3, upgradeRolloutStrategy: {type: ${strategy}}}
  workerNodeGroupConfigurations: [{name: md, count: 2, kubernetesVersion: "1.32"}]
`;

test.each([
  ['VSphereDatacenterConfig', 'RollingUpdate', '"1.33"', '"1.34"', 'machines are replaced: kubernetesVersion 1.33 -> 1.34'],
  ['TinkerbellDatacenterConfig', 'InPlace', '"1.33"', '"1.34"', 'effect unknown: kubernetesVersion 1.33 -> 1.34'],
  ['VSphereDatacenterConfig', 'RollingUpdate', '"1.32"', '"1.33"', 'machines are replaced: workerNodeGroupConfigurations'],
  ['TinkerbellDatacenterConfig', 'RollingUpdate', '"1.32"', '"1.33"', 'effect unknown: workerNodeGroupConfigurations'],
])('a cluster of EKS Anywhere on %s with %s: %s -> %s', (kind, strategy, was, is, effect) => {
  expect(replaced(ANYWHERE(kind, strategy), was, is)).toContain(effect);
});

test('a control plane whose Cluster is in no file has machines of its own', () => {
  const [, controlPlane] = CLUSTER.split(/^---$/m).filter((document) => document.includes('KubeadmControlPlane'));
  const text = controlPlane.replace('replicas: 1', 'replicas: 3');
  expect(planned(text, text.replace('v1.33.4', 'v1.34.1'))).toContain('3 machines are replaced, 1 at a time: version v1.33.4 -> v1.34.1');
});

const MACHINE = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: vm1, namespace: vms}
spec: {runStrategy: Always, template: {spec: {domain: {memory: {guest: 4Gi}, devices: {}}}}}
`;

test.each([
  ['4Gi', '8Gi', 'affects only what is created later: spec.template.spec.domain.memory.guest 4Gi -> 8Gi (when the virtual machine starts again'],
  ['Always', 'Halted', 'not available: VirtualMachine vm1 (it is shut down, until it may run again)'],
  ['Always', 'Manual', 'changed in place: runStrategy Always -> Manual'],
])('a virtual machine of no pool: %s -> %s', (was, is, effect) => {
  expect(replaced(MACHINE, was, is)).toContain(effect);
});

test('a virtual machine that goes takes its data along', () => {
  const templates = MACHINE.replace('{runStrategy: Always,', '{runStrategy: Always, dataVolumeTemplates: [{metadata: {name: vm1}, spec: {}}],');
  expect(planned(templates, CLUSTER)).toContain('lost: VirtualMachine vms/vm1 with its data');
  expect(planned(MACHINE, CLUSTER)).toContain('lost: VirtualMachine vms/vm1 (volumes of other objects stay)');
});

const RKE2 = (version: string, machineTemplate: string) => `apiVersion: controlplane.cluster.x-k8s.io/${version}
kind: RKE2ControlPlane
metadata: {name: shop, namespace: team-shop}
spec: {replicas: 3, version: v1.34.1+rke2r1, machineTemplate: ${machineTemplate}}
`;
const OLDER = RKE2('v1beta1', '{nodeDrainTimeout: 5m, infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DockerMachineTemplate, name: a}}');
const NEWER = RKE2('v1beta2', `{spec: {
  deletion: {nodeDrainTimeoutSeconds: 300}, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerMachineTemplate, name: a}}}`);
const CLOUDSTACK = 'apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: CloudStackMachineTemplate\nmetadata: {name: a, namespace: b}\nspec: {template: {spec: {}}}\n';

test.each([
  ['a control plane of RKE2', OLDER, NEWER, 'Nothing changes.'],
  ['a control plane of RKE2 with another timeout', OLDER, NEWER.replace('300', '600'), 'machineTemplate.spec.deletion.nodeDrainTimeoutSeconds 300 -> 600'],
  ['a template of CloudStack', CLOUDSTACK, CLOUDSTACK.replace('v1beta2', 'v1beta3'), 'Nothing changes.'],
])('a newer version of the API for %s', (_, before, after, text) => {
  expect(planned(before, after)).toContain(text);
});

