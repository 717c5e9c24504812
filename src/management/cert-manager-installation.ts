import { ManagementChartOptions, checkChartOptions, managementChart } from './management-chart';
import { ManagementPlan } from './management-plan';
import { checkReplicas } from './workload-options';
import { CERT_MANAGER_TOLERATIONS, certManagerValues } from '../addons/catalogue/cert-manager';
import { CHART_CATALOGUE } from '../addons/chart-catalogue.generated';

/** Name of the delivery of cert-manager. */
export const CERT_MANAGER_DELIVERY = 'cert-manager';

/** What can be chosen about cert-manager in the management cluster. */
export interface CertManagerInstallationOptions extends ManagementChartOptions {
  /**
   * Replicas of controller, webhook and CA injector each (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/**
 * Who installs cert-manager in the management cluster. The Cluster API Operator, the providers, Kamaji and its etcds have their
 * certificates from it.
 */
export class CertManagerInstallation {
  /**
   * This app installs its chart. The definitions stay when it is uninstalled, and with them all certificates.
   *
   * Source: cert-manager/cert-manager deploy/charts/cert-manager v1.21.1.
   *
   * @param options what differs from the defaults
   */
  public static chart(options: CertManagerInstallationOptions = {}): CertManagerInstallation {
    return new CertManagerInstallation(options);
  }

  /** Somebody else has installed it. */
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
      pin: CHART_CATALOGUE['cert-manager'],
      releaseName: 'cert-manager',
      namespace: 'cert-manager',
      tolerations: CERT_MANAGER_TOLERATIONS,
      values: certManagerValues(options.replicas),
    }, options));
  }
}
