import { groupKind } from '../../objects/manifest-object';
import { valuesIn } from '../../objects/manifest-text';
import { machineFiles } from '../../rules/cluster-api/machine-files';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { isFields } from '../../values/fields';
import { Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';

/** Flags of agents, which servers have, too (k3s-io/k3s pkg/cli/cmds/agent.go). */
export const AGENT_FLAGS = 'config debug v vmodule log alsologtostderr token token-file server data-dir node-name with-node-id node-label node-taint '
  + 'image-credential-provider-bin-dir image-credential-provider-config selinux lb-server-port protect-kernel-defaults container-runtime-endpoint default-runtime '
  + 'image-service-endpoint disable-default-registry-endpoint nonroot-devices pause-image snapshotter private-registry airgap-extra-registry node-ip node-external-ip '
  + 'node-internal-dns node-external-dns resolv-conf flannel-iface flannel-conf flannel-cni-conf vpn-auth vpn-auth-file kubelet-arg kube-proxy-arg rootless '
  + 'prefer-bundled-bin docker enable-pprof bind-address disable-apiserver-lb disable-selinux no-flannel cluster-secret';

/** Flags that servers alone have (k3s-io/k3s pkg/cli/cmds/server.go). */
export const SERVER_FLAGS = 'https-listen-port advertise-address advertise-port tls-san tls-san-security cluster-cidr service-cidr service-node-port-range cluster-dns '
  + 'cluster-domain flannel-backend flannel-ipv6-masq flannel-external-ip egress-selector-mode servicelb-namespace write-kubeconfig write-kubeconfig-mode '
  + 'write-kubeconfig-group helm-job-image agent-token agent-token-file cluster-init cluster-reset cluster-reset-restore-path kube-apiserver-arg etcd-arg '
  + 'kube-controller-manager-arg kube-scheduler-arg kube-cloud-controller-manager-arg datastore-endpoint datastore-cafile datastore-certfile datastore-keyfile '
  + 'etcd-expose-metrics etcd-disable-snapshots etcd-snapshot-name etcd-snapshot-schedule-cron etcd-snapshot-retention etcd-snapshot-dir etcd-snapshot-compress '
  + 'etcd-s3 etcd-s3-endpoint etcd-s3-endpoint-ca etcd-s3-skip-ssl-verify etcd-s3-access-key etcd-s3-secret-key etcd-s3-bucket etcd-s3-region etcd-s3-folder '
  + 'etcd-s3-insecure etcd-s3-timeout default-local-storage-path disable disable-scheduler disable-cloud-controller disable-kube-proxy disable-network-policy '
  + 'disable-helm-controller disable-apiserver disable-controller-manager disable-etcd embedded-registry secrets-encryption disable-agent';

/** Configurations in files of K3s, or of what is built on it. */
interface ConfigFiles {
  readonly id: string;
  readonly name: string;
  readonly source: string;

  /** Folder of config.yaml and config.yaml.d. */
  readonly folder: string;

  /** Kind of templates of machines that are agents. */
  readonly template: string;

  /** Flags of agents and those that servers alone have, with spaces between them. */
  readonly agent: string;
  readonly server: string;
}

/** So many characters differ in a key that is meant. */
const SLIP = 2;

/** The rule that keys of a configuration are flags of the machine. */
export function configFileRules({ id, name, source, folder, template, agent, server }: ConfigFiles): ManifestRule[] {
  const [agents, servers] = [agent, server].map((flags) => new Set(flags.split(' ')));
  const text = `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: ${template}
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      files:
        - path: ${folder}config.yaml.d/10-kubelet.yaml
          content: |
            kubelet-arg: [max-pods=60]
`;
  return [{
    id,
    title: `Keys in configuration files of ${name} must be its flags, and on agents ones that agents have: it skips others.`,
    source,
    kinds: [],
    kindSuffix: '',
    trap: true,
    example: replaced(text, 'kubelet-arg: [', 'kublet-arg: ['),
    check: (object) => machineFiles(object).filter(({ file }) => file.startsWith(`${folder}config.yaml`) && file.endsWith('.yaml')).flatMap(({ text: content, path, file }) => (
      valuesIn(content).filter(isFields).flatMap((value) => Object.keys(value)).flatMap((key): Finding[] => {
        const flag = key.replace(/\+$/, '');
        if (agents.has(flag)) return [];
        if (servers.has(flag)) {
          return groupKind(object) === `bootstrap.cluster.x-k8s.io/${template}` && isAgentFile(object) ? [{
            path, message: `${file} has ${key}, which servers alone have: agents skip it`, fix: 'write it into the configuration of the control plane',
          }] : [];
        }
        const near = nearestName(flag, [...agents, ...servers], SLIP);
        return near === undefined ? [] : [{ path, message: `${file} has ${key}, which ${name} skips`, fix: `did you mean ${near}?` }];
      }))),
  }];
}

/** False if the template has a part for servers, too. */
function isAgentFile(object: object): boolean {
  return !JSON.stringify(object).includes('"serverConfig"');
}
