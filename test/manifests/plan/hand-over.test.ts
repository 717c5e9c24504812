import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { parse } from 'yaml';
import { CLUSTER } from './foreign-objects';
import { CertManager } from '../../../src/constructs/addons/catalog/cert-manager';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { planObjects } from '../../../src/manifests/plan/plan-objects';
import { planVerdict } from '../../../src/manifests/plan/verdict';
import { validate } from '../../../src/manifests/validation/validation-report';

const GUIDE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'guides', 'hand-over.md'), 'utf8');

/** The states of the guide: `# CASE: STATE` is the first line of each. */
const STATES = new Map<string, { readonly state: string; readonly object: any }[]>();
for (const [, name, state, text] of GUIDE.matchAll(/```yaml\n# ([\w-]+): (.*)\n([^`]*)```/g)) {
  STATES.set(name, [...STATES.get(name) ?? [], { state, object: parse(text) }]);
}

const TENANT = {
  ...CLUSTER,
  metadata: { name: 'acme', namespace: 'tenant-acme', labels: { 'cert-manager': 'enabled' } },
};

/** The files of a repository in one state: the tenant stands in the folder that its Kustomization applies. */
function files(object: any): { file: string; bytes: Buffer }[] {
  const folder = object.kind === 'Kustomization' ? object.spec.path.slice(2) : 'dist';
  return [{ file: 'flux/delivery.yaml', bytes: Buffer.from(JSON.stringify(object)) }, { file: `${folder}/acme.yaml`, bytes: Buffer.from(JSON.stringify(TENANT)) }];
}

function stateOf(object: any) {
  return { objects: placedObjects(files(object)).objects, root: '' };
}

const STEPS = [...STATES].flatMap(([name, states]) => states.slice(1).map((after, index) => [`${name}: ${after.state}`, states[index].object, after.object] as const));

test('the guide has each hand-over', () => {
  expect([...STATES].map(([name, states]) => [name, states.length])).toEqual([['flux-release', 3], ['application', 3], ['chart-proxy', 2], ['kustomization', 3]]);
});

describe.each(STEPS)('%s', (_, before, after) => {
  test('deletes and uninstalls nothing, by the plan', () => {
    const plan = planObjects(stateOf(before), stateOf(after));
    const { verdict, lost, down, refused } = planVerdict(plan);
    expect({ lost, down, refused }).toEqual({ lost: [], down: [], refused: [] });
    expect(verdict).not.toBe('DESTROYS');
  });

  test('is refused by no rule', () => {
    const { findings } = validate([after, TENANT], { before: [before, TENANT] });
    expect(findings.filter(({ rule }) => rule.startsWith('TC-CHANGE'))).toEqual([]);
  });
});

describe('without the first commit', () => {
  const skipped = (name: string) => {
    const states = STATES.get(name)!;
    return [states[0].object, states.at(-1)!.object];
  };

  test.each([
    ['flux-release', 'TC-CHANGE-FLUX-RENAMED'],
    ['kustomization', undefined],
    ['application', undefined],
  ])('%s is not safe, and something says it', (name, rule) => {
    const [before, after] = skipped(name);
    const texts = JSON.stringify(planObjects(stateOf(before), stateOf(after)));
    const { findings } = validate([after, TENANT], { before: [before, TENANT] });
    if (rule !== undefined) expect(findings.map((finding) => finding.rule)).toContain(rule);
    expect(texts).not.toContain('applied stays in the cluster');
  });
});

test('a page writes the release that exists', () => {
  const app = Testing.app();
  const acme = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({}),
    cni: Cni.none(),
    delivery: new FluxDelivery(),
  });
  acme.addAddon(new CertManager({ releaseName: 'cert-manager-cm', storageNamespace: 'tenant-acme' }));
  const release = (Testing.synth(acme) as any[]).find(({ kind }) => kind === 'HelmRelease');
  const { metadata, spec: { releaseName, storageNamespace, targetNamespace } } = STATES.get('flux-release')!.at(-1)!.object;
  expect(release).toMatchObject({ metadata, spec: { releaseName, storageNamespace, targetNamespace } });
});
