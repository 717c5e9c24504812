import { KubeadmMount } from './kubeadm-mounts';
import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { KubeadmHostPathVolume } from './volumes';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import type { Component } from '../../../../manifests/values/component-facts';
import { KubernetesVersion } from '../../../../manifests/values/kubernetes-version';
import { Problem } from '../../../../manifests/values/problem';
import { flagName } from '../../../contracts/component-values';

/** Flags with the path of a file that the user puts on the machine. */
const READ: Readonly<Partial<Record<Component, readonly string[]>>> = {
  'kube-apiserver': [
    'admission-control-config-file', 'audit-policy-file', 'audit-webhook-config-file', 'authentication-config', 'authentication-token-webhook-config-file',
    'authorization-config', 'authorization-policy-file', 'authorization-webhook-config-file', 'egress-selector-config-file', 'encryption-provider-config',
    'oidc-ca-file', 'peer-ca-file', 'token-auth-file', 'tracing-config-file',
  ],
  'kube-scheduler': ['config'],
};

const AUDIT_LOG = 'audit-log-path';
const STANDARD_OUTPUT = '-';

/** The first minor that deletes old audit logs by default. */
const LIMITED_SINCE = 36;

/** The files of its machine that a component can read. */
export interface ComponentMounts {
  readonly ofKubeadm: readonly KubeadmMount[];
  readonly extra: readonly KubeadmHostPathVolume[];
}

/** Checks that a component sees the files that its arguments name. */
export function checkMountedFiles(component: Component, property: string, args: readonly ComponentArgument[], mounts: ComponentMounts): Problem[] {
  const { ofKubeadm, extra } = mounts;
  const paths = [...ofKubeadm.map(({ path }) => path), ...extra.map(({ mountPath }) => mountPath)];
  const writable = extra.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath);
  return args.flatMap((argument, index): Problem[] => {
    const name = flagName(argument);
    const path = argument.value;
    const at = { rule: KUBEADM_CONTROL_PLANE_RULES.mountedFile, property: `${property}[${index}]` };
    if (READ[component]?.includes(name) && path !== '' && !holds(paths, path)) {
      return [{ ...at, message: `--${name} leads to "${path}", which is in no volume that the ${component} sees`, fix: 'mount the file, or its folder, with extraVolumes' }];
    }
    if (component !== 'kube-apiserver' || name !== AUDIT_LOG || ['', STANDARD_OUTPUT].includes(path) || holds(writable, path)) return [];
    return [{
      ...at,
      message: holds(paths, path) ? `"${path}" is in a volume that the API server can only read` : `"${path}" is in no volume, so that the audit log is lost when the API server starts anew`,
      fix: `mount its folder with extraVolumes, without readOnly, or write "${STANDARD_OUTPUT}" for the standard output`,
    }];
  });
}

/** Checks that audit logs do not fill the disk. */
export function checkAuditLog(property: string, args: readonly ComponentArgument[], version: KubernetesVersion): Problem[] {
  const value = (name: string) => args.find((argument) => flagName(argument) === name)?.value;
  const path = value(AUDIT_LOG) ?? '';
  if (['', STANDARD_OUTPUT].includes(path)) return [];
  const limits = ['audit-log-maxage', 'audit-log-maxbackup'].map((name) => value(name) ?? (version.minor >= LIMITED_SINCE ? undefined : '0'));
  return limits.some((limit) => limit === undefined || Number(limit) !== 0) ? [] : [{
    rule: KUBEADM_CONTROL_PLANE_RULES.auditLog,
    property,
    message: `the audit log in "${path}" is kept for ever, until it fills the disk`,
    fix: 'add audit-log-maxage, the days that old logs are kept, or audit-log-maxbackup, their number; audit-log-maxsize is the size of each in megabytes',
  }];
}

function holds(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
