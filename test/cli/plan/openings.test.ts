import { App, Chart, Duration, Yaml } from 'cdk8s';
import { EntryPoints } from '../../../src/constructs/contracts/delivery/entry-points';
import { TimeWindow, Weekday } from '../../../src/constructs/contracts/delivery/time-window';
import { ArgoCdEntryPoints } from '../../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { Workplace } from '../run';

const NIGHT = TimeWindow.weekly({ days: [Weekday.SATURDAY], from: '22:00', duration: Duration.hours(6), timeZone: 'Europe/Zurich' });
const MONDAYS = TimeWindow.weekly({ days: [Weekday.MONDAY], from: '02:00', duration: Duration.hours(2), timeZone: 'UTC' });
const FRIDAY = Date.parse('2026-11-27T10:00:00Z');
const FLUX = new FluxEntryPoints({
  sourceName: 'flux-system',
  windowedSource: { url: 'https://git.example.com/tenants.git', revision: 'main', kubectlImage: 'registry.example.com/kubectl:v1.35.4' },
});
const ARGO_CD = new ArgoCdEntryPoints({ repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main' });
const NEXT = 'applied at the next opening of its window: Sat 2026-11-28 22:00 Europe/Zurich';

const workplace = new Workplace();
afterAll(() => workplace.remove());

/** Files of clusters, with what entry points write for them. */
function files(entryPoints: EntryPoints, version: string, windows: Readonly<Record<string, TimeWindow[] | undefined>>): Record<string, string> {
  const chart = new Chart(new App(), 'entries', { disableResourceNameHashes: true });
  const targets = Object.entries(windows).map(([name, changeWindows]) => (
    { name, folder: `clusters/tenant-${name}/${name}`, after: [], infrastructureKinds: [], changeWindows }));
  targets.forEach((target) => entryPoints.addEntry(chart, target));
  entryPoints.addShared(chart, targets);
  return Object.fromEntries([['entries.yaml', Yaml.stringify(...chart.toJson())], ...targets.map(({ name, folder }) => [`${folder}/cluster.yaml`, `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: ${name}, namespace: tenant-${name}}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: ${name}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: ${name}, namespace: tenant-${name}}
spec: {replicas: 3, version: ${version}}
`])]);
}

type Texts = Record<string, string>;

async function planned(before: Texts, after: Texts, now: number | undefined = FRIDAY, ...args: string[]): Promise<string> {
  const folders = Object.entries({ before, after }).flatMap(([folder, texts]) => Object.entries(texts).map(([file, text]) => [`${folder}/${file}`, text]));
  const place = new Workplace();
  place.now = now;
  place.write(Object.fromEntries(folders));
  const { out, err } = await place.run(['plan', 'before', 'after', '--no-build', ...args]);
  place.remove();
  expect(err).toBe('');
  return out;
}

describe.each<[string, EntryPoints]>([['Flux', FLUX], ['Argo CD', ARGO_CD]])('with %s', (_, entryPoints) => {
  const [old, now] = ['v1.35.0', 'v1.35.4'].map((version) => files(entryPoints, version, { acme: [NIGHT] }));

  test('the plan says when the window opens', async () => {
    expect(await planned(old, now)).toContain(NEXT);
  });

  test('the plan says until when the window is open', async () => {
    expect(await planned(old, now, Date.parse('2026-11-28T23:00:00Z'))).toContain('applied at once: its window is open until Sun 2026-11-29 04:00 Europe/Zurich');
  });

  test('the plan says nothing of a cluster without windows', async () => {
    const [one, other] = ['v1.35.0', 'v1.35.4'].map((version) => files(entryPoints, version, { acme: undefined, quiet: [NIGHT] }));
    const { clusters } = JSON.parse(await planned(one, { ...other, 'clusters/tenant-quiet/quiet/cluster.yaml': one['clusters/tenant-quiet/quiet/cluster.yaml'] }, FRIDAY, '--format', 'json')) as { clusters: { parts: { opening?: object }[]; notes: string[] }[] };
    expect(clusters.map(({ parts, notes }) => [parts.map(({ opening }) => opening), notes])).toEqual([[[undefined], []]]);
  });

  test('the plan says nothing without a clock', async () => {
    const place = new Workplace();
    place.write(Object.fromEntries([...Object.entries(old).map(([file, text]) => [`before/${file}`, text]), ...Object.entries(now).map(([file, text]) => [`after/${file}`, text])]));
    expect((await place.run(['plan', 'before', 'after', '--no-build'])).out).not.toContain('window');
    place.remove();
  });

  test('clusters with other windows are not one group', async () => {
    const [one, other] = ['v1.35.0', 'v1.35.4'].map((version) => files(entryPoints, version, { acme: [NIGHT], globex: [MONDAYS] }));
    const text = await planned(one, other);
    expect(text).toContain(NEXT);
    expect(text).toContain('applied at the next opening of its window: Mon 2026-11-30 02:00 UTC');
  });

  test('programs get instants', async () => {
    const plan = JSON.parse(await planned(old, now, FRIDAY, '--format', 'json')) as { clusters: { parts: { opening: object }[] }[] };
    expect(plan.clusters[0].parts[0].opening).toEqual({ timeZone: 'Europe/Zurich', next: '2026-11-28T21:00:00.000Z' });
  });

  test('the comment of a pull request has it, too', async () => {
    expect((await planned(old, now, FRIDAY, '--format', 'markdown')).replaceAll('&#8203;', '')).toContain(NEXT);
  });
});

test('a source that comes with the change is open at first', async () => {
  const [old, now] = [files(FLUX, 'v1.35.0', { acme: undefined }), files(FLUX, 'v1.35.4', { acme: [NIGHT] })];
  expect(await planned(old, now)).not.toContain('next opening');
});

describe('jobs and projects of others', () => {
  const kustomization = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: acme, namespace: flux-system}
spec: {path: ./clusters/tenant-acme/acme, prune: true, interval: 10m, sourceRef: {kind: GitRepository, name: fleet}}
`;
  const job = (name: string, schedule: string, command: string) => `---
apiVersion: batch/v1
kind: CronJob
metadata: {name: ${name}, namespace: flux-system}
spec:
  schedule: ${schedule}
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: flux, image: "example.com/flux:v2", command: [sh, -c, ${command}]}]}}}}
`;
  const switched = (open: string, close: string) => (
    `${kustomization}${job('open', '0 22 * * 5', JSON.stringify(open))}${job('close', '0 2 * * 6', JSON.stringify(close))}`);
  const source = (suspend: boolean, annotations = '{}') => `---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system, annotations: ${annotations}}
spec: {url: "https://git.example.com/tenants.git", interval: 1m, suspend: ${suspend}}
`;
  const application = (project: string, syncPolicy = 'automated: {prune: true}') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme, namespace: argocd}
spec:
  project: fleet
  destination: {server: https://kubernetes.default.svc}
  source: {repoURL: https://git.example.com/tenants.git, path: clusters/tenant-acme/acme, targetRevision: main}
  syncPolicy: {${syncPolicy}}
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: fleet, namespace: argocd}
spec:
  syncWindows:
${project}`;

  test.each<[string, string, string]>([
    [
      'flux in a shell', `${kustomization}${job('open', '0 22 * * 5', 'flux resume source git fleet')}${job('close', '0 2 * * 6', 'flux suspend source git fleet')}`,
      'next opening of its window: Fri 2026-11-27 22:00 UTC',
    ],
    [
      'kubectl with a patch in quotes in a shell',
      switched("kubectl patch gitrepo fleet --type merge -p '{\"spec\": {\"suspend\": false}}'", 'kubectl -n flux-system patch gitrepository/fleet --patch="{\\"spec\\": {\\"suspend\\": true}}" --type=merge'),
      'next opening of its window: Fri 2026-11-27 22:00 UTC',
    ],
    [
      'kubectl with a list of operations, and with YAML',
      switched("kubectl patch gitrepositories.source.toolkit.fluxcd.io fleet --type json -p '[{\"op\": \"replace\", \"path\": \"/spec/suspend\", \"value\": false}]'", "kubectl patch gitrepository fleet -p 'spec: {suspend: true}' --type merge"),
      'next opening of its window: Fri 2026-11-27 22:00 UTC',
    ],
    [
      'flux for several sources, in a script of several commands',
      switched('set -e; flux resume source git -n flux-system other fleet && echo done', '# sleep\nflux suspend source git other;flux suspend source git --all'),
      'next opening of its window: Fri 2026-11-27 22:00 UTC',
    ],
    [
      'flux for the Kustomization', switched('flux resume kustomization acme', 'flux suspend ks acme'), 'next opening of its window: Fri 2026-11-27 22:00 UTC',
    ],
    [
      'kubectl for the Kustomization', switched("kubectl patch ks acme --type merge -p 'spec: {suspend: false}'", "kubectl patch kustomizations/acme --type merge -p 'spec: {suspend: true}'"),
      'next opening of its window: Fri 2026-11-27 22:00 UTC',
    ],
    [
      'a source that opens, and a Kustomization that opens later',
      `${switched('flux resume source git fleet', 'flux suspend source git fleet')}${job('apply', '0 5 * * 6', 'flux resume ks acme')}${job('stop', '0 6 * * 6', 'flux suspend ks acme')}`,
      'next opening of its window: Sat 2026-11-28 05:00 UTC',
    ],
    [
      'a source that Git suspends, so that Flux closes it again',
      `${kustomization}${source(true)}${job('open', '0 22 * * 5', 'flux resume source git fleet')}`, 'next opening of its window: Fri 2026-11-27 22:00 UTC',
    ],
    [
      'a window that denies', application('    - {kind: deny, schedule: "0 8 * * 1-5", duration: 10h, applications: ["*"]}\n'),
      'next opening of its window: Fri 2026-11-27 18:00 UTC',
    ],
    [
      'a window of a cluster', application('    - {kind: allow, schedule: "0 6 1 * *", duration: 1h30m, timeZone: America/New_York, clusters: ["https://kubernetes.*"]}\n'),
      'next opening of its window: Tue 2026-12-01 06:00 America/New_York',
    ],
    [
      'patterns with alternatives and classes', application('    - {kind: deny, schedule: "0 8 * * 1-5", duration: 10h, applications: ["{other,[!x-z]cm?}"]}\n'),
      'next opening of its window: Fri 2026-11-27 18:00 UTC',
    ],
    [
      'days of the month with a step beside days of the week: either is enough',
      application('    - {kind: allow, schedule: "0 0 */2 * 1", duration: 1h, applications: [acme]}\n'), 'next opening of its window: Sun 2026-11-29 00:00 UTC',
    ],
    [
      'a window that denies and is never due', application('    - {kind: deny, schedule: "0 0 30 2 *", duration: 1h, applications: [acme]}\n'),
      'applied in no window that is known',
    ],
    [
      'a window that denies all the time', application('    - {kind: deny, schedule: "* * * * *", duration: 1h, applications: [acme]}\n'),
      'applied in no window that is known',
    ],
  ])('%s', async (_, entries, text) => {
    const [old, now] = ['v1.35.0', 'v1.35.4'].map((version) => ({ ...files(FLUX, version, { acme: undefined }), 'entries.yaml': entries }));
    expect(await planned(old, now)).toContain(text);
  });

  test.each<[string, string]>([
    ['a window of another Application', application('    - {kind: deny, schedule: "0 8 * * 1-5", duration: 10h, applications: ["other-*"]}\n')],
    ['a window of another cluster and this Application', application('    - {kind: deny, schedule: "0 8 * * 1-5", duration: 10h, andOperator: true, applications: [acme], clusters: [other]}\n')],
    ['a window that is always open', application('    - {kind: allow, schedule: "0 0 * * *", duration: 24h, applications: [acme]}\n')],
    ['a window of an Application that a user syncs', application('    - {kind: deny, schedule: "0 8 * * 1-5", duration: 10h, applications: [acme]}\n', '')],
    ['a window of an Application that is not automated', application('    - {kind: deny, schedule: "0 8 * * 1-5", duration: 10h, applications: [acme]}\n', 'automated: {enabled: false}')],
    ['jobs of another source', `${kustomization}${job('open', '0 22 * * 5', 'flux resume source git other')}${job('close', '0 2 * * 6', 'flux suspend source git other')}`],
    ['flux without a namespace, for a source that is not in its own', switched('flux resume source git fleet', 'flux suspend source git fleet').replaceAll('namespace: flux-system', 'namespace: fleet')],
    ['commands that are only printed', switched('echo "flux resume source git fleet"', 'echo "flux suspend source git fleet"')],
    [
      'a source of which Git states that it is not suspended, so that Flux opens it again',
      `${switched('flux resume source git fleet', 'flux suspend source git fleet')}${source(false)}`,
    ],
    ['a source that is only closed', `${kustomization}${job('close', '0 2 * * 6', 'flux suspend source git fleet')}`],
  ])('%s does not count', async (_, entries) => {
    const [old, now] = ['v1.35.0', 'v1.35.4'].map((version) => ({ ...files(FLUX, version, { acme: undefined }), 'entries.yaml': entries }));
    expect(await planned(old, now)).not.toContain('window');
  });

  describe('a HelmRelease', () => {
    const release = (version: string, suspend = '') => `---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: flux-system}
spec: {interval: 10m, ${suspend}chart: {spec: {chart: web, version: ${version}, sourceRef: {kind: HelmRepository, name: web}}}}
`;
    const upgrade = (jobs: string, suspend?: string) => {
      const [old, now] = ['1.0.0', '1.1.0'].map((version): Texts => ({ 'web.yaml': `${release(version, suspend)}${jobs}` }));
      return planned(old, now);
    };
    const nightly = (open: string, close: string) => `${job('open', '0 22 * * 5', JSON.stringify(open))}${job('close', '0 2 * * 6', JSON.stringify(close))}`;

    test.each<[string, string]>([
      ['flux', nightly('flux resume helmrelease web', 'flux suspend hr web')],
      ['kubectl', nightly("kubectl patch hr web --type merge -p 'spec: {suspend: false}'", "kubectl patch helmreleases.helm.toolkit.fluxcd.io/web --type merge -p 'spec: {suspend: true}'")],
    ])('that %s suspends is upgraded when it is resumed', async (_, jobs) => {
      expect(await upgrade(jobs)).toContain('next opening of its window: Fri 2026-11-27 22:00 UTC');
    });

    test('waits for its Kustomization, and for its own window after that', async () => {
      const jobs = `${kustomization.replace('./clusters/tenant-acme/acme', './apps')}${nightly('flux resume ks acme', 'flux suspend ks acme')}`
        + `${job('apply', '0 5 * * 6', '"flux resume hr web"')}${job('stop', '0 6 * * 6', '"flux suspend hr web"')}`;
      const [old, now] = ['1.0.0', '1.1.0'].map((version) => ({ 'entries.yaml': jobs, 'apps/web.yaml': release(version) }));

      expect(await planned(old, now)).toContain('next opening of its window: Sat 2026-11-28 05:00 UTC');
    });

    test('of which Git states that it is not suspended has no window', async () => {
      expect(await upgrade(nightly('flux resume hr web', 'flux suspend hr web'), 'suspend: false, ')).not.toContain('window');
    });
  });

  test('patterns and schedules of an enemy do not hold it up', async () => {
    const never = Array.from({ length: 100 }, (_, index) => `    - {kind: allow, schedule: "${index % 60} 0 30 2 *", duration: 1h, applications: ["*"]}\n`).join('');
    const star = `${'*a'.repeat(40)}*b`;
    const entries = application(`${never}    - {kind: deny, schedule: "* * * * *", duration: 30s, applications: ["*"], clusters: ["${star}"]}\n`)
      .replace('server: https://kubernetes.default.svc', `server: https://${'a'.repeat(500)}`);
    const [old, now] = ['v1.35.0', 'v1.35.4'].map((version) => ({ ...files(FLUX, version, { acme: undefined }), 'entries.yaml': entries }));
    expect(await planned(old, now)).toContain('v1.35.0 -> v1.35.4');
  });
});
