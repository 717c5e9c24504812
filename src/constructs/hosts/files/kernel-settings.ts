import { HostSetup, ownFiles } from './host-bundle';
import { IpFamily } from '../../../manifests/values/ip-address';

const MODULES = ['overlay', 'br_netfilter'];
const MODULES_FILE = '/etc/modules-load.d/kubernetes.conf';

// sysctl reads the files in alphabetical order: those of a distribution start with a number, and come first.
const SETTINGS_FILE = '/etc/sysctl.d/kubernetes.conf';

const SETTINGS: Readonly<Record<IpFamily, readonly string[]>> = {
  IPv4: ['net.bridge.bridge-nf-call-iptables', 'net.ipv4.ip_forward'],
  IPv6: ['net.bridge.bridge-nf-call-ip6tables', 'net.ipv6.conf.all.forwarding', 'net.ipv6.conf.default.forwarding'],
};

/**
 * Kernel settings of a node, applied at once and after each start: overlay file systems for images, and filtering and forwarding of pod
 * packets. kubeadm's preflight checks test the latter.
 *
 * Sources: kubernetes.io/docs/setup/production-environment/container-runtimes (network configuration),
 * kubernetes/kubernetes cmd/kubeadm/app/preflight/checks.go, freedesktop.org/software/systemd/man (modules-load.d, sysctl.d).
 *
 * @param families address families of pods and Services
 */
export function kernelSettings(families: readonly IpFamily[]): HostSetup {
  const settings = [...new Set(families)].sort().flatMap((family) => SETTINGS[family]);
  return {
    files: ownFiles('kubeadm', [
      { path: MODULES_FILE, content: MODULES.map((name) => `${name}\n`).join('') },
      { path: SETTINGS_FILE, content: settings.map((name) => `${name} = 1\n`).join('') },
    ]),
    commands: [`modprobe -a ${MODULES.join(' ')}`, `sysctl -p ${SETTINGS_FILE}`],
  };
}
