import { KUBEADM_RULES } from './rules';
import { DATA_KEYS, isDataKey } from '../../kubernetes/data-key';
import { checkDnsSubdomain } from '../../network/dns';
import { Problem } from '../../validation/problem';

/** One key of a Secret in the tenant cluster's namespace, read when a machine is made. */
export interface BootstrapSecretRef {
  /** Name of the Secret. */
  readonly name: string;

  /** Key of the Secret's data: letters, digits, `-`, `_` and `.`. */
  readonly key: string;
}

/** Checks a reference to a Secret. */
export function checkSecretRef(ref: BootstrapSecretRef, property: string): Problem[] {
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
