import { CatalogueAddon } from './catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Options of metrics-server. */
export interface MetricsServerProps extends BundledAddonProps {
  /**
   * Replicas; with more than one a PodDisruptionBudget keeps one of them (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * True if metrics-server skips the verification of kubelets' certificates. kubeadm's kubelets use self-signed certificates, unless they
   * are configured to request one from the cluster and an administrator or controller approves it
   * (kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs, kubelet serving certificates).
   *
   * @default true
   */
  readonly kubeletInsecureTls?: boolean;
}

/**
 * metrics-server, for `kubectl top` and autoscaling by CPU and memory. The API server reaches it by Konnectivity where the control plane is
 * hosted. Source: kubernetes-sigs/metrics-server charts/metrics-server 3.13.1.
 *
 * @example
 * acme.addAddon(new MetricsServer({ replicas: 2 }));
 */
export class MetricsServer extends CatalogueAddon {
  public constructor(props: MetricsServerProps = {}) {
    const { replicas = 1, kubeletInsecureTls = true } = props;
    super({
      chart: 'metrics-server',
      name: 'metrics-server',
      namespace: 'kube-system',
      provides: [AddonCapability.RESOURCE_METRICS],
      tolerations: { tolerations: [] },
      check: () => checkReplicas('replicas', replicas),
      values: ({ network }) => ({
        replicas,
        podDisruptionBudget: replicas > 1 ? { enabled: true, minAvailable: 1 } : undefined,
        args: kubeletInsecureTls ? ['--kubelet-insecure-tls'] : undefined,
        tls: { clusterDomain: network.serviceDomain },
      }),
    }, props);
  }
}
