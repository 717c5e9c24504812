import { CLOUD_CONTROLLER_MANAGER } from './cloud-controller-manager/add-cloud-controller-manager';
import { PrimaryNetwork } from './network';
import { InstanceFields } from './template-types';
import { IntOrString } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';
import { PoolContext } from '../../contracts/node-pool/pool-context';

type Probe = InstanceFields['readinessProbe'];

/** Interval of the probe, and failures in a row: a machine whose guest hangs is left out after a minute, one whose agent restarts mostly stays. */
const PERIOD_SECONDS = 10;
const FAILURES = 6;
const TIMEOUT_SECONDS = 5;

/**
 * The probe of the machines of a pool; undefined for none.
 *
 * The kubelet of the host sends it to the address of the pod, which a machine that is bridged to the pod network has, and KubeVirt takes
 * over the readiness of the pod (kubevirt/kubevirt pkg/virt-controller/watch/vmi/lifecycle.go). The provider waits for a ready machine before
 * it gives it a provider ID; kubeadm, kubelet and pod network need none of that.
 */
export function serviceProbe(chosen: boolean | undefined, network: PrimaryNetwork, context: PoolContext): Probe {
  const { cluster, controlPlane } = context;
  const { serviceProxyHealthPort: port, infrastructure } = cluster;
  const isPublished = infrastructure.servicePublisher === CLOUD_CONTROLLER_MANAGER;
  if (port === undefined || controlPlane || !(chosen ?? (isPublished && network._hasPodAddress))) return undefined;
  return {
    httpGet: { path: '/healthz', port: IntOrString.fromNumber(port) },
    periodSeconds: PERIOD_SECONDS,
    timeoutSeconds: TIMEOUT_SECONDS,
    successThreshold: 1,
    failureThreshold: FAILURES,
  };
}

const PROBE_RULE: Rule = {
  id: 'TC-KUBEVIRT-SERVICE-PROBE',
  title: 'Only workers of a cluster whose pod network or kube-proxy is known to answer can be probed: others would never be ready.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go (reconcileNormal), '
    + 'kubernetes/kubernetes pkg/proxy/healthcheck/proxy_health.go',
};

/** Checks that something answers the probe. */
export function checkServiceProbe(report: PropertyReport, chosen: boolean | undefined, { cluster, controlPlane }: PoolContext): void {
  if (!chosen) return;
  if (controlPlane) {
    report.add(PROBE_RULE, {
      message: 'the Service in front of control plane machines would wait for kube-proxy or the pod network, which wait for that Service', fix: 'leave it out for control planes',
    });
  } else if (cluster.serviceProxyHealthPort === undefined) {
    report.add(PROBE_RULE, {
      message: 'nothing is known to answer for the Service proxy of the nodes: no machine would ever be ready',
      accepted: 'Cilium, a pod network beside kube-proxy, or one with serviceProxyHealthPort',
      fix: 'leave it out',
    });
  }
}
