import { argumentsAt, below, clusterConfigurationYaml, CONTROL_PLANE_KINDS, KubeadmSpec, kubeadmSpec } from './kubeadm-spec';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER_CLASS, KUBEADM_CONTROL_PLANE_TEMPLATE } from '../../../rules/cluster-api/cluster-api-kinds';
import { edited } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { flagName } from '../../../values/component-arguments';
import { Component } from '../../../values/component-facts';
import { FieldPath, listAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { kubeadmMounts } from '../static-pod-mounts';

/** The components with static pods of kubeadm, by the field with their settings. */
const PODS: readonly (readonly [field: string, component: Component])[] = [
  ['apiServer', 'kube-apiserver'], ['controllerManager', 'kube-controller-manager'], ['scheduler', 'kube-scheduler'],
];

/** Arguments that name a file that is read; others name logs and folders, which are made. */
const READ = /(?:^|-)(?:config|kubeconfig|file)$/;
const WRITTEN: readonly string[] = ['log-file'];

/** A placeholder that the machine, or the tool that applies the manifest, replaces, or a list. */
const NO_FILE = /\{\{|\{%|\$\{|[,*\s]/;

const SOURCE = 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go (getHostPathVolumesForTheControlPlane), v1.37.2';

const AUDIT_TEXT = clusterConfigurationYaml(`apiServer:
  extraArgs:
    - {name: audit-policy-file, value: /etc/kubernetes/audit/policy.yaml}
  extraVolumes:
    - {name: audit, hostPath: /etc/kubernetes/audit, mountPath: /etc/kubernetes/audit, readOnly: true, pathType: Directory}
`).replace('  kubeadmConfigSpec:\n', `  kubeadmConfigSpec:
    files:
      - path: /etc/kubernetes/audit/policy.yaml
        content: |
          apiVersion: audit.k8s.io/v1
          kind: Policy
          rules: [{level: Metadata}]
`);

const UNMOUNTED: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-ARGUMENT-FILE',
  title: 'A file that an argument of a control plane\'s component names must be in a volume of its pod: the component exits otherwise, and no machine joins.',
  source: SOURCE,
  kinds: CONTROL_PLANE_KINDS,
  trap: true,
  example: { failing: edited(AUDIT_TEXT, { 'mountPath: /etc/kubernetes/audit,': 'mountPath: /etc/audit,' }), corrected: AUDIT_TEXT },
  check: (object, index) => filesOf(object, index).filter(({ host }) => host === undefined).map(({ file, name, pod, path, mounts }): Finding => ({
    path,
    message: `--${name} names ${file}, and no volume of ${pod} holds it`,
    accepted: [...mounts].join(', '),
    fix: 'add an entry with the file or its folder to extraVolumes of the component, with hostPath and mountPath',
  })),
};

const UNWRITTEN: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-HOST-FILE',
  title: 'A file of the host that a component of the control plane reads should be written by files or commands of the machine, unless its image has it.',
  source: `${SOURCE}; kubernetes-sigs/cluster-api bootstrap/kubeadm/internal/cloudinit (write_files)`,
  kinds: CONTROL_PLANE_KINDS,
  trap: true,
  warning: true,
  example: { failing: edited(AUDIT_TEXT, { 'path: /etc/kubernetes/audit/policy.yaml\n': 'path: /etc/kubernetes/policy.yaml\n' }), corrected: AUDIT_TEXT },
  check: (object, index) => {
    const { value } = kubeadmSpec(object);
    const scripts = ['bootCommands', 'preKubeadmCommands'].flatMap((list) => stringsAt(value, list)).map(([text]) => text);
    const contents = objectsAt(value, 'files').flatMap(([file]) => stringAt(file, 'content') ?? []);
    const written = objectsAt(value, 'files').flatMap(([file]) => stringAt(file, 'path') ?? []);
    const isKnown = (host: string) => written.includes(host) || [...scripts, ...contents].some((text) => mayWrite(text, host));
    return filesOf(object, index).flatMap(({ host, name, file, pod, path }): Finding[] => (
      host === undefined || host === null || isKnown(host) ? [] : [{
        path,
        message: `--${name} of ${pod} names ${file}, which is ${host} of the host, and neither files nor commands of the machine write it`,
        fix: `add an entry with path: ${host} to files, or make sure that the image of the machine has it`,
      }]));
  },
};

/** True if a script names a file of the host, or its folder. */
function mayWrite(script: string, host: string): boolean {
  const folder = host.slice(0, host.lastIndexOf('/'));
  return script.includes(host.slice(host.lastIndexOf('/') + 1)) || (folder !== '' && folder !== '/etc' && folder !== '/etc/kubernetes' && script.includes(folder));
}

/** A file that an argument names. */
interface ArgumentFile {
  readonly name: string;
  readonly file: string;
  readonly pod: string;
  readonly path: FieldPath;
  readonly mounts: readonly string[];

  /** The same file of the host; null if kubeadm mounts it, undefined if no volume has it. */
  readonly host?: string | null;
}

function filesOf(object: ManifestObject, index: ManifestIndex): ArgumentFile[] {
  const spec = kubeadmSpec(object);
  return isFinal(object, spec, index) ? PODS.flatMap(([field, component]) => filesOfPod(field, component, spec)) : [];
}

/** False if something else than the object may add volumes: patches of kubeadm, of a ClusterClass, or of scripts. */
function isFinal(object: ManifestObject, { value }: KubeadmSpec, index: ManifestIndex): boolean {
  const paths = objectsAt(value, 'files').flatMap(([file]) => stringAt(file, 'path') ?? []);
  const isPatched = ['initConfiguration', 'joinConfiguration'].map((part) => stringAt(value, part, 'patches', 'directory')).some((folder) => {
    const names = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder!.length + 1));
    return folder !== undefined && (names.length === 0 || names.some((name) => name.startsWith('kube-')));
  });
  const scripts = ['preKubeadmCommands', 'postKubeadmCommands', 'bootCommands'].flatMap((list) => stringsAt(value, list)).map(([text]) => text);
  const contents = objectsAt(value, 'files').flatMap(([file]) => stringAt(file, 'content') ?? []);
  if (isPatched || [...scripts, ...contents].some((text) => /manifests\/kube-|ClusterConfiguration|kubeadm\.yaml/.test(text))) return false;
  if (groupKind(object) !== KUBEADM_CONTROL_PLANE_TEMPLATE) return true;
  const classes = index.all(CLUSTER_CLASS);
  return classes.length > 0 && classes.every((one) => listAt(one, 'spec', 'patches').length === 0);
}

function filesOfPod(field: string, component: Component, spec: KubeadmSpec): ArgumentFile[] {
  const configuration = ['clusterConfiguration', field];
  const volumes = objectsAt(spec.value, ...configuration, 'extraVolumes').map(([volume]) => ({
    host: stringAt(volume, 'hostPath') ?? '', mount: (stringAt(volume, 'mountPath') ?? '').replace(/\/+$/, ''),
  }));
  if (volumes.some(({ host, mount }) => NO_FILE.test(host + mount))) return [];
  const args = argumentsAt(spec.value, [...configuration, 'extraArgs']).map((argument) => ({ ...argument, name: flagName(argument) }));
  const own = kubeadmMounts(component, {
    flexVolumes: args.find(({ name }) => name === 'flex-volume-plugin-dir')?.value,
    etcdFiles: ['caFile', 'certFile', 'keyFile'].flatMap((file) => stringAt(spec.value, 'clusterConfiguration', 'etcd', 'external', file) ?? []),
    certificates: stringAt(spec.value, 'clusterConfiguration', 'certificatesDir'),
  }).map(({ path }) => path);
  return args.filter(({ name, value }) => READ.test(name) && !WRITTEN.includes(name) && value.startsWith('/') && !NO_FILE.test(value))
    .map(({ name, value, path }) => {
      const isIn = (folder: string) => value === folder || value.startsWith(`${folder}/`);
      const volume = volumes.find(({ mount }) => isIn(mount));
      const host = volume ? volume.host.replace(/\/+$/, '') + value.slice(volume.mount.length) : own.some(isIn) ? null : undefined;
      return { name, file: value, pod: component, path: below(spec, ...path), mounts: [...own, ...volumes.map(({ mount }) => mount)], host };
    });
}

/** Rules for files that arguments of the control plane name. */
export const ARGUMENT_FILES: readonly ManifestRule[] = [UNMOUNTED, UNWRITTEN];
