import { KUBEADM_RULES } from './rules';
import { DATA_KEYS, isDataKey } from '../../../../manifests/values/data-key';
import { checkDnsSubdomain } from '../../../../manifests/values/dns';
import { Problem } from '../../../../manifests/values/problem';
import { SecretKeyRef } from '../../../../manifests/values/secret-ref';

/** Checks a reference to a Secret in the namespace of the cluster. */
export function checkSecretRef(ref: SecretKeyRef, property: string): Problem[] {
  const rule = KUBEADM_RULES.secretRef;
  const problems: Problem[] = [];
  const name = checkDnsSubdomain(ref.name);
  if (name !== undefined) {
    problems.push({ rule, property: `${property}.name`, message: name, fix: 'write the name of a Secret in the namespace of the cluster' });
  }
  if (!isDataKey(ref.key)) {
    problems.push({
      rule,
      property: `${property}.key`,
      message: `${JSON.stringify(ref.key)} is not a key of a Secret`,
      accepted: DATA_KEYS,
      fix: 'write the key as it stands in the data of the Secret',
    });
  }
  return problems;
}
