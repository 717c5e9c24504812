import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { TenantPage, written } from '../../manifests/plan/tenant-pages';
import { Workplace } from '../run';

let workplace: Workplace;

beforeEach(() => {
  workplace = new Workplace();
});

afterEach(() => workplace.remove());

const APPLIED_AT = '2026-01-01T00:00:00Z';
const CHANGED_AT = '2026-02-03T04:05:06Z';

/** The fields of an object, as managed fields name them. */
function fieldsOf(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`f:${key}`, fieldsOf(inner)]));
}

function owner(manager: string, operation: 'Apply' | 'Update', fields: object, time = APPLIED_AT, subresource?: string) {
  return { manager, operation, apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1: fieldsOf(fields), ...(subresource !== undefined && { subresource }) };
}

const KUSTOMIZATION = {
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name: 'tenants', namespace: 'flux-system' },
  spec: { interval: '10m', path: './tree', prune: true, sourceRef: { kind: 'GitRepository', name: 'fleet' } },
};

/** An object as it lives after Flux has applied it. */
function applied(object: any): any {
  const { spec, data, metadata: { labels, annotations } } = object;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      uid: 'f00',
      resourceVersion: '42',
      generation: 1,
      creationTimestamp: APPLIED_AT,
      labels: { ...labels, 'kustomize.toolkit.fluxcd.io/name': 'tenants', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
      managedFields: [owner('kustomize-controller', 'Apply', {
        metadata: { labels: { ...labels, 'kustomize.toolkit.fluxcd.io/name': '', 'kustomize.toolkit.fluxcd.io/namespace': '' }, annotations },
        ...(spec && { spec }),
        ...(data && { data }),
      })],
    },
  };
}

type Change = (object: any) => void;

/** The objects of a page as they live, with changes by `Kind` or `Kind name`. */
function living(page: TenantPage, changes: { readonly [what: string]: Change } = {}): any[] {
  return [KUSTOMIZATION, ...written(page).map((object) => {
    const found = structuredClone(applied(object));
    Object.entries(changes).filter(([what]) => what === found.kind || what === `${found.kind} ${found.metadata.name}`).forEach(([, change]) => change(found));
    return found;
  })];
}

/** A change of a field by another program, which owns the field from then on. */
function by(manager: string, path: readonly string[], value: unknown, subresource?: string): Change {
  return (object) => {
    const leaf = path.at(-1)!;
    const parents = path.slice(0, -1);
    const holder = parents.reduce((inner, key) => (inner[key] ??= {}), object);
    holder[leaf] = value;
    const fields = parents.reduceRight<object>((inner, key) => ({ [key]: inner }), { [leaf]: '' });
    const own = parents.reduce((inner: any, key) => inner?.[`f:${key}`], object.metadata.managedFields[0].fieldsV1);
    if (own) delete own[`f:${leaf}`];
    object.metadata.managedFields.push(owner(manager, 'Update', fields, CHANGED_AT, subresource));
  };
}

async function drift(page: TenantPage, found: readonly object[], ...args: string[]) {
  workplace.write({
    'tree/acme.yaml': written(page).map((object) => JSON.stringify(object)).join('\n---\n'),
    'live.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: found }),
  });
  return workplace.run(['drift', '--live', 'live.json', ...args, 'tree']);
}

const PAGE: TenantPage = {};
const AUTOSCALED: TenantPage = { pool: { size: PoolSize.between(2, 10) } };

describe('a cluster as its manifests say', () => {
  test('differs in normal work alone', async () => {
    const { code, out, err } = await drift(PAGE, living(PAGE), '--exit-code');
    expect([code, err]).toEqual([ExitCode.OK, '']);
    expect(out).toMatch(/^AS DECLARED: nothing differs but normal work; \d+ objects compared\.\n/);
  });
});

test('dumps of several kinds are read from a folder', async () => {
  const found = living(PAGE);
  workplace.write(Object.fromEntries(found.map((object, index) => [`live/${index}.json`, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [object] })])));
  const whole = await drift(PAGE, found);

  expect(await workplace.run(['drift', '--live', 'live', 'tree'])).toEqual(whole);
});

describe('a field that a person has written', () => {
  const edited = living(PAGE, { MachineDeployment: by('kubectl-edit', ['spec', 'replicas'], 5) });

  test('is named with the program, the time, what sets it back, and what that does', async () => {
    const { code, out } = await drift(PAGE, edited, '--exit-code');
    expect(code).toBe(2);
    expect(out).toContain('DRIFTED: 1 field of 1 object;');
    expect(out).toContain(', delivered by Kustomization tenants\n');
    expect(out).toContain(`  spec.replicas 3 -> 5; by hand: kubectl-edit, ${CHANGED_AT}\n    Kustomization tenants sets it back\n    to keep it, write spec.replicas: 5; on a page by size of the node pool\n`);
    expect(out).toContain('  setting it back:\n    pool acme-general: 2 machines are deleted: replicas 5 -> 3\n');
  });
});

/** The lines of one field. */
function linesOf(out: string, field: string): string[] {
  const lines = out.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`  ${field} `));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('    '));
  return start < 0 ? [] : lines.slice(start, end).map((line) => line.trim());
}

const REPLICAS = ['spec', 'replicas'];
const LABEL = ['metadata', 'labels', 'team'];
const SUSPENDED = { ...KUSTOMIZATION, spec: { ...KUSTOMIZATION.spec, suspend: true } };

describe('the cause of a difference', () => {
  test.each<[what: string, page: TenantPage, change: Change, field: string, lines: readonly string[]]>([
    ['a label by kubectl, which Flux removes', PAGE, by('kubectl-label', LABEL, 'blue'), 'metadata.labels.team', [
      `metadata.labels.team blue added; by hand: kubectl-label, ${CHANGED_AT}`, 'Kustomization tenants removes it', 'to keep it, write metadata.labels.team: "blue"',
    ]],
    ['a label from a browser, which nothing removes', PAGE, by('Mozilla', LABEL, 'blue'), 'metadata.labels.team', [
      `metadata.labels.team blue added; by hand: Mozilla, ${CHANGED_AT}`, 'stays, since nothing removes it', 'to keep it, write metadata.labels.team: "blue"',
    ]],
    ['a size by kubectl scale', PAGE, by('kubectl', REPLICAS, 5, 'scale'), 'spec.replicas', [
      `spec.replicas 3 -> 5; by hand: kubectl, ${CHANGED_AT}`, 'Kustomization tenants sets it back', 'to keep it, write spec.replicas: 5; on a page by size of the node pool',
    ]],
    ['manifests that were applied with kubectl over those of Flux', PAGE, by('kubectl-client-side-apply', REPLICAS, 5), 'spec.replicas', [
      `spec.replicas 3 -> 5; by hand: kubectl-client-side-apply, ${CHANGED_AT}`, 'Kustomization tenants sets it back', 'to keep it, write spec.replicas: 5; on a page by size of the node pool',
    ]],
    ['an autoscaler that scales a pool of fixed size', PAGE, by('cluster-autoscaler', REPLICAS, 5, 'scale'), 'spec.replicas', [
      'spec.replicas 3 -> 5; two writers: the cluster autoscaler (cluster-autoscaler) writes it, and the manifest states it, too',
      'Kustomization tenants sets it back again and again, and the cluster autoscaler writes it anew', 'to keep it, leave out spec.replicas; on a page by size of the node pool',
    ]],
    ['an autoscaler by another name, which writes sizes', PAGE, by('manager', REPLICAS, 5, 'scale'), 'spec.replicas', [
      'spec.replicas 3 -> 5; two writers: a controller (manager) writes it, and the manifest states it, too',
      'Kustomization tenants sets it back again and again, and a controller writes it anew', 'to keep it, leave out spec.replicas; on a page by size of the node pool',
    ]],
    ['an autoscaler that scales a pool with bounds', AUTOSCALED, by('cluster-autoscaler', REPLICAS, 5, 'scale'), 'spec.replicas', [
      'spec.replicas 5 added; autoscaler: the size that the autoscaler has chosen',
    ]],
    ['a person who scales a pool with bounds', AUTOSCALED, by('kubectl', REPLICAS, 5, 'scale'), 'spec.replicas', [
      `spec.replicas 5 added; by hand: kubectl, ${CHANGED_AT}`, 'Kustomization tenants removes it', 'to keep it, write spec.replicas: 5; on a page by size of the node pool',
    ]],
    ['a controller', PAGE, by('manager', ['metadata', 'annotations', 'example.com/seen'], 'yes'), 'metadata.annotations["example.com/seen"]', [
      'metadata.annotations["example.com/seen"] yes added; controller: written by a controller (manager)',
    ]],
    ['finalizers and the owner, by a program that is not known', PAGE, by('acme-operator', ['metadata', 'finalizers'], ['acme']), 'metadata.finalizers', [
      'metadata.finalizers added; controller: the controllers that clean up first',
    ]],
    ['a program that is not known', PAGE, by('acme-operator', LABEL, 'blue'), 'metadata.labels.team', [
      'metadata.labels.team blue added; unknown: written by acme-operator, which is not known', 'stays, since nothing removes it',
      'to keep it, write metadata.labels.team: "blue"',
    ]],
    ['a default of a webhook, which nothing owns', PAGE, ({ spec }) => { spec.template.spec.fieldOfAWebhook = 'a'; }, 'spec.template.spec.fieldOfAWebhook', [
      'spec.template.spec.fieldOfAWebhook a added; server: a default of the server or of a webhook',
    ]],
    ['other manifests that Flux has applied', PAGE, ({ spec }) => { spec.replicas = 2; }, 'spec.replicas', [
      'spec.replicas 3 -> 2; not applied: Flux (kustomize-controller) applied other manifests than these', 'Kustomization tenants sets it back',
    ]],
    ['a field that is not applied yet', PAGE, (object) => { delete object.spec.replicas; delete object.metadata.managedFields[0].fieldsV1['f:spec']['f:replicas']; }, 'spec.replicas', [
      'spec.replicas 3 removed; not applied: not applied yet', 'Kustomization tenants sets it back',
    ]],
    ['a field that a person removed, among other changes', PAGE, (object) => {
      by('kubectl-edit', LABEL, 'blue')(object);
      delete object.spec.replicas;
      delete object.metadata.managedFields[0].fieldsV1['f:spec']['f:replicas'];
    }, 'spec.replicas', [
      `spec.replicas 3 removed; by hand: most likely removed by hand, since kubectl-edit has written the object, ${CHANGED_AT}`,
      'Kustomization tenants sets it back', 'to keep it, leave out spec.replicas; on a page by size of the node pool',
    ]],
    ['a deletion that waits for finalizers', PAGE, ({ metadata }) => { metadata.deletionTimestamp = CHANGED_AT; }, 'metadata.deletionTimestamp', [
      `metadata.deletionTimestamp ${CHANGED_AT} added; unknown: it is being deleted`, 'stays, since nothing removes it',
    ]],
  ])('%s', async (_, page, change, field, lines) => {
    const { out } = await drift(page, living(page, { MachineDeployment: change }), '--all');
    expect(linesOf(out, field)).toEqual(lines);
  });

  test('of a program that the user names is a controller', async () => {
    const found = living(PAGE, { MachineDeployment: by('acme-operator', LABEL, 'blue') });
    expect((await drift(PAGE, found, '--controller', 'acme-operator', '--exit-code')).code).toBe(ExitCode.OK);
  });

  test('is not known if the dump has no managed fields, unless a controller is known to write the field', async () => {
    const found = living(PAGE, {
      MachineDeployment: (object) => Object.assign(object.spec, { replicas: 5 }),
      Cluster: (object) => Object.assign(object.spec, { controlPlaneEndpoint: { host: '192.0.2.7', port: 6443 } }),
    });
    found.forEach(({ metadata }) => delete metadata.managedFields);
    const { out } = await drift(PAGE, found);
    expect(out).toContain('The dump does not say who owns fields: get it with "kubectl get --show-managed-fields".');
    expect(linesOf(out, 'spec.replicas')[0]).toBe('spec.replicas 3 -> 5; unknown: the dump does not say who wrote it');
    expect(out).not.toContain('controlPlaneEndpoint');
  });

  test('is shown with what a suspended delivery does', async () => {
    const [, ...others] = living(PAGE, { MachineDeployment: by('kubectl-edit', REPLICAS, 5) });
    expect(linesOf((await drift(PAGE, [SUSPENDED, ...others])).out, 'spec.replicas')[1]).toBe('stays until Kustomization tenants is resumed');
  });

  test.each<[what: string, automated: object, outcome: string]>([
    ['heals', { selfHeal: true }, 'Application tenants sets it back'],
    ['waits for a commit', { prune: true }, 'stays until Application tenants applies its manifests again'],
  ])('is shown with what an Application does that %s', async (_, automated, outcome) => {
    const application = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'tenants', namespace: 'argocd' }, spec: { syncPolicy: { automated } } };
    const [, ...others] = living(PAGE, { MachineDeployment: by('kubectl-edit', REPLICAS, 5) });
    others.forEach(({ metadata }) => {
      delete metadata.labels['kustomize.toolkit.fluxcd.io/name'];
      metadata.annotations = { ...metadata.annotations, 'argocd.argoproj.io/tracking-id': 'tenants:a/b:c/d' };
      metadata.managedFields[0].manager = 'argocd-controller';
    });
    expect(linesOf((await drift(PAGE, [application, ...others])).out, 'spec.replicas')[1]).toBe(outcome);
  });
});

test.each<[manager: string, operation: 'Apply' | 'Update']>([
  ['argocd-controller', 'Apply'], ['argocd-controller', 'Update'], ['argocd-application-controller', 'Update'],
])('an older state that Argo CD delivered as %s by %s is not applied yet', async (manager, operation) => {
  const found = living(PAGE, { MachineDeployment: ({ spec }) => { spec.replicas = 2; } });
  found.slice(1).forEach(({ metadata }) => {
    delete metadata.labels['kustomize.toolkit.fluxcd.io/name'];
    metadata.annotations = { ...metadata.annotations, 'argocd.argoproj.io/tracking-id': 'tenants:a/b:c/d' };
    Object.assign(metadata.managedFields[0], { manager, operation });
  });
  const { out } = await drift(PAGE, found);
  expect(linesOf(out, 'spec.replicas')[0]).toBe(`spec.replicas 3 -> 2; not applied: Argo CD (${manager}) applied other manifests than these`);
});

test('numbers that JSON lacks are compared, and shown as YAML writes them', async () => {
  workplace.write({
    'tree/all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, namespace: a}\ndata: {a: .nan, b: .inf, c: .inf}\n',
    'live.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, namespace: a, uid: f00}\ndata: {a: -.inf, b: .inf, c: .nan}\n',
  });
  const { code, out } = await workplace.run(['drift', '--live', 'live.yaml', 'tree']);
  expect(code).toBe(ExitCode.OK);
  expect(out).toContain('to keep it, write data.a: -.inf');
  expect(out).toContain('to keep it, write data.c: .nan');
  expect(out).not.toContain('data.b');
});

describe('an object without a manifest', () => {
  const config = (metadata: object, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'notes', namespace: 'tenant-acme', ...metadata }, ...more });
  const ofFlux = { 'kustomize.toolkit.fluxcd.io/name': 'tenants', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };
  const written_ = (manager: string) => ({ managedFields: [owner(manager, 'Update', { data: { a: '' } })] });

  test.each<[what: string, object: object, text: string, code: number]>([
    ['of a person', config(written_('kubectl-create')), `ConfigMap tenant-acme/notes; by hand: made by hand: kubectl-create, ${APPLIED_AT}`, 2],
    ['that was applied by hand', config(written_('kubectl-client-side-apply')), `by hand: applied from other manifests: kubectl-client-side-apply, ${APPLIED_AT}`, 2],
    ['of a program that is not known', config(written_('acme-operator')), 'unknown: made by acme-operator', 2],
    ['of which the dump says nothing', config({}), 'unknown: the dump does not say who made it', 2],
    ['that is left over', config({ labels: ofFlux, uid: 'f00' }), 'not applied: Kustomization tenants applied it, and the manifests do not have it any more\n    Kustomization tenants, which applied it, deletes it', 2],
    ['that is left over in another namespace', config({ labels: ofFlux, uid: 'f00', namespace: 'other' }), 'ConfigMap other/notes; not applied', 2],
    ['of another delivery', config({ labels: { ...ofFlux, 'kustomize.toolkit.fluxcd.io/name': 'monitoring' } }), 'controller: applied by Kustomization monitoring, whose manifests are not these', 0],
    ['of a controller', config(written_('manager')), 'controller: made by a controller', 0],
    ['with an owner', config({ ...written_('acme-operator'), ownerReferences: [{ apiVersion: 'a/v1', kind: 'Owner', name: 'one', uid: 'f00' }] }), 'controller: made by Owner one', 0],
    ['of Helm', config({ annotations: { 'meta.helm.sh/release-name': 'cilium' } }), 'controller: of the Helm release cilium', 0],
    ['that each namespace has', config({ name: 'kube-root-ca.crt' }), 'server: made by Kubernetes', 0],
    ['with a token', { ...config({}), kind: 'Secret', type: 'kubernetes.io/service-account-token' }, 'controller: a token of Kubernetes', 0],
    ['with the kubeconfig of the control plane', { ...config({ name: 'acme-kubeconfig' }), kind: 'Secret' }, 'controller: made for a control plane', 0],
    ['in a namespace of others', config({ ...written_('kubectl-create'), namespace: 'other' }), 'AS DECLARED', 0],
  ])('%s', async (_, object, text, code) => {
    const run = await drift(PAGE, [...living(PAGE), object], '--all', '--exit-code');
    expect(run.out).toContain(text);
    expect(run.code).toBe(code);
  });
});

test('a manifest without an object is missing if others of its kind are in the dump, and is named if none are', async () => {
  const found = living(PAGE, { KamajiControlPlane: ({ metadata }) => { metadata.name = 'other'; } }).filter(({ kind }) => kind !== 'Cluster');
  const { out } = await drift(PAGE, found);
  expect(out).toContain('Objects that do not live\n  KamajiControlPlane tenant-acme/acme; not applied: deleted, or not applied yet\n    the next apply creates it\n');
  expect(out).toContain('Not in the dump, and not compared: Cluster tenant-acme/acme.');
});

describe('what may be secret', () => {
  const secret = (data: object, more: object = {}) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace: 'tenant-acme' }, ...data, ...more });
  const compared = async (manifest: object, found: any, ...args: string[]) => {
    workplace.write({ 'tree/token.yaml': JSON.stringify(manifest), 'live.json': JSON.stringify(found) });
    return workplace.run(['drift', '--live', 'live.json', ...args, 'tree']);
  };
  const living_ = (text: string) => applied(secret({ data: { token: Buffer.from(text).toString('base64') } }));

  test.each(['text', 'json'])('is not printed as %s', async (format) => {
    const found = living_('swordfish');
    by('kubectl-edit', ['data', 'token'], Buffer.from('hunter2').toString('base64'))(found);
    const { out } = await compared(secret({ data: { token: Buffer.from('swordfish').toString('base64') } }), found, '--format', format);
    expect(out).toContain('data.token');
    expect(out).toContain('write data.token as it is in the cluster');
    for (const text of ['swordfish', 'hunter2']) expect(out).not.toMatch(new RegExp(`${text}|${Buffer.from(text).toString('base64').slice(0, 8)}`));
  });

  test('is not compared where the server stores it under another name', async () => {
    expect((await compared(secret({ stringData: { token: 'swordfish' } }), living_('swordfish'), '--exit-code')).code).toBe(ExitCode.OK);
  });

  test('is not compared where it is encrypted', async () => {
    const { code, out } = await compared(secret({ data: { token: 'ENC[AES256_GCM,data:a]' } }, { sops: { version: '3.9.0' } }), living_('swordfish'), '--exit-code');
    expect([code, out]).toEqual([ExitCode.OK, expect.stringContaining('Encrypted, and not compared: Secret tenant-acme/token.') as string]);
  });
});

test('a living object in an older version of the API is compared in the version of the manifests', async () => {
  const found = living(PAGE, {
    MachineHealthCheck: (object) => Object.assign(object, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
    }),
    Cluster: (object) => {
      const { spec } = object;
      object.apiVersion = 'cluster.x-k8s.io/v1beta1';
      const reference = ({ apiGroup, kind, name }: any) => ({ apiVersion: `${apiGroup}/v1beta1`, kind, name, namespace: 'tenant-acme' });
      spec.controlPlaneRef = reference(spec.controlPlaneRef);
      spec.infrastructureRef = reference(spec.infrastructureRef);
    },
  });
  expect((await drift(PAGE, found)).out).toMatch(/^AS DECLARED/);
});

test('JSON has the fields, their owners, and what happens', async () => {
  const { out } = await drift(PAGE, living(PAGE, { MachineDeployment: by('kubectl-edit', REPLICAS, 5) }), '--format', 'json');
  const { totals, objects } = JSON.parse(out);
  expect(totals).toMatchObject({ fields: 1, objects: 1, extra: 0, missing: 0 });
  expect(objects[0]).toMatchObject({
    kind: 'MachineDeployment',
    namespace: 'tenant-acme',
    name: 'acme-general',
    file: 'tree/acme.yaml',
    delivery: 'Kustomization tenants',
    fields: [{ field: 'spec.replicas', stated: 3, living: 5, cause: 'by hand', manager: 'kubectl-edit', time: CHANGED_AT, outcome: 'Kustomization tenants sets it back', keep: 'write spec.replicas: 5; on a page by size of the node pool' }, {}, {}],
  });
  expect(objects[0].revert[0]).toBe('pool acme-general: 2 machines are deleted: replicas 5 -> 3');
});

test('the dump of a real API server differs in what a person has changed, beside defaults, marks of Flux and the work of controllers', async () => {
  // By kube-apiserver 1.37.2 and the definitions of Cluster API: applied as kustomize-controller does, then changed as kubectl-edit, as a controller, and
  // by kubectl-create.
  const { manifests, living: items } = JSON.parse(readFileSync(join(__dirname, 'server-dump.json'), 'utf8'));
  workplace.write({
    'tree/acme.yaml': manifests.map((object: object) => JSON.stringify(object)).join('\n---\n'),
    'live.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });
  const { out } = await workplace.run(['drift', '--live', 'live.json', '--format', 'json', 'tree']);
  const { objects, extra, missing, totals } = JSON.parse(out);
  const found = objects.flatMap(({ kind, fields }: any) => fields.map(({ field, cause, manager }: any) => [kind, field, cause, manager].join(' ')));
  expect(found.filter((text: string) => !text.includes('kustomize.toolkit.fluxcd.io')).sort()).toEqual([
    'Cluster metadata.finalizers controller manager',
    'Cluster spec.controlPlaneEndpoint.host controller manager',
    'Cluster spec.controlPlaneEndpoint.port controller manager',
    'MachineDeployment metadata.labels.team by hand kubectl-edit',
    'MachineDeployment spec.replicas by hand kubectl-edit',
    'Namespace metadata.labels["kubernetes.io/metadata.name"] controller ',
    'Namespace spec.finalizers controller ',
  ]);
  expect(extra).toEqual([expect.objectContaining({ kind: 'ConfigMap', name: 'notes', cause: 'by hand' })]);
  expect(missing).toEqual([]);
  expect(totals).toMatchObject({ fields: 2, objects: 1, extra: 1 });
});

describe('the dump of clusters whose machines the real controllers have made', () => {
  // Recorded by conformance/drift_test.go: a cluster, and one with a ClusterClass, with changes by people among them.
  const PLANS = join(__dirname, '../../../conformance/plan');
  const dump = JSON.parse(readFileSync(join(__dirname, 'living-clusters.json'), 'utf8'));
  const compared = async (living_: object) => {
    workplace.write({
      'tree/page.yaml': readFileSync(join(PLANS, 'dev-page-machines/old.yaml'), 'utf8'),
      'tree/class.yaml': readFileSync(join(PLANS, 'dev-class-version/old.yaml'), 'utf8'),
      'live.json': JSON.stringify(living_),
    });
    const { out } = await workplace.run(['drift', '--live', 'live.json', '--format', 'json', 'tree']);
    const { objects, extra, missing, lacksOwners } = JSON.parse(out);
    const isDrift = ({ cause }: { cause: string }) => !['controller', 'server', 'autoscaler'].includes(cause);
    const drifted = [
      ...objects.flatMap(({ kind, name, fields }: any) => fields.filter(isDrift).map(({ field, cause }: any) => `${kind} ${name} ${field}: ${cause}`)),
      ...extra.filter(isDrift).map(({ kind, name, cause }: any) => `${kind} ${name}: ${cause}`),
    ];
    return { drifted, missing, lacksOwners, made: extra.filter((one: { cause: string }) => !isDrift(one)) };
  };

  test('differs in what people have changed, and in nothing else', async () => {
    const { drifted, missing, made } = await compared(dump);
    expect(drifted.sort()).toEqual([
      'Cluster acme metadata.labels.team: by hand',
      'ConfigMap notes: by hand',
      'MachineDeployment trial-workers spec.template.spec.deletion.nodeDrainTimeoutSeconds: by hand',
    ]);
    expect(missing).toEqual([]);
    // Machines, their configurations and Secrets, and what comes from the ClusterClass.
    expect(made.length).toBeGreaterThan(40);
  });

  test('differs in the same without managed fields, where defaults of the ClusterClass are not known as such', async () => {
    const items = dump.items.map(({ metadata: { managedFields: _, ...metadata }, ...object }: any) => ({ ...object, metadata }));
    const { drifted, lacksOwners } = await compared({ ...dump, items });
    expect(lacksOwners).toBe(true);
    expect(drifted.sort()).toEqual([
      'Cluster acme metadata.labels.team: unknown',
      'Cluster acme spec.topology.variables: unknown',
      'ConfigMap notes: unknown',
      'MachineDeployment trial-workers spec.template.spec.deletion.nodeDrainTimeoutSeconds: unknown',
    ]);
  });
});

describe('what controllers write', () => {
  const host = (spec: object) => ({ apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', metadata: { name: 'h1', namespace: 'tenant-acme' }, spec });
  const provider = { apiVersion: 'operator.cluster.x-k8s.io/v1alpha2', kind: 'CoreProvider', metadata: { name: 'cluster-api', namespace: 'capi-system' }, spec: { version: 'v1.14.2' } };
  const pool = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachinePool', metadata: { name: 'p', namespace: 'tenant-acme' }, spec: { minSize: 1 } };

  test.each<[what: string, manifest: any, living_: any]>([
    ['a host that a machine has taken', host({ bootMACAddress: '52:54:00:12:34:56' }), host({
      bootMACAddress: '52:54:00:12:34:56', online: true, consumerRef: { kind: 'Metal3Machine', name: 'm' }, image: { url: 'https://images.example.com/a.raw' },
    })],
    ['a provider that the operator has installed', provider, { ...provider, metadata: { ...provider.metadata, annotations: { 'operator.cluster.x-k8s.io/applied-spec-hash': 'abc' } } }],
    ['a pool of machines of the infrastructure', pool, { ...pool, spec: { ...pool.spec, providerIDList: ['aws:///a'], providerID: 'aws:///b' } }],
  ])('is known without managed fields, on %s', async (_, manifest, found) => {
    workplace.write({ 'tree/one.yaml': JSON.stringify(manifest), 'live.json': JSON.stringify(found) });
    const { code, out } = await workplace.run(['drift', '--live', 'live.json', '--exit-code', 'tree']);
    expect([out.split('\n')[0], code]).toEqual(['AS DECLARED: nothing differs but normal work; 1 object compared.', ExitCode.OK]);
  });

  test('a host that no machine has is switched on by hand', async () => {
    workplace.write({ 'tree/one.yaml': JSON.stringify(host({ online: false })), 'live.json': JSON.stringify(host({ online: true })) });
    expect((await workplace.run(['drift', '--live', 'live.json', '--exit-code', 'tree'])).code).toBe(2);
  });

  test.each([
    ['cluster-api-provider-aws-controller', 'a provider of Cluster API'], ['cert-manager-cainjector', 'cert-manager'], ['virt-controller', 'KubeVirt'], ['virt-cdi-controller', 'CDI'],
    ['kamaji', 'Kamaji'], ['argocd-applicationset-controller', 'Argo CD'], ['baremetal-operator', 'the Bare Metal Operator'],
  ])('by %s', async (manager, title) => {
    const { out } = await drift(PAGE, living(PAGE, { MachineDeployment: by(manager, LABEL, 'blue') }), '--all');
    expect(linesOf(out, 'metadata.labels.team')[0]).toContain(`controller: written by ${title}`);
  });
});

describe('usage', () => {
  test.each<[what: string, args: readonly string[], error: string]>([
    ['without a dump', ['drift', 'tree'], 'error: --live is missing: it names the file with what the cluster holds\n'],
    ['with two trees', ['drift', '--live', 'live.json', 'a', 'b'], 'error: drift compares one tree of manifests\n'],
    ['with standard input twice', ['drift', '--live', '-', '-'], 'error: --live and the manifests are both standard input\n'],
    ['with a file that is not there', ['drift', '--live', 'none.json', 'tree'], 'error: '],
  ])('%s', async (_, args, error) => {
    workplace.write({ 'tree/acme.yaml': JSON.stringify(KUSTOMIZATION) });
    const [plain, coded] = [await workplace.run(args), await workplace.run([...args, '--exit-code'])];
    expect([plain.code, plain.err]).toEqual([ExitCode.FAILED, expect.stringContaining(error) as string]);
    expect(coded.code).toBe(1);
  });

  test.each([
    ['a kubectl that has printed a table', 'NAME   AGE\nacme   3d\n'],
    ['a kubectl that has found nothing', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [] })],
    ['a kubectl that has failed', ''],
  ])('the dump of %s does not count as a cluster as declared', async (_, dump) => {
    workplace.write({ 'tree/acme.yaml': JSON.stringify(KUSTOMIZATION), 'live.json': dump });
    const { code, out, err } = await workplace.run(['drift', '--live', 'live.json', '--exit-code', 'tree']);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining('error: --live: live.json has no objects\n') as string]);
  });

  test('the dump may come from a pipe', async () => {
    workplace.write({ 'tree/acme.yaml': written(PAGE).map((object) => JSON.stringify(object)).join('\n---\n') });
    const { out } = await workplace.run(['drift', '--live', '-', 'tree'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: living(PAGE) }));
    expect(out).toMatch(/^AS DECLARED/);
  });

  test('manifests of several management clusters are refused', async () => {
    const objects = written(PAGE).map((object) => JSON.stringify(object)).join('\n---\n');
    workplace.write({ 'tree/hall-1/acme.yaml': objects, 'tree/hall-2/acme.yaml': objects, 'live.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: living(PAGE) }) });
    const { code, err } = await workplace.run(['drift', '--live', 'live.json', 'tree']);
    expect([code, err]).toEqual([ExitCode.FAILED, 'error: tree has the manifests of several management clusters: hall-1, hall-2\nname the folder of one of them\n']);
  });
});
