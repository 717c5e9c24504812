import { Duration } from 'cdk8s';
import { CERTIFICATE_DAYS } from '../../../../manifests/systems/kubeadm/node-files';
import { checkCertificateName } from '../../../../manifests/values/dns';
import { KubernetesVersion } from '../../../../manifests/values/kubernetes-version';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';

/** Algorithms of the keys that certificates are made for. */
export enum KubeadmEncryptionAlgorithm {
  /** ECDSA with the curve P-256. */
  ECDSA_P256 = 'ECDSA-P256',

  /** ECDSA with the curve P-384, for Kubernetes 1.34 and later. */
  ECDSA_P384 = 'ECDSA-P384',

  /** RSA with 2048 bits. */
  RSA_2048 = 'RSA-2048',

  /** RSA with 3072 bits. */
  RSA_3072 = 'RSA-3072',

  /** RSA with 4096 bits. */
  RSA_4096 = 'RSA-4096',
}

/** Options of certificates. */
export interface CertificateOptions {
  readonly certificateValidity?: Duration;
  readonly caCertificateValidity?: Duration;
  readonly encryptionAlgorithm?: KubeadmEncryptionAlgorithm;
}

const P384_SINCE = 34;

/** Days that certificates are valid. */
export function certificateDays({ certificateValidity }: CertificateOptions): number {
  return certificateValidity ? daysOf(certificateValidity) : CERTIFICATE_DAYS;
}

/**
 * The fields of kubeadm's cluster configuration about certificates. The validity is always there: Cluster API refuses an update that takes
 * away the last field of a cluster configuration (kubeadmcontrolplane.go, allowedPaths).
 */
export function certificateFields(options: CertificateOptions) {
  const { caCertificateValidity, encryptionAlgorithm } = options;
  return {
    certificateValidityPeriodDays: certificateDays(options),
    ...(caCertificateValidity && { caCertificateValidityPeriodDays: daysOf(caCertificateValidity) }),
    ...(encryptionAlgorithm !== undefined && { encryptionAlgorithm }),
  };
}

/** Days of a duration, fractions included. */
export function daysOf(duration: Duration): number {
  return duration.toDays({ integral: false });
}

const ENCRYPTION_ALGORITHM_RULE: Rule = {
  id: 'TC-KUBEADM-CP-ENCRYPTION-ALGORITHM',
  title: 'The algorithm of keys must be one that kubeadm of the cluster\'s Kubernetes version knows.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/config/crd/bases/controlplane.cluster.x-k8s.io_kubeadmcontrolplanes.yaml',
};

/** Checks that kubeadm knows the algorithm of the keys. */
export function checkAlgorithm(algorithm: KubeadmEncryptionAlgorithm | undefined, version: KubernetesVersion): Problem[] {
  if (algorithm !== KubeadmEncryptionAlgorithm.ECDSA_P384 || version.minor >= P384_SINCE) return [];
  return [{
    rule: ENCRYPTION_ALGORITHM_RULE,
    property: 'controlPlane.encryptionAlgorithm',
    message: `kubeadm ${version.minorVersion} does not know ${algorithm}`,
    accepted: Object.values(KubeadmEncryptionAlgorithm).filter((one) => one !== algorithm).join(', '),
    fix: 'choose one of these, or raise Kubernetes to 1.34',
  }];
}

const CERTIFICATE_NAME_RULE: Rule = {
  id: 'TC-KUBEADM-CP-CERTIFICATE-NAME',
  title: 'Names in a certificate must be IP addresses, DNS names or wildcard DNS names.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/config/crd/bases/controlplane.cluster.x-k8s.io_kubeadmcontrolplanes.yaml',
};

/** Checks the names for a certificate that a property holds. */
export function checkCertificateNames(property: string, names: readonly string[]): Problem[] {
  const rule = CERTIFICATE_NAME_RULE;
  return names.flatMap((name, index) => problemIf(rule, `${property}[${index}]`, checkCertificateName(name), 'write the host alone, as clients will call it'));
}
