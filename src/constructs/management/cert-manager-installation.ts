import { checkReplicas } from './component-options';
import { checkChartOptions, managementChart, ManagementChartOptions } from './management-chart';
import { ManagementPlan } from './management-plan';
import CHART_CATALOGUE from '../../../data/charts.json';
import { CatalogVersion, versionIn } from '../../manifests/values/catalog';
import { mergeValues } from '../../manifests/values/chart-values';
import { CERT_MANAGER_TOLERATIONS, certManagerValues } from '../addons/catalog/cert-manager';

const CHART: typeof CHART_CATALOGUE['cert-manager'] & CatalogVersion = CHART_CATALOGUE['cert-manager'];

/** Name of the delivery of cert-manager. */
export const CERT_MANAGER_DELIVERY = 'cert-manager';

/** Options of cert-manager in the management cluster. */
export interface CertManagerInstallationOptions extends ManagementChartOptions {
  /**
   * Number of replicas of the controller, the webhook and the CA injector (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/**
 * Installation of cert-manager in the management cluster. It issues the certificates of the Cluster API Operator, the providers, Kamaji
 * and its etcds.
 *
 * @example
 * const certManager = management.CertManagerInstallation.chart({ replicas: 2 });
 */
export class CertManagerInstallation {
  /**
   * This app installs its chart. The definitions, and with them all certificates, stay when the chart is uninstalled.
   *
   * Source: cert-manager/cert-manager deploy/charts/cert-manager v1.21.1.
   *
   * @param options what differs from the defaults
   */
  public static chart(options: CertManagerInstallationOptions = {}): CertManagerInstallation {
    return new CertManagerInstallation(options);
  }

  /** This app does not install cert-manager: it is already installed. */
  public static existing(): CertManagerInstallation {
    return new CertManagerInstallation(undefined);
  }

  private constructor(private readonly options: CertManagerInstallationOptions | undefined) {}

  /** @internal */
  public _plan(plan: ManagementPlan): void {
    const { options } = this;
    if (!options) return;
    plan.report(...checkReplicas('certManager.replicas', options.replicas), ...checkChartOptions('certManager', options));
    plan.addChart(CERT_MANAGER_DELIVERY, managementChart({
      chart: 'cert-manager',
      pin: { ...CHART, version: versionIn(CHART, plan.catalog) },
      releaseName: 'cert-manager',
      namespace: 'cert-manager',
      tolerations: CERT_MANAGER_TOLERATIONS,
      values: mergeValues(certManagerValues(options.replicas), plan.pullSecrets && { global: { imagePullSecrets: [...plan.pullSecrets] } }),
    }, options));
  }
}
