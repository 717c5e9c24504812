import { Duration } from 'cdk8s';
import { KubeadmConfigTemplateSpecTemplateSpecJoinConfigurationTimeouts as TemplateTimeouts } from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { Problem, Rule } from '../../../../manifests/values/problem';

/** Time that `kubeadm join` waits, in whole seconds, at least one (`TC-KUBEADM-TIMEOUT`). */
export interface JoinTimeouts {
  /**
   * For the cluster's information, which kubeadm reads from the API server before it trusts it.
   *
   * @default - 5 minutes (kubeadm.k8s.io/v1beta4)
   */
  readonly discovery?: Duration;

  /**
   * For the kubelet to get its certificate.
   *
   * @default - 5 minutes (kubeadm.k8s.io/v1beta4)
   */
  readonly tlsBootstrap?: Duration;

  /**
   * For the kubelet to be healthy.
   *
   * @default - 4 minutes (kubeadm.k8s.io/v1beta4)
   */
  readonly kubeletHealthCheck?: Duration;

  /**
   * For one call of the API server, repeats included.
   *
   * @default - 1 minute (kubeadm.k8s.io/v1beta4)
   */
  readonly kubernetesApiCall?: Duration;
}

/** The timeouts as `KubeadmConfigTemplate` has them, or undefined if none is given. */
export function templateTimeouts(timeouts: JoinTimeouts): TemplateTimeouts | undefined {
  const { discovery, tlsBootstrap, kubeletHealthCheck, kubernetesApiCall } = timeouts;
  const template: TemplateTimeouts = {
    ...(discovery && { discoverySeconds: seconds(discovery) }),
    ...(kubeletHealthCheck && { kubeletHealthCheckSeconds: seconds(kubeletHealthCheck) }),
    ...(kubernetesApiCall && { kubernetesApiCallSeconds: seconds(kubernetesApiCall) }),
    ...(tlsBootstrap && { tlsBootstrapSeconds: seconds(tlsBootstrap) }),
  };
  return Object.keys(template).length > 0 ? template : undefined;
}

/** Checks the timeouts. */
export function checkTimeouts(timeouts: JoinTimeouts, property: string): Problem[] {
  const fields: [string, Duration | undefined][] = [
    ['discovery', timeouts.discovery], ['tlsBootstrap', timeouts.tlsBootstrap],
    ['kubeletHealthCheck', timeouts.kubeletHealthCheck], ['kubernetesApiCall', timeouts.kubernetesApiCall],
  ];
  return fields.flatMap(([field, duration]) => checkTimeout(duration, `${property}.${field}`));
}

const TIMEOUT_RULE: Rule = {
  id: 'TC-KUBEADM-TIMEOUT',
  title: 'Timeouts of kubeadm are whole seconds, at least one.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigtemplates.yaml',
};

/** Checks one timeout of kubeadm. */
export function checkTimeout(duration: Duration | undefined, property: string): Problem[] {
  const value = duration === undefined ? 1 : seconds(duration);
  return Number.isInteger(value) && value >= 1 && value < 2 ** 31 ? [] : [{
    rule: TIMEOUT_RULE,
    property,
    message: `${value} seconds cannot be waited`,
    accepted: 'whole seconds, at least 1',
    fix: 'use a duration such as Duration.minutes(5)',
  }];
}

/** A timeout as kubeadm's configuration has it. */
export function seconds(duration: Duration): number {
  return duration.toSeconds({ integral: false });
}
