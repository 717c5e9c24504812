import { Construct } from 'constructs';
import { ARGO_CD_NAMESPACE } from './application';
import { ArgoCdEntryPointsProps } from './argo-cd-entry-points-props';
import { OWN_SERVER } from './argo-cd-sync';
import { beginnings, weeklySchedules, weekOf } from '../../../manifests/values/weekly-hours';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { TimeWindow, windowHours } from '../../contracts/delivery/time-window';

/** An Application that changes in windows only. */
export interface WindowedApplication {
  readonly name: string;
  readonly windows: readonly TimeWindow[];
}

/** Name of the project of Applications with windows. */
export function windowProject({ windowProject: name = 'change-windows' }: ArgoCdEntryPointsProps): string {
  return name;
}

/**
 * Makes the project of Applications with windows, which allows what the project `default` of Argo CD does. It is one of its own, since a project
 * of the user may have windows and limits that are not known here.
 *
 * Outside of its windows nothing syncs by itself, and self-healing does not work either; a user can sync by hand (`manualSync`). A sync that
 * goes on at the end of a window stops, and goes on with the next: with `syncOverrun`, its retries would bring newer commits in between.
 *
 * Sources: argoproj/argo-cd pkg/apis/application/v1alpha1/types.go (SyncWindows.CanSync, Matches), controller/appcontroller.go (autoSync),
 * controller/sync.go (syncWindowPreventsSync), v3.6.1.
 */
export function addWindowProject(scope: Construct, props: ArgoCdEntryPointsProps, applications: readonly WindowedApplication[]): void {
  if (applications.length === 0) return;
  const byWindow = new Map<string, { readonly window: object; readonly names: Set<string> }>();
  for (const { name, windows } of applications) {
    for (const window of syncWindows(windows)) {
      const key = JSON.stringify(window);
      const known = byWindow.get(key) ?? { window, names: new Set() };
      byWindow.set(key, known);
      known.names.add(name);
    }
  }
  new TypedApiObject(scope, 'AppProject', { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' }, {
    metadata: { name: windowProject(props), namespace: props.namespace ?? ARGO_CD_NAMESPACE },
    spec: {
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      description: 'Clusters that change in windows only',
      destinations: [{ namespace: '*', server: OWN_SERVER }],
      sourceRepos: [props.repoUrl],
      syncWindows: [...byWindow.keys()].sort().map((key) => {
        const { window, names } = byWindow.get(key)!;
        return { applications: [...names].sort(), kind: 'allow', manualSync: true, ...window };
      }),
    },
  });
}

/** The windows of a cluster: those that begin in the same hour and last as long are one. */
function syncWindows(windows: readonly TimeWindow[]): object[] {
  const { times, minute, timeZone } = windowHours(windows);
  return times.flatMap((time) => weeklySchedules(beginnings(weekOf([{ ...time, hours: 1 }])), minute).map((schedule) => (
    { schedule, duration: `${time.hours}h`, timeZone })));
}
