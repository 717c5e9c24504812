import { FeatureSetup, setupScript } from './bootstrap-file';

/** Stands for the address of the machine in kubeadm's configuration, which is the same for all machines of a pool. */
export const NODE_ADDRESS = 'NODE_ADDRESS';

/**
 * Writes the machine's own address into kubeadm's configuration, for API server, etcd and kubelet. A machine that does not find the address
 * does not join: kubeadm would take the address of the default route.
 *
 * Cluster API writes the configuration before the commands run (kubernetes-sigs/cluster-api
 * bootstrap/kubeadm/pkg/cloudinit/{controlplane_init,controlplane_join,node}.go).
 *
 * @param template Jinja template of the address
 */
export function nodeAddressSetup(template: string | undefined): FeatureSetup {
  return template === undefined ? { files: [], commands: [] } : setupScript('node-address', script(template));
}

/** cloud-init renders the template when it writes the file. */
function script(template: string): string {
  return `#!/bin/sh
# Writes the address at which other machines reach this one into kubeadm's configuration.
set -eu

address='${template}'

fail() {
  echo "node address: $1" >&2
  exit 1
}

case "$address" in
  '' | *[!0-9.]*) fail "'$address' is not the IPv4 address of one network interface" ;;
esac

# API server and etcd cannot listen at an address before an interface has it.
attempts=0
until ip -4 -oneline address show | grep -qF " $address/"; do
  attempts=$((attempts + 1))
  [ "$attempts" -lt 30 ] || fail "no network interface has the address $address"
  sleep 10
done

for config in /run/kubeadm/kubeadm.yaml /run/kubeadm/kubeadm-join-config.yaml; do
  if [ -e "$config" ]; then
    sed -i "s/${NODE_ADDRESS}/$address/g" "$config"
  fi
done
`;
}
