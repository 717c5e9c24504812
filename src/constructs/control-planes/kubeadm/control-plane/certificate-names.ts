import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { checkCertificateName } from '../../../../manifests/values/dns';
import { Problem, problemIf } from '../../../../manifests/values/problem';

/** Checks the names for a certificate that a property holds. */
export function checkCertificateNames(property: string, names: readonly string[]): Problem[] {
  const rule = KUBEADM_CONTROL_PLANE_RULES.certificateName;
  return names.flatMap((name, index) => problemIf(rule, `${property}[${index}]`, checkCertificateName(name), 'write the host alone, as clients will call it'));
}
