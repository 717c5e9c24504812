import { Chart, Testing } from 'cdk8s';
import { tenantChart } from '../../../src/constructs/addons/tenant-chart';
import { Addon } from '../../../src/constructs/contracts/addon';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { HelmChart } from '../../../src/constructs/contracts/helm-chart';
import { clusterContext } from '../../support/contexts';
import { problemsIn, ReportedProblem } from '../../support/problems';

/** The charts that an addon installs; manifests it has none, or such as come after the charts. */
export function chartsOf(addon: Addon, context: Partial<ClusterContext> = {}): HelmChart[] {
  const tenant = new Chart(Testing.app(), 'tenant');
  const { charts, chartsFirst } = addon.bind(tenant, clusterContext(context));
  expect(chartsFirst ? [] : tenant.toJson()).toEqual([]);
  return charts!;
}

/** Values of the last chart that an addon installs. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function valuesOf(addon: Addon, context: Partial<ClusterContext> = {}): any {
  const charts = chartsOf(addon, context);
  return charts[charts.length - 1].values;
}

/** Problems that an addon reports. */
export function problemsOf(addon: Addon, context: Partial<ClusterContext> = {}): ReportedProblem[] {
  return problemsIn((app) => {
    addon.bind(tenantChart(new Chart(app, 'acme'), addon.name, addon.name), clusterContext(context));
  });
}
