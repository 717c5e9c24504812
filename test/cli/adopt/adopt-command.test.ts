import * as fs from 'node:fs';
import { adoptAndProve, runAdopt, runApp } from './adopting';
import { BESIDE, DELIVERED, FOREIGN, HOSTED, MACHINES, METAL3, OPENSTACK_V1BETA2, PROXMOX, VSPHERE } from './inputs';
import { ExitCode } from '../../../src/cli/command';
import { valuesIn } from '../../../src/manifests/objects/manifest-text';
import { Workplace } from '../run';

/** The owner of a machine. */
const OWNER = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'acme-md-0', controller: true };

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

test('an app of a tenant by hand writes the same objects, and nothing changes', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('plan: nothing changes');
  expect(adopted.out).toContain('7 objects: 7 made by pages (7 by a class of their own');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('7 objects: 5 equal to the value, 2 stored as equal, 0 different, 0 missing; 0 added') });
});

test('the page has the properties that a person would write, and patches for the rest', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED });
  await runAdopt(workplace, ['old', '--output', 'app']);
  const page = workplace.read('app/tenants/acme.ts');

  expect(page).toContain("podCidrs: ['10.32.0.0/16'],");
  expect(page).toContain("rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' }),");
  expect(page).toContain('size: PoolSize.fixed(3),');
  expect(page).toContain("formerTemplates: FormerTemplates.fromFile('former/acme/md-0.yaml', {");
  expect(page).toContain("JsonPatch.remove('/spec/admissionControllers'),");
  expect(workplace.read('app/former/acme/md-0.yaml')).toContain('name: acme-md-0');
});

test('a change of the page on purpose replaces the machines, and keeps everything else', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED });
  await runAdopt(workplace, ['old', '--output', 'app']);
  workplace.write({ 'app/tenants/acme.ts': workplace.read('app/tenants/acme.ts').replace('cpu: 4,', 'cpu: 8,') });
  runApp(workplace, 'app');
  const { code, out } = await runAdopt(workplace, ['--prove', 'old', 'app/dist']);

  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toContain('3 machines are replaced, 1 at a time');
  expect(out).toContain('cpu 4 -> 8');
});

test('clusters that differ in values only become a list with a profile', async () => {
  const sizes = { one: 1, two: 2, three: 3, four: 4 };
  workplace.write(Object.fromEntries(Object.entries(sizes).map(([name, size]) => (
    [`old/${name}.yaml`, HOSTED.replaceAll('acme', name).replace('replicas: 3', `replicas: ${size}`).replace('10.32.0.0/16', `10.${size}.0.0/16`)]))));
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.code).toBe(ExitCode.OK);
  expect(workplace.read('app/clusters.csv')).toBe([
    'name,namespace,kubernetesVersion,podCidrs,md0Size',
    'four,tenant-four,1.35.4,10.4.0.0/16,4', 'one,tenant-one,1.35.4,10.1.0.0/16,1',
    'three,tenant-three,1.35.4,10.3.0.0/16,3', 'two,tenant-two,1.35.4,10.2.0.0/16,2', '',
  ].join('\n'));
  expect(workplace.read('app/fleet.ts')).toContain("size: PoolSize.fixed(cluster.integer('md0Size')),");
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('28 objects: 20 equal to the value, 8 stored as equal, 0 different, 0 missing; 0 added') });
});

test('charts that Flux installs in a cluster become addons, and their releases stay', async () => {
  workplace.write({ 'old/acme.yaml': DELIVERED });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read('app/tenants/acme.ts');

  expect(adopted.out).toContain('11 objects: 9 made by pages (9 by a class of their own');
  for (const line of [
    'delivery: new FluxDelivery({ interval: Duration.minutes(30), wait: true }),',
    "acme.addAddon(new HelmAddon('cilium', {",
    "repository: 'https://helm.cilium.io',",
    "chartVersion: '1.20.0',",
    'values: { ipam: { mode: \'kubernetes\' } },',
    "acme.addAddon(new HelmAddon('demo', {",
    "repository: 'oci://ghcr.io/stefanprodan/charts',",
    "releaseName: 'demo-demo',",
    "valuesFrom: [HelmValuesSource.configMap('demo', { key: 'values' })],",
    "requires: ['cilium'],",
    "JsonPatch.replace('/metadata/name', 'demo'),",
  ]) expect(page).toContain(line);
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('0 different, 0 missing; 0 added') });
});

test('charts whose releases differ in the name of the cluster alone become addons with names of their own', async () => {
  workplace.write({ 'old/acme.yaml': DELIVERED.replace('{name: demo, namespace', '{name: cilium, namespace') });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read('app/tenants/acme.ts');

  expect(adopted.out).toContain('11 objects: 9 made by pages (9 by a class of their own');
  expect(page).toContain("acme.addAddon(new HelmAddon('acme-cilium', {");
  expect(page).toContain("acme.addAddon(new HelmAddon('cilium', {");
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('0 different, 0 missing; 0 added') });
});

test('charts are a part of the profile of clusters that differ in values only', async () => {
  const names = ['one', 'two', 'three'];
  workplace.write(Object.fromEntries(names.map((name) => [
    `old/${name}.yaml`, DELIVERED.replaceAll('acme', name).replace('mode: kubernetes', `mode: kubernetes, id: ${name.length}`),
  ])));
  const { proof } = await adoptAndProve(workplace, 'old');
  const fleet = workplace.read('app/fleet.ts');

  expect(fleet).toContain("const cilium = tenant.addAddon(new HelmAddon('cilium', {");
  expect(fleet).toContain("id: cluster.integer('ciliumId')");
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('0 different, 0 missing; 0 added') });
});

test.each([
  ['OpenStack', MACHINES, 'hall', 'new openstack.OpenStackMachine({'],
  ['OpenStack in v1beta2', OPENSTACK_V1BETA2, 'hall', "new openstack.OpenStackMachine({\n      flavor: 'm1.large',"],
  ['vSphere', VSPHERE, 'hall', 'new vsphere.VSphereMachine({'],
  ['Proxmox VE', PROXMOX, 'hall', 'new proxmox.ProxmoxMachine({'],
  ['Metal3', METAL3, 'hall', "diskFormat: 'raw',"],
  ['a provider that it does not know', FOREIGN, 'depot', 'new ManifestMachine({'],
])('a cluster of %s whose control plane runs on machines keeps them, in another version of the API', async (_, text, name, machine) => {
  workplace.write({ 'old/cluster.yaml': text });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read(`app/tenants/${name}.ts`);

  expect(adopted.out).toContain('8 objects: 8 made by pages');
  expect(page).toContain(`formerTemplates: FormerTemplates.fromFile('former/${name}-control-plane.yaml'`);
  expect(page).toContain(machine);
  expect(page).toContain('rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(2) }),');
  expect(page).toContain('nodeDrainTimeout: Duration.minutes(15),');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

test('a change of the machines of a control plane replaces them', async () => {
  workplace.write({ 'old/cluster.yaml': FOREIGN });
  await runAdopt(workplace, ['old', '--output', 'app']);
  workplace.write({ 'app/tenants/depot.ts': workplace.read('app/tenants/depot.ts').replace("flavor: 'm1.medium'", "flavor: 'm1.xlarge'") });
  runApp(workplace, 'app');
  const { code, out } = await runAdopt(workplace, ['--prove', 'old', 'app/dist']);

  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toContain('control plane  3 machines are replaced');
});

test('what no class makes is carried along, and a Secret stays where it is', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED, 'old/beside.yaml': BESIDE });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('carried/beside.yaml: 1 object');
  expect(adopted.out).toContain('old/beside.yaml:7: Secret registry is a Secret: its content is copied nowhere');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
  const files = fs.readdirSync(workplace.path('app'), { recursive: true, encoding: 'utf8' }).filter((file) => fs.statSync(workplace.path(`app/${file}`)).isFile());
  expect(files.filter((file) => workplace.read(`app/${file}`).includes('Hq7-'))).toEqual([]);
  expect(adopted.out + proof.out).not.toContain('Hq7-');
});

test('a pool of a name of its own without a selector keeps the label that the server adds to it', async () => {
  const pool = MACHINES.replace('kind: MachineDeployment\nmetadata: {name: hall-md-0', 'kind: MachineDeployment\nmetadata: {name: workers')
    .replace('  template:\n    spec:\n      clusterName: hall', '  template:\n    metadata: {labels: {cluster.x-k8s.io/cluster-name: hall}}\n    spec:\n      clusterName: hall');
  workplace.write({ 'old/hall.yaml': pool });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.code).toBe(ExitCode.OK);
  expect(workplace.read('app/tenants/hall.ts')).toContain("JsonPatch.replace('/spec/selector/matchLabels/cluster.x-k8s.io~1deployment-name', 'workers'),");
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('0 different, 0 missing; 0 added') });
});

test('a limit of a health check that the library refuses is a patch', async () => {
  workplace.write({ 'old/hall.yaml': MACHINES.replace('replicas: 4', 'replicas: 2') });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read('app/tenants/hall.ts');

  expect(adopted.out).toContain('tenant-hall/hall: 8 objects, 1 pool');
  expect(page).not.toContain('maxUnhealthy:');
  expect(page).toContain("JsonPatch.replace('/spec/remediation/triggerIf/unhealthyLessThanOrEqualTo', '40%')");
  expect(proof.code).toBe(ExitCode.OK);
});

test('files that exist are not overwritten', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED, 'app/main.ts': 'mine' });

  await expect(runAdopt(workplace, ['old', '--output', 'app'])).rejects.toThrow(/main\.ts exists/);
  expect(workplace.read('app/main.ts')).toBe('mine');
  expect(fs.readdirSync(workplace.path('app'))).toEqual(['main.ts']);
});

test('no file is written behind a link that leaves the folder', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED, 'app/README.md': 'mine', 'outside/README.md': 'theirs' });
  fs.symlinkSync('../outside', workplace.path('app/tenants'));

  await expect(runAdopt(workplace, ['old', '--output', 'app'])).rejects.toThrow(/tenants\/acme\.ts is outside of the folder, behind a link/);
  expect(fs.readdirSync(workplace.path('outside'))).toEqual(['README.md']);
});

test('without --output nothing is written', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED });
  const { code } = await runAdopt(workplace, ['old']);

  expect(code).toBe(ExitCode.OK);
  expect(fs.readdirSync(workplace.folder)).toEqual(['old']);
});

test('a cluster without its control plane is carried as a whole, and the report says why', async () => {
  const [kept] = HOSTED.split('---\napiVersion: controlplane');
  workplace.write({ 'old/acme.yaml': kept });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('Cluster tenant-acme/acme, which lacks its control plane: KamajiControlPlane acme is not among the manifests');
  expect(proof.code).toBe(ExitCode.OK);
});

test('of an object that stands there twice, the first one is carried', async () => {
  workplace.write({ 'old/one.yaml': BESIDE, 'old/two.yaml': BESIDE });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('ConfigMap notes is a duplicate');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('1 equal to the value') });
});

test('a template without a spec is kept without one', async () => {
  const text = FOREIGN.replaceAll('KubeadmConfigTemplate', 'WidgetConfigTemplate').replace(/(WidgetConfigTemplate\nmetadata: .*)\nspec: .*/, '$1');
  workplace.write({ 'old/depot.yaml': text });
  const { proof } = await adoptAndProve(workplace, 'old');

  expect(workplace.read('app/former/depot/md-0.yaml')).toMatch(/kind: WidgetConfigTemplate\nmetadata:\n(?: .*\n)*$/);
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('0 different, 0 missing; 0 added') });
});

test('rules that manifests without a page break are silenced in the app', async () => {
  const topology = HOSTED.split('---').find((text) => text.includes('kind: KubeadmConfigTemplate'))!.replace('criSocket:', 'taints: [{key: gpu, effect: NoSchedul}], criSocket:');
  workplace.write({ 'old/template.yaml': topology });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  const [, rule] = /silenced in silences\.ts:\n  (TC-[A-Z-]+)/.exec(adopted.out)!;
  expect(proof.code).toBe(ExitCode.OK);
  expect(workplace.read('app/silences.ts')).toContain(`{ rule: '${rule}', reason: 'as it was before' },`);
  expect(JSON.parse(workplace.read('app/package.json'))).toHaveProperty('scripts.synth', `tsx main.ts && cdk8s-cluster-api validate --silence "${rule}=as it was before"`);
  expect(workplace.read('app/cdk8s.yaml')).toContain(`properties: { silences: [{ rule: ${rule}, reason: as it was before }] }\n`);
  expect(workplace.read('app/.github/workflows/app.yml')).toContain(`          silence: |\n            ${rule}=as it was before\n`);
  expect((await workplace.run(['validate', '--silence', `${rule}=as it was before`, 'app/dist'])).code).toBe(ExitCode.OK);
});

test('objects without a namespace get the one that is named', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED.replaceAll(', namespace: tenant-acme', '') });

  expect((await runAdopt(workplace, ['old'])).out).toContain('states no namespace: name it with --namespace');
  expect((await adoptAndProve(workplace, 'old', '--namespace', 'tenant-acme')).proof.code).toBe(ExitCode.OK);
});

test('clusters of one name in several namespaces get pages of their own', async () => {
  workplace.write(Object.fromEntries(['east', 'west', 'west-2'].map((region, number) => (
    [`old/${region}.yaml`, HOSTED.replaceAll('tenant-acme', region).replaceAll('tenant_acme_acme', `${region}_acme`).replace('cores: 4', `cores: ${number + 4}`)]))));
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('21 objects: 21 made by pages');
  expect(workplace.read('app/tenants/east-acme.ts')).toContain("new TenantCluster(app, 'east-acme', {\n    name: 'acme',\n    namespace: 'east',");
  expect(workplace.read('app/former/west-acme/md-0.yaml')).toContain('namespace: west\n');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('0 different, 0 missing; 0 added') });
});

test('pools of two clusters whose full names are alike keep the templates of their own', async () => {
  workplace.write({
    'old/acme.yaml': HOSTED.replaceAll('acme-md-0', 'acme-eu-md-0'),
    'old/acme-eu.yaml': HOSTED.replaceAll('acme', 'acme-eu').replaceAll('tenant_acme-eu_acme-eu', 'tenant_eu').replace('cores: 4', 'cores: 8'),
  });
  const { proof } = await adoptAndProve(workplace, 'old');

  expect(workplace.read('app/former/acme/eu-md-0.yaml')).toContain('cores: 4\n');
  expect(workplace.read('app/former/acme-eu/md-0.yaml')).toContain('cores: 8\n');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

test.each(['tenants', 'fleet', 'openstack', 'cluster', 'app', 'object'])('a cluster with the name %s and its page do not hide names of the program', async (name) => {
  workplace.write({ 'old/cluster.yaml': MACHINES.replaceAll('hall', name) });

  expect((await adoptAndProve(workplace, 'old')).proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

test.each(['control-plane', 'openstack', 'cluster'])('a pool with the name %s keeps its templates', async (name) => {
  const deployment = `kind: MachineDeployment\nmetadata: {name: hall-${name},`;
  workplace.write({ 'old/cluster.yaml': MACHINES.replace(/kind: MachineDeployment\nmetadata: \{name: [a-z0-9-]+,/, deployment) });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('tenant-hall/hall: 7 objects, 1 pool');
  expect(workplace.read(`app/former/hall/${name}.yaml`)).toContain('kind: OpenStackMachineTemplate');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

test.each([
  ['data: {a: .inf}', 'ConfigMap odd has the number Infinity, which this program cannot copy exactly'],
  ['data: {a: [12345678901234567890]}', 'ConfigMap odd has the number 12345678901234567000, which this program cannot copy exactly'],
  ['metadata: {name: odd, ownerReferences: {a: 1}}', 'ConfigMap odd has metadata.ownerReferences that is no list'],
  ['metadata: {name: odd, finalizers: 5}', 'ConfigMap odd has metadata.finalizers that is no list'],
])('an object that no app can write as it is stays where it is: %s', async (content, reason) => {
  const metadata = content.startsWith('metadata') ? '' : 'metadata: {name: odd}\n';
  workplace.write({ 'old/acme.yaml': HOSTED, 'old/odd.yaml': `apiVersion: v1\nkind: ConfigMap\n${metadata}${content}\n` });
  const { out } = await runAdopt(workplace, ['old']);

  expect(out).toContain(reason);
  expect(out).toContain('7 made by pages');
});

test.each([
  ['pre-delete', true], ['test', true], ['pre-delete, post-delete', true], ['post-install,post-upgrade', false], ['post-install,pre-delete', false],
])('a hook of Helm is left where it is if no installation runs it: %s', async (hook, isLeft) => {
  const job = `apiVersion: batch/v1\nkind: Job\nmetadata: {name: cleanup, namespace: tenant-acme, annotations: {helm.sh/hook: "${hook}"}}\n`;
  workplace.write({ 'old/acme.yaml': HOSTED, 'old/hook.yaml': job });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out.includes(`Job cleanup is a hook of Helm (${hook}), which would run at once`)).toBe(isLeft);
  expect(fs.existsSync(workplace.path('app/carried/hook.yaml'))).toBe(!isLeft);
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

test('a cluster that the library refuses is carried, and the reason is a sentence about it', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED.replaceAll('version: v1.35.4', 'version: v1.35.99999999999999999999') });

  expect((await runAdopt(workplace, ['old'])).out).toMatch(/Cluster tenant-acme\/acme, which (?:has a property that the library refuses|breaks a rule of the library): /);
});

test('a cluster that is refused beside another one is carried, and the report says why', async () => {
  workplace.write({ 'old/hall.yaml': VSPHERE, 'old/depot.yaml': VSPHERE.replaceAll('hall', 'depot') });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.code).toBe(ExitCode.OK);
  expect(adopted.out).toMatch(/Cluster tenant-(hall\/hall|depot\/depot), which breaks a rule of the library beside the others: TC-KUBEADM-CP-ENDPOINT-TAKEN/);
  expect(adopted.out).toContain('16 objects: 8 made by pages');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('plan: nothing changes') });
});

test('what kubectl prints of living objects is adopted without what servers and controllers write', async () => {
  const living = (valuesIn(HOSTED) as { metadata: object }[]).map((object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      uid: 'f3a1',
      resourceVersion: '12',
      generation: 2,
      creationTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['cluster.cluster.x-k8s.io'],
    },
    status: { phase: 'Provisioned' },
  }));
  const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: { name: 'acme-md-0-x', namespace: 'tenant-acme', ownerReferences: [OWNER] } };
  workplace.write({ 'old/dump.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...living, machine] }) });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('Machine acme-md-0-x is made by a controller, of the MachineSet acme-md-0');
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('7 objects: 5 equal to the value, 2 stored as equal') });
  expect(workplace.read('app/tenants/acme.ts')).not.toContain('finalizers');
});

test('the report for programs has each object', async () => {
  workplace.write({ 'old/acme.yaml': HOSTED, 'old/beside.yaml': BESIDE });
  const { out } = await runAdopt(workplace, ['old', '--format', 'json']);
  const { objects } = JSON.parse(out) as { objects: { kind: string; outcome: string; place: string }[] };

  expect(objects.map(({ kind, outcome }) => `${kind} ${outcome}`).sort()).toEqual([
    'Cluster typed', 'ConfigMap carried', 'KamajiControlPlane typed', 'KubeadmConfigTemplate typed', 'KubevirtCluster typed',
    'KubevirtMachineTemplate typed', 'MachineDeployment typed', 'Namespace typed', 'Secret left',
  ]);
});

test.each([
  [[], 'no manifests are named'],
  [['--prove', 'old'], '--prove compares two states'],
  [['nowhere'], 'there is no nowhere'],
])('%j cannot run, and says why', async (args, message) => {
  await expect(runAdopt(workplace, args)).rejects.toThrow(message);
});

/** A second pool of the machines of `hall-md-0`, with its templates. */
const SECOND_POOL = `---${MACHINES.split('---').find((document) => document.includes('kind: MachineDeployment'))!
  .replace('metadata: {name: hall-md-0', 'metadata: {name: hall-zone-b')}`;

test('pools that share their templates keep them, which are written once', async () => {
  workplace.write({ 'old/hall.yaml': `${MACHINES}${SECOND_POOL}` });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');
  const page = workplace.read('app/tenants/hall.ts');

  expect(adopted.out).toContain('9 objects: 9 made by pages');
  expect(page.match(/FormerTemplates\.fromFile\('former\/hall\/md-0\.yaml'/g)).toHaveLength(2);
  expect(proof).toMatchObject({ code: ExitCode.OK, out: expect.stringContaining('0 different, 0 missing; 0 added') });
});

test('a pool whose template belongs to a pool of another cluster is carried', async () => {
  const other = SECOND_POOL.replaceAll('clusterName: hall', 'clusterName: depot');
  workplace.write({ 'old/hall.yaml': `${MACHINES}${other}` });
  const { adopted, proof } = await adoptAndProve(workplace, 'old');

  expect(adopted.out).toContain('MachineDeployment tenant-hall/hall-md-0, which shares the OpenStackMachineTemplate');
  expect(proof).toMatchObject({ code: ExitCode.OK });
});
