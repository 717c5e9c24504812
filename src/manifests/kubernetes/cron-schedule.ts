import { objectText, pair } from './examples';
import { apiValidation, boundsFault, fault } from './findings';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, stringAt } from '../values/fields';

/** A part of a schedule. */
interface Part {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const PARTS: readonly Part[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, names: ['', ...MONTHS] },
  { name: 'day of the week', least: 0, most: 6, names: DAYS },
];

const MACROS: readonly string[] = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/**
 * What is wrong with a schedule of a CronJob.
 *
 * Source: robfig/cron v3 parser.go, as kubernetes/kubernetes pkg/util/parsers uses it.
 */
export function checkSchedule(schedule: string): string | undefined {
  if (typeof schedule !== 'string') return `${JSON.stringify(schedule)} is not a schedule`;
  if (/TZ/.test(schedule)) return 'it holds a time zone; the field timeZone is for that';
  if (MACROS.includes(schedule) || /^@every \S+$/.test(schedule)) return undefined;
  if (schedule.startsWith('@')) return `${JSON.stringify(schedule)} is not a schedule; accepted are five parts, ${MACROS.join(', ')}, and "@every" with a duration`;
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== PARTS.length || schedule.trim() === '') return `${JSON.stringify(schedule)} has ${schedule.trim() === '' ? 0 : parts.length} parts; accepted are five: ${PARTS.map(({ name }) => name).join(', ')}`;
  return PARTS.map((part, index) => checkPart(part, parts[index])).find((message) => message !== undefined);
}

function checkPart(part: Part, text: string): string | undefined {
  return text.split(',').every((range) => isRange(part, range)) ? undefined
    : `${JSON.stringify(text)} is no ${part.name}; accepted are ${part.least} to ${part.most}, "*", ranges such as ${part.least}-${part.most}, and steps such as "*/2"`;
}

function isRange(part: Part, text: string): boolean {
  const [range, step, ...more] = text.split('/');
  if (more.length > 0 || (step !== undefined && !(/^\d+$/.test(step) && Number(step) > 0))) return false;
  if (range === '*' || range === '?') return true;
  const [from, to, ...others] = range.split('-').map((one) => valueOf(part, one));
  if (others.length > 0 || from === undefined || from < part.least || from > part.most) return false;
  return !range.includes('-') || (to !== undefined && to <= part.most && to >= from);
}

function valueOf({ names = [] }: Part, text: string): number | undefined {
  const position = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (position >= 0) return position;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

const schedule: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRON-SCHEDULE',
  title: 'A CronJob must have a schedule with five fields, and its time zone in timeZone.',
  source: `${apiValidation('batch')} (validateCronJobSpec), robfig/cron parser.go`,
  kinds: ['batch/CronJob'],
  example: pair((text) => objectText('batch/v1', 'CronJob', `spec:
  schedule: "${text}"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: backup
              image: registry.example.com/backup:v1
`), '0 24 * * *', '0 0 * * *'),
  check: (object) => {
    const text = stringAt(object, 'spec', 'schedule');
    const message = text === undefined ? undefined : checkSchedule(text);
    return [
      ...(message === undefined ? [] : [fault(['spec', 'schedule'], message, 'correct it, such as "0 3 * * *" for every night at three')]),
      ...(fieldAt(object, 'spec', 'timeZone') === '' ? [fault(['spec', 'timeZone'], 'it is empty', 'name a time zone such as Etc/UTC, or remove it')] : []),
      ...['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].flatMap((field) => (
        boundsFault(['spec', field], fieldAt(object, 'spec', field), 0))),
    ];
  },
};

/** CronJobs. */
export const CRON_SCHEDULES: readonly ManifestRule[] = [schedule];
