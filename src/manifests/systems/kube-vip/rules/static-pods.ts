import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { valuesIn } from '../../../objects/manifest-text';
import { fileContent } from '../../../objects/packed-manifests';
import { KUBEADM_CONFIG, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE } from '../../../rules/cluster-api/cluster-api-kinds';
import { clusterYaml, kubeadmPlaneYaml } from '../../../rules/cluster-api/example-manifests';
import { documents, replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { argumentOf, Program } from '../../../rules/programs';
import { clusterOf, partOf } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, isFields, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { checkIp } from '../../../values/ip-address';
import { parseSemanticVersion } from '../../../values/semantic-version';
import { isComplete, isOn, kubeVipsOf, settingOf } from '../kube-vip-programs';

const PATHS: Readonly<Record<string, readonly string[]>> = {
  [KUBEADM_CONFIG]: ['spec'],
  [KUBEADM_CONTROL_PLANE]: ['spec', 'kubeadmConfigSpec'],
  [KUBEADM_CONTROL_PLANE_TEMPLATE]: ['spec', 'template', 'spec', 'kubeadmConfigSpec'],
};
const KINDS: readonly string[] = Object.keys(PATHS);
const STATIC_PODS = '/etc/kubernetes/manifests/';
const ADMIN = '/etc/kubernetes/admin.conf';
const SUPER_ADMIN = '/etc/kubernetes/super-admin.conf';

/** A command of machines, for examples. */
const SWAP = 'preKubeadmCommands: [/opt/use-super-admin.conf.sh]';

/** The first minor whose kubeadm gives admin.conf its rights only at the end of `init`. */
const FIRST_MINOR_WITH_SUPER_ADMIN = 29;

/** A kube-vip in a file of machines. */
interface PlacedKubeVip {
  readonly pod: ManifestObject;
  readonly program: Program;

  /** The field with the content of the file. */
  readonly path: FieldPath;
}

const ADMIN_CONF: ManifestRule = {
  id: 'TC-TRAP-KUBE-VIP-ADMIN-CONF',
  title: 'From Kubernetes 1.29 on, kube-vip on the first machine must use super-admin.conf: admin.conf has no rights before the end of kubeadm init, and kube-vip gets no lease.',
  source: 'kubernetes/kubernetes CHANGELOG/CHANGELOG-1.29.md (super-admin.conf), kube-vip issue 684',
  kinds: KINDS,
  trap: true,
  example: {
    failing: controlPlane(ADMIN),
    corrected: controlPlane(ADMIN, `preKubeadmCommands:
  - |
    [ ! -f /run/kubeadm/kubeadm.yaml ] || sed -i "s#path: ${ADMIN}#path: ${SUPER_ADMIN}#" ${STATIC_PODS}kube-vip.yaml`),
  },
  check: (object) => {
    const minor = parseSemanticVersion(stringAt(object, 'spec', 'version') ?? '')?.minor;
    if (minor !== undefined && minor < FIRST_MINOR_WITH_SUPER_ADMIN) return [];
    const spec = fieldAt(object, ...PATHS[groupKind(object)]);
    const isSwapped = textsOf(spec).some((text) => text.includes('super-admin.conf'));
    return isSwapped ? [] : kubeVipsIn(object).filter(({ program }) => isOn(program, 'vip_leaderelection')).flatMap(({ pod, path }): Finding[] => {
      const files = mountedFiles(pod);
      if (files.includes(SUPER_ADMIN)) {
        return [{
          path,
          message: `kube-vip reads ${SUPER_ADMIN}, which kubeadm writes on the first machine alone: on those that join it never runs`,
          fix: `write ${ADMIN}, and replace it by ${SUPER_ADMIN} on the first machine in preKubeadmCommands`,
        }];
      }
      return files.includes(ADMIN) ? [{
        path,
        message: `kube-vip reads ${ADMIN}, which has no rights before the end of kubeadm init: it gets no lease, and kubeadm waits for the address in vain`,
        fix: `replace it by ${SUPER_ADMIN} on the first machine, in preKubeadmCommands: with sed in ${STATIC_PODS}kube-vip.yaml, where /run/kubeadm/kubeadm.yaml exists`,
      }] : [];
    });
  },
};

const KUBECONFIG: ManifestRule = {
  id: 'TC-TRAP-KUBE-VIP-KUBECONFIG',
  title: 'A kube-vip in a file of machines must mount a kubeconfig of its host: a static pod has no token of a ServiceAccount, and kube-vip ends without both.',
  source: 'kube-vip/kube-vip pkg/kubevip/config_envvar.go (k8sConfigFile), pkg/manager/manager.go (New), v1.2.3; kube-vip issues 371, 830',
  kinds: KINDS,
  trap: true,
  example: replaced(controlPlane(ADMIN, SWAP), `                volumeMounts: [{name: kubeconfig, mountPath: ${ADMIN}}]
            volumes: [{name: kubeconfig, hostPath: {path: ${ADMIN}, type: FileOrCreate}}]\n`, ''),
  check: (object) => kubeVipsIn(object).filter(({ program }) => isOn(program, 'vip_leaderelection') && isComplete(program)).flatMap(({ pod, program, path }): Finding[] => {
    // With etcd as the backend of the election, kube-vip has no client of the API server.
    if (argumentOf(program, 'leaderElectionType')?.value === 'etcd') return [];
    const file = settingOf(program, 'k8s_config_file') ?? ADMIN;
    // A file may be mounted at another path, and its settings be changed by a command.
    return mountedFiles(pod).length > 0 ? [] : [{
      path, message: `kube-vip reads ${file}, and no volume of its pod has it`, fix: `add a hostPath volume of ${ADMIN}, mounted at ${file}`,
    }];
  }),
};

/** Commands and scripts of machines. */
function textsOf(spec: unknown): string[] {
  const commands = ['bootCommands', 'preKubeadmCommands', 'postKubeadmCommands'].flatMap((list) => stringsAt(spec, list).map(([text]) => text));
  const scripts = objectsAt(spec, 'files').filter(([file]) => !stringAt(file, 'path')?.startsWith(STATIC_PODS)).flatMap(([file]) => fileContent(file) ?? []);
  return [...commands, ...scripts];
}

/** Files of the machine that a pod mounts. */
function mountedFiles(pod: ManifestObject): string[] {
  return objectsAt(pod, 'spec', 'volumes').flatMap(([volume]) => stringAt(volume, 'hostPath', 'path') ?? []);
}

const ENDPOINT: ManifestRule = {
  id: 'TC-TRAP-KUBE-VIP-ENDPOINT',
  title: 'kube-vip must carry the address and the port of the cluster\'s endpoint: no machine joins otherwise.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/cluster_types.go (controlPlaneEndpoint), kube-vip/kube-vip pkg/kubevip/config_environment.go',
  kinds: [KUBEADM_CONTROL_PLANE],
  trap: true,
  example: { failing: withCluster('192.0.2.11'), corrected: withCluster('192.0.2.10') },
  check: (object, index) => {
    const endpoint = endpointOf(object, index);
    return endpoint === undefined ? [] : kubeVipsIn(object).filter(({ program }) => isOn(program, 'cp_enable')).flatMap(({ program, path }): Finding[] => {
      const address = settingOf(program, 'address') ?? settingOf(program, 'vip_address');
      const port = Number(settingOf(program, 'port') ?? NaN);
      const isOther = address !== undefined && checkIp(address) === undefined && checkIp(endpoint.host) === undefined && address !== endpoint.host;
      return [
        ...(isOther ? [{ path, message: `kube-vip carries ${address}, and the endpoint of the cluster is ${endpoint.host}`, fix: `write ${endpoint.host} for address` }] : []),
        ...(endpoint.port !== undefined && endpoint.port > 0 && port > 0 && port !== endpoint.port && !isOn(program, 'lb_enable') ? [{
          path, message: `the port of kube-vip is ${port}, and that of the endpoint of the cluster ${endpoint.port}`, fix: `write "${endpoint.port}" for port`,
        }] : []),
      ];
    });
  },
};

/** The endpoint that the Cluster or its infrastructure states. */
function endpointOf(object: ManifestObject, index: ManifestIndex): { readonly host: string; readonly port?: number } | undefined {
  const cluster = clusterOf(object, index);
  const infrastructure = cluster && partOf(cluster, 'infrastructureRef', index);
  const stated = [cluster, infrastructure].map((one) => fieldAt(one, 'spec', 'controlPlaneEndpoint')).find((one) => stringAt(one, 'host') !== undefined);
  const host = stringAt(stated, 'host');
  return host === undefined ? undefined : { host, port: numberAt(stated, 'port') };
}

/** The addresses that kube-vip in files of machines announces by ARP for their API server. */
export function announcedAddresses(object: ManifestObject): readonly string[] {
  return kubeVipsIn(object).filter(({ program }) => isOn(program, 'cp_enable') && isOn(program, 'vip_arp'))
    .flatMap(({ program }) => settingOf(program, 'address') ?? settingOf(program, 'vip_address') ?? []);
}

function kubeVipsIn(object: ManifestObject): PlacedKubeVip[] {
  const spec = PATHS[groupKind(object)];
  return objectsAt(object, ...spec, 'files').flatMap(([file, index]) => {
    const text = stringAt(file, 'path')?.startsWith(STATIC_PODS) ? fileContent(file) : undefined;
    if (!text?.includes('kube-vip')) return [];
    return podsIn(text).flatMap((pod) => kubeVipsOf(pod).map((program) => ({ pod, program, path: [...spec, 'files', index, 'content'] })));
  });
}

/** The pods of a file; none if it is no YAML. */
function podsIn(text: string): ManifestObject[] {
  return valuesIn(text).filter(isFields).filter(({ kind }) => kind === 'Pod');
}

function controlPlane(file: string, fields = '', address = '192.0.2.10'): string {
  return kubeadmPlaneYaml(`${fields === '' ? '' : `${fields}\n`}${kubeVipFile(address, file)}`, 'VSphereMachineTemplate');
}

/** The file of a machine with a kube-vip that carries an address, for examples. */
export function kubeVipFile(address: string, file = ADMIN): string {
  return `files:
  - path: ${STATIC_PODS}kube-vip.yaml
    content: |
      apiVersion: v1
      kind: Pod
      metadata: {name: kube-vip, namespace: kube-system}
      spec:
        hostNetwork: true
        containers:
          - name: kube-vip
            image: ghcr.io/kube-vip/kube-vip:v1.2.3
            args: [manager]
            env:
              - {name: vip_arp, value: "true"}
              - {name: cp_enable, value: "true"}
              - {name: vip_leaderelection, value: "true"}
              - {name: address, value: ${address}}
            volumeMounts: [{name: kubeconfig, mountPath: ${ADMIN}}]
        volumes: [{name: kubeconfig, hostPath: {path: ${file}, type: FileOrCreate}}]
`;
}

function withCluster(address: string): string {
  const parts = 'controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: acme}';
  return documents(controlPlane(ADMIN, SWAP, address), clusterYaml(`controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}\n${parts}`));
}

/** Rules for kube-vip in files of machines. */
export const STATIC_POD_RULES: readonly ManifestRule[] = [ADMIN_CONF, KUBECONFIG, ENDPOINT];
