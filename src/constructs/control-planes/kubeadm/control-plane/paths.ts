import { posix } from 'node:path';
import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { Problem } from '../../../../manifests/values/problem';

const MAX_LENGTH = 512;

/** Checks a path on control plane machines. */
export function checkPath(property: string, path: string | undefined): Problem[] {
  if (path === undefined || (/^\/[^\s:]*[^\s:/]$/.test(path) && path.length <= MAX_LENGTH && posix.normalize(path) === path)) return [];
  return [{
    rule: KUBEADM_CONTROL_PLANE_RULES.path,
    property,
    message: `${JSON.stringify(path)} is not a path in its shortest form`,
    accepted: `absolute paths of at most ${MAX_LENGTH} characters without white space, ":", "//", "." and "..", and without "/" at the end`,
    fix: 'write a path such as "/etc/kubernetes/audit/policy.yaml"',
  }];
}
