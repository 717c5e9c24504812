import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { Problem, problemIf } from '../../problems/problem';
import { checkCertificateName } from '../../values/dns';

/** Most names in a certificate. */
const MOST = 100;

/**
 * Checks names for a certificate.
 *
 * @param property the property that holds them
 * @param names the names
 * @param count how many there are with those that others add
 */
export function checkCertificateNames(property: string, names: readonly string[], count = names.length): Problem[] {
  const rule = KUBEADM_CONTROL_PLANE_RULES.certificateName;
  return [
    ...names.flatMap((name, index) => problemIf(rule, `${property}[${index}]`, checkCertificateName(name), 'write the host alone, as clients will call it')),
    ...(count <= MOST ? [] : [{ rule, property, message: `there are ${count} names`, accepted: `at most ${MOST}`, fix: 'use wildcard names' }]),
  ];
}
