import type { k8s } from 'cdk8s-plus-28';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { SecretKeyRef, SecretRef } from '../../../manifests/values/secret-ref';
import { checkSecretName } from '../../addons/controllers/controller-checks';

const DIRECTORY = '/etc/kubernetes/infra';
const FILE = 'kubeconfig';

/** Readable by owner and group only. */
const GROUP_READABLE = 0o440;

/** Access of a controller to another cluster that runs the machines. */
export interface InfraClusterAccess {
  /** Namespace of the machines. */
  readonly infraNamespace?: string;

  /** Its own kubeconfig. */
  readonly infraKubeconfig?: SecretKeyRef;
}

/** Path of the kubeconfig of another cluster that runs the machines. */
export const INFRA_KUBECONFIG = `${DIRECTORY}/${FILE}`;

/** Mounts that kubeconfig. */
export const INFRA_KUBECONFIG_MOUNT = { name: 'infra-kubeconfig', mountPath: DIRECTORY, readOnly: true } satisfies k8s.VolumeMount;

/** The volume with that kubeconfig: the controller's own, or that of the infrastructure. */
export function infraKubeconfigVolume(infraCluster: SecretRef, { infraKubeconfig }: InfraClusterAccess): k8s.Volume {
  const { name, key } = infraKubeconfig ?? { name: infraCluster.name, key: 'kubeconfig' };
  return { name: INFRA_KUBECONFIG_MOUNT.name, secret: { secretName: name, items: [{ key, path: FILE }], defaultMode: GROUP_READABLE } };
}

/**
 * Checks the access of a controller to the cluster of the machines.
 *
 * @param rule the rule of the controller
 * @param property the property that holds the access
 * @param access the access
 * @param namespace namespace of the tenant cluster
 * @param infraCluster the Secret with the kubeconfig of another cluster that runs the machines
 * @param otherwise the other fix, if there can be no such kubeconfig
 */
export function checkInfraAccess(
  rule: Rule, property: string, access: InfraClusterAccess, namespace: string, infraCluster: SecretRef | undefined, otherwise: string,
): Problem[] {
  const { infraNamespace, infraKubeconfig } = access;
  if (!infraCluster) {
    const given = [['infraNamespace', infraNamespace] as const, ['infraKubeconfig', infraKubeconfig] as const].filter(([, value]) => value !== undefined);
    return given.map(([name]) => ({
      rule,
      property: `${property}.${name}`,
      message: 'the machines run in the management cluster, in the namespace of the tenant cluster',
      fix: `remove ${name}, or say with infrastructure.infraClusterSecretRef that another cluster runs the machines`,
    }));
  }
  const fault = infraNamespace === undefined ? undefined : checkDnsLabel(infraNamespace);
  // A namespace without a name is refused where it was given.
  const foreign = !infraKubeconfig && infraCluster.namespace && infraCluster.namespace !== namespace;
  return [
    ...checkSecretName(`${property}.infraKubeconfig.name`, infraKubeconfig?.name),
    ...problemIf(rule, `${property}.infraNamespace`, fault, 'write the name of the namespace as it is in the other cluster'),
    ...(foreign ? [{
      rule,
      property: `${property}.infraKubeconfig`,
      message: `the infrastructure's Secret "${infraCluster.name}" is in namespace "${infraCluster.namespace}", and the pod in "${namespace}" can have none from there`,
      fix: `name a Secret of the tenant cluster's namespace with a kubeconfig, or ${otherwise}`,
    }] : []),
  ];
}
