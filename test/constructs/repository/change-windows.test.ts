import { App, Duration, Testing } from 'cdk8s';
import { EntryPoints } from '../../../src/constructs/contracts/delivery/entry-points';
import { TimeWindow, Weekday } from '../../../src/constructs/contracts/delivery/time-window';
import { ArgoCdApplicationSet } from '../../../src/constructs/deliveries/argo-cd/argo-cd-application-set';
import { ArgoCdEntryPoints } from '../../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxSourceKind } from '../../../src/constructs/deliveries/flux/flux-delivery-props';
import { FluxEntryPoints, FluxEntryPointsProps } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { FluxWindowedSource } from '../../../src/constructs/deliveries/flux/windowed-source';
import { entryFiles, folderEntries } from '../../../src/constructs/repository/entry-files';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { FileLayout, outputFolders } from '../../../src/constructs/repository/output-folders';
import { Manifest } from '../../support/clusters';
import { addCompleteTenant } from '../../support/complete-tenant';

const NIGHT = TimeWindow.weekly({ days: [Weekday.SATURDAY], from: '22:00', duration: Duration.hours(6), timeZone: 'Europe/Zurich' });
const SOURCE: FluxWindowedSource = { url: 'https://git.example.com/platform/tenants.git', revision: 'main', kubectlImage: 'registry.example.com/kubectl:v1.35.4' };
const GIT = { repoUrl: 'https://git.example.com/platform/tenants.git', targetRevision: 'main', path: 'out' };

function flux(props: Partial<FluxEntryPointsProps> = {}): FluxEntryPoints {
  return new FluxEntryPoints({ sourceName: 'flux-system', path: 'out', windowedSource: SOURCE, ...props });
}

function newApp(entryPoints?: EntryPoints, windows: TimeWindow[] | undefined = [NIGHT]): App {
  const app = entryPoints ? new GitOpsApp({ entryPoints }) : Testing.app();
  addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true, props: { changeWindows: windows } });
  addCompleteTenant(app, 'dev', { delivery: new FluxDelivery(), charts: true, props: { namespace: 'tenant-dev' } });
  return app;
}

/** Objects of entry points by kind and name. */
function entries(entryPoints: EntryPoints, windows?: TimeWindow[]): ReadonlyMap<string, Manifest> {
  const app = newApp(entryPoints, windows);
  app.node.findAll().forEach(({ node }) => node.validate());
  const files = entryFiles(entryPoints, folderEntries(outputFolders(app, FileLayout.FILE_PER_PART), entryPoints.addonsApart));
  const objects = [...files.values()].flat().map((object) => object.toJson() as Manifest);
  return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

function problems(app: App): string {
  return app.node.findAll().flatMap(({ node }) => node.validate()).join('\n');
}

const NAME = 'flux-system-window-c34c941c';

describe('Flux', () => {
  const objects = entries(flux());

  test('reads a cluster with windows, its addons and its manifests from a source of its own, and others from that of the user', () => {
    const sources = [...objects.values()].filter(({ kind }) => kind === 'Kustomization').map(({ metadata, spec }) => [metadata.name, spec.sourceRef.name]);
    expect(Object.fromEntries(sources)).toMatchObject({
      'tenant-acme.acme': NAME, 'tenant-acme.acme.addons': NAME, 'tenant-dev.dev': 'flux-system', 'tenant-dev.dev.addons': 'flux-system',
    });
    const app = newApp(flux());
    const delivered = app.node.findAll().filter((object) => 'kind' in object && object.kind === 'Kustomization')
      .map((object) => (object as unknown as { toJson(): Manifest }).toJson());
    expect(delivered.map(({ metadata, spec }) => [metadata.namespace, spec.sourceRef.name])).toEqual(
      expect.arrayContaining([['tenant-acme', NAME], ['tenant-dev', 'flux-system']]));
  });

  test('has a source that no manifest suspends', () => {
    expect(objects.get(`GitRepository ${NAME}`)).toEqual({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: NAME, namespace: 'flux-system' },
      spec: { interval: '1m0s', ref: { branch: 'main' }, timeout: '1m0s', url: SOURCE.url },
    });
  });

  test('opens at the beginning, and closes at each hour outside', () => {
    const jobs = [...objects.values()].filter(({ kind }) => kind === 'CronJob').map(({ metadata, spec }) => (
      [metadata.name, spec.schedule, spec.timeZone, spec.jobTemplate.spec.template.spec.containers[0].command.at(-1)]));
    expect(jobs).toEqual([
      [`${NAME}-open`, '0 22 * * 6', 'Europe/Zurich', '--patch={"spec":{"suspend":false}}'],
      [`${NAME}-close`, '0 4-23 * * 0', 'Europe/Zurich', '--patch={"spec":{"suspend":true}}'],
      [`${NAME}-close-2`, '0 * * * 1-5', 'Europe/Zurich', '--patch={"spec":{"suspend":true}}'],
      [`${NAME}-close-3`, '0 0-21 * * 6', 'Europe/Zurich', '--patch={"spec":{"suspend":true}}'],
    ]);
  });

  test('does not let a Job work against the one of the next hour', () => {
    const { spec } = objects.get(`CronJob ${NAME}-close`)!;
    expect(spec.startingDeadlineSeconds + spec.jobTemplate.spec.activeDeadlineSeconds).toBeLessThan(3600);
  });

  test('writes the field as a manager that Flux does not set back', () => {
    const { spec } = objects.get(`CronJob ${NAME}-open`)!;
    expect(spec.jobTemplate.spec.template.spec.containers[0].command).toContain('--field-manager=change-windows');
  });

  test('gives the Jobs the right to patch their source, and nothing else', () => {
    expect(objects.get(`Role ${NAME}`)).toMatchObject({
      rules: [{ apiGroups: ['source.toolkit.fluxcd.io'], resources: ['gitrepositories'], resourceNames: [NAME], verbs: ['get', 'patch'] }],
    });
  });

  test('has one source for clusters with the same windows', () => {
    const app = new GitOpsApp({ entryPoints: flux() });
    ['acme', 'globex'].forEach((name) => addCompleteTenant(app, name, { delivery: new FluxDelivery(), charts: true, props: { namespace: `tenant-${name}`, changeWindows: [NIGHT] } }));
    const files = entryFiles(flux(), folderEntries(outputFolders(app, FileLayout.FILE_PER_PART), true));
    expect(files.get('flux/all.yaml')!.filter(({ kind }) => kind === 'GitRepository')).toHaveLength(1);
  });

  test('writes nothing more for clusters without windows', () => {
    const plain = new FluxEntryPoints({ sourceName: 'flux-system', path: 'out' });
    const app = new GitOpsApp({ entryPoints: plain });
    addCompleteTenant(app, 'dev', { delivery: new FluxDelivery(), charts: true, props: { namespace: 'tenant-dev' } });
    const [known, unknown] = [flux(), plain].map((entryPoints) => (
      [...entryFiles(entryPoints, folderEntries(outputFolders(app, FileLayout.FILE_PER_PART), true))]
        .map(([file, list]) => [file, list.map((object) => object.toJson())])));
    expect(known).toEqual(unknown);
  });

  test('reads an OCI registry, too', () => {
    const oci = flux({ sourceKind: FluxSourceKind.OCI_REPOSITORY, windowedSource: { ...SOURCE, url: 'oci://registry.example.com/tenants', revision: 'latest' } });
    expect(entries(oci).get(`OCIRepository ${NAME}`)).toMatchObject({ spec: { ref: { tag: 'latest' }, url: 'oci://registry.example.com/tenants' } });
    expect(oci._check()).toEqual([]);
  });

  test.each<[string, Partial<FluxEntryPointsProps>, string]>([
    ['an address with credentials', { windowedSource: { ...SOURCE, url: 'https://user:secret@git.example.com/tenants.git' } }, 'entryPoints.windowedSource.url'],
    ['an image that moves', { windowedSource: { ...SOURCE, kubectlImage: 'registry.example.com/kubectl:latest' } }, 'entryPoints.windowedSource.kubectlImage'],
    ['no revision', { windowedSource: { ...SOURCE, revision: '' } }, 'entryPoints.windowedSource.revision'],
    ['a Secret without a name', { windowedSource: { ...SOURCE, secretName: '' } }, 'entryPoints.windowedSource.secretName'],
    ['a bucket', { sourceKind: FluxSourceKind.BUCKET }, 'entryPoints.windowedSource'],
  ])('refuses %s', (_, props, property) => {
    expect(flux(props)._check().map((problem) => [problem.rule.id, problem.property])).toEqual([['TC-WINDOW-SOURCE', property]]);
  });
});

describe('Argo CD', () => {
  const WINDOWS = [{
    applications: ['tenant-acme.acme'], kind: 'allow', manualSync: true, schedule: '0 22 * * 6', duration: '6h', timeZone: 'Europe/Zurich',
  }];

  test('puts Applications of clusters with windows into a project that has these', () => {
    const objects = entries(new ArgoCdEntryPoints(GIT));
    expect(objects.get('AppProject change-windows')).toMatchObject({
      metadata: { namespace: 'argocd' },
      spec: { sourceRepos: [GIT.repoUrl], destinations: [{ namespace: '*', server: 'https://kubernetes.default.svc' }], syncWindows: WINDOWS },
    });
    expect(['acme', 'dev'].map((name) => objects.get(`Application tenant-${name}.${name}`)!.spec.project)).toEqual(['change-windows', 'default']);
  });

  test('does so in an ApplicationSet', () => {
    const objects = entries(new ArgoCdApplicationSet({ ...GIT, windowProject: 'nights' }));
    expect(objects.get('AppProject nights')!.spec.syncWindows).toEqual(WINDOWS);
    expect(objects.get('ApplicationSet clusters')!.spec.template.spec.project).toBe(
      '{{ if has (printf "%s.%s" (index .path.segments 2) (index .path.segments 3)) (list "tenant-acme.acme") }}nights{{ else }}default{{ end }}');
  });

  test('has no project for clusters without windows', () => {
    const entryPoints = new ArgoCdApplicationSet(GIT);
    const app = new GitOpsApp({ entryPoints });
    addCompleteTenant(app, 'dev', { delivery: new FluxDelivery(), charts: true, props: { namespace: 'tenant-dev' } });
    const files = entryFiles(entryPoints, folderEntries(outputFolders(app, FileLayout.FILE_PER_PART), false));
    expect([...files.values()].flat().map(({ kind }) => kind)).toEqual(['ApplicationSet']);
  });

  test('refuses the project of the other Applications', () => {
    expect(new ArgoCdEntryPoints({ ...GIT, windowProject: 'default' })._check().map(({ property }) => property)).toEqual(['entryPoints.windowProject']);
  });
});

describe('a cluster with windows', () => {
  test.each<[string, App]>([
    ['in an app without entry points', newApp()],
    ['with entry points of Flux that do not know the repository', newApp(flux({ windowedSource: undefined }))],
  ])('is refused %s', (_, app) => {
    expect(problems(app)).toContain('TC-WINDOW-ENTRY-POINTS');
  });

  test.each<[string, App]>([['Flux', newApp(flux())], ['Argo CD', newApp(new ArgoCdEntryPoints(GIT))]])('is accepted with %s', (_, app) => {
    expect(problems(app)).not.toContain('TC-WINDOW');
  });

  test('is refused with windows that are none', () => {
    expect(problems(newApp(flux(), []))).toContain('TC-WINDOW-DAYS');
  });

  test('has sources of charts of its own, which no commit takes away before its window', () => {
    const namespaces = newApp(flux()).node.findAll().filter((object) => 'kind' in object && /Repository$/.test(String(object.kind)))
      .map((object) => (object as unknown as { toJson(): Manifest }).toJson().metadata.namespace);
    expect(new Set(namespaces)).toEqual(new Set(['tenant-acme', 'flux-system']));
  });
});
