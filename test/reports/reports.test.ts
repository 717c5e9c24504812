import * as fs from 'node:fs';
import * as path from 'node:path';
import { placedObjects, ReadObject } from '../../src/manifests/landscape/placed-objects';
import { targetGroups } from '../../src/manifests/landscape/target-groups';
import { reportedRules } from '../../src/manifests/validation/manifest-rules';
import { ManifestValidator } from '../../src/manifests/validation/validate-manifests';

const FOLDER = path.join(__dirname, 'cases');

/** A public report, as manifests that show it. */
interface ReportCase {
  /** The reports, such as `fluxcd/flux2#4392`. */
  readonly report: string;
  readonly pain: string;

  /** Rules that find it. */
  readonly expect: readonly string[];

  /** Rules that must not find it: what was reported was a false alarm. */
  readonly not: readonly string[];

  /** Reason that no rule finds it yet. */
  readonly open?: string;

  /** The manifests, and those before where the report is about a change. */
  readonly text: string;
  readonly before?: string;
}

function read(file: string): ReportCase {
  const text = fs.readFileSync(path.join(FOLDER, file), 'utf8');
  const field = (name: string) => new RegExp(`^# ${name}: (.*)$`, 'm').exec(text)?.[1];
  const list = (name: string) => field(name)?.split(', ') ?? [];
  const [, before, after] = /^# before\n(.*?)^# after\n(.*)/ms.exec(text) ?? [];
  return { report: field('report')!, pain: field('pain')!, expect: list('expect'), not: list('not'), open: field('open'), text: after ?? text, before };
}

/** Objects of a report, and rules that find what is no object. */
function readIn(text: string): { readonly objects: readonly ReadObject[]; readonly faults: readonly string[] } {
  const { objects, notRead, faults } = placedObjects([{ file: 'report.yaml', bytes: Buffer.from(text) }]);
  return {
    objects,
    faults: [
      ...faults.map(() => 'TC-VALIDATE-FILE'),
      ...notRead.filter(({ isRefused, isUnreadable }) => isRefused || isUnreadable).map(() => 'TC-VALIDATE-OBJECT'),
    ],
  };
}

/** Rules that find something, as the command finds it in a file: objects that are delivered to a tenant are a group of their own. */
function rulesFound({ text, before }: ReportCase): string[] {
  const [written, former] = [readIn(text), readIn(before ?? '')];
  const groups = targetGroups(written.objects, former.objects, 0);
  const { found } = new ManifestValidator().validate(groups.map(({ now }) => now), {
    silences: [],
    strict: false,
    targets: groups.map(({ target }) => target),
    before: before === undefined ? undefined : groups.map((group) => group.before),
  });
  return [...new Set([...written.faults, ...former.faults, ...found.map(({ finding }) => finding.rule.id)])];
}

const CASES = fs.readdirSync(FOLDER).sort().map((file) => [file, read(file)] as const);

test.each(CASES)('%s', (_file, report) => {
  const found = rulesFound(report);
  expect(report.expect.filter((rule) => !found.includes(rule))).toEqual([]);
  expect(report.not.filter((rule) => found.includes(rule))).toEqual([]);
  expect(found.filter((rule) => ['TC-VALIDATE-FILE', 'TC-VALIDATE-OBJECT'].includes(rule) && !report.expect.includes(rule))).toEqual([]);
});

test('each report says what it is about, and what finds it', () => {
  const known = new Set(reportedRules().map(({ id }) => id));
  for (const [file, { report, pain, open, expect: wanted, not }] of CASES) {
    expect([file, report.length > 0, pain.length > 0, wanted.length + not.length > 0 || open !== undefined]).toEqual([file, true, true, true]);
    expect([...wanted, ...not].filter((rule) => !known.has(rule) && !rule.startsWith('TC-VALIDATE-'))).toEqual([]);
  }
});
