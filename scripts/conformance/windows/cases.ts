/**
 * Prints projects of Argo CD with sync windows, and the instants at which an Application of each may sync, for
 * conformance/argocd/windows/windows_test.go. A part of the projects is written by `ArgoCdEntryPoints`.
 *
 *   node -r ./scripts/esbuild-register.js scripts/conformance/windows/cases.ts NUMBER [SEED]
 */
import { App, Chart, Duration } from 'cdk8s';
import { TimeWindow, Weekday } from '../../../src/constructs/contracts/delivery/time-window';
import { ArgoCdEntryPoints } from '../../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { syncOpenings } from '../../../src/manifests/systems/argo-cd/sync-windows';
import { Random } from '../random';

const ZONES = ['UTC', 'Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Santiago', 'Pacific/Chatham'];

/** Instants around which clocks of some of the zones change. */
const CHANGES = ['2026-03-08T07:00:00Z', '2026-03-29T01:00:00Z', '2026-04-04T15:00:00Z', '2026-09-06T04:00:00Z', '2026-10-25T01:00:00Z', '2026-11-01T06:00:00Z'];

const [count = '200', seed = '1'] = process.argv.slice(2);
const random = new Random(seed);

const cases = Array.from({ length: Number(count) }, (_, index) => {
  const objects = index % 4 === 0 ? written() : foreign();
  const [application, project] = ['Application', 'AppProject'].map((kind) => objects.find((object) => object.kind === kind)!);
  const openings = syncOpenings(application, new ManifestIndex(objects))!;
  const verdicts = instants().map((instant) => ({ time: new Date(instant).toISOString(), syncs: openings.next(instant) === instant }));
  return { project, application, instants: verdicts };
});
process.stdout.write(JSON.stringify(cases));

/** Instants of a year, of which some are near changes of clocks; never at a full minute, at which windows begin and end. */
function instants(): number[] {
  const start = Date.parse('2026-01-01T00:00:30Z');
  const anywhere = Array.from({ length: 40 }, () => start + random.below(365 * 24 * 60) * 60_000);
  const near = Array.from({ length: 20 }, () => Date.parse(random.pick(CHANGES)) + (random.below(48 * 60) - 24 * 60) * 60_000 + 30_000);
  return [...anywhere, ...near].sort((one, other) => one - other);
}

function written(): ManifestObject[] {
  const chart = new Chart(new App(), 'entries', { disableResourceNameHashes: true });
  const entryPoints = new ArgoCdEntryPoints({ repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main' });
  const timeZone = random.pick(ZONES);
  const minute = random.pick(['00', '15', '30']);
  const changeWindows = Array.from({ length: 1 + random.below(2) }, () => TimeWindow.weekly({
    days: Object.values(Weekday).filter(() => random.below(2) > 0).concat(Weekday.SUNDAY),
    from: `${String(random.below(24)).padStart(2, '0')}:${minute}`,
    duration: Duration.hours(1 + random.below(9)),
    timeZone,
  }));
  const target = { name: 'tenant-acme.acme', folder: 'clusters/tenant-acme/acme', after: [], infrastructureKinds: [], changeWindows };
  entryPoints.addEntry(chart, target);
  entryPoints.addShared(chart, [target]);
  return chart.toJson() as ManifestObject[];
}

function foreign(): ManifestObject[] {
  const syncWindows = Array.from({ length: 1 + random.below(3) }, () => ({
    kind: random.pick(['allow', 'allow', 'deny']),
    schedule: random.pick(['0 22 * * 6', '30 2 * * *', '*/20 1-4 * * 0,6', '15 0 1 * *', '0 8-16/4 * 1-6 mon-fri', '45 23 13 * 5']),
    duration: random.pick(['1h', '90m', '6h', '26h', '20m', '1h30m']),
    ...(random.below(4) > 0 && { timeZone: random.pick([...ZONES, 'Nowhere/Land']) }),
    ...random.pick<object>([
      { applications: ['acme'] }, { applications: ['ac*'] }, { applications: ['a?me'] }, { applications: ['other'] }, { namespaces: ['tenant-*'] },
      { clusters: ['in-cluster'] }, { applications: ['acme'], clusters: ['other'], andOperator: true }, { applications: ['other'], namespaces: ['*'] },
      { applications: ['acme'], namespaces: ['tenant-acme'], andOperator: true },
    ]),
  }));
  const always = { kind: 'allow', schedule: '0 12 * * *', duration: '1h', applications: ['*'] };
  return [
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'acme', namespace: 'argocd' },
      spec: { project: 'fleet', destination: { name: 'in-cluster', namespace: 'tenant-acme' } },
    },
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'fleet', namespace: 'argocd' },
      spec: { syncWindows: [...syncWindows, ...random.below(2) > 0 ? [always] : [{ ...always, kind: 'deny' }]] },
    },
  ];
}
