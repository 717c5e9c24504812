import { Problem, Rule } from '../../../manifests/values/problem';
import { HostFile } from '../host-file';

/** The configuration of open-vm-tools. */
const TOOLS_CONFIG = '/etc/vmware-tools/tools.conf';

/** The script that sets the interfaces in it. */
export const GUEST_TOOLS_SCRIPT = '/usr/local/sbin/cdk8s-cluster-api-guest-tools';

/** The interfaces of a machine at Nifcloud that runs Ubuntu: the global network, and a private one. */
const OWN = ['ens160', 'ens192'];

/**
 * Names of interfaces that container runtimes and pod networks create, besides those that the guest tools hide by default
 * (vmware/open-vm-tools open-vm-tools/tools.conf).
 */
const HIDDEN = ['antrea-*', 'cali*', 'cilium*', 'cni*', 'docker*', 'flannel*', 'kube-*', 'lxc*', 'nodelocaldns*', 'tunl*', 'veth*', 'virbr*', 'vxlan*'];

// The names of dev_valid_name without the special characters of tools.conf; patterns may also have wildcards.
const NAME = /^[A-Za-z0-9._-]{1,15}$/;
const PATTERN = /^[A-Za-z0-9._*?-]{1,15}$/;

/** The network interfaces that the guest tools of a machine report to Nifcloud, the source of the machine's addresses. */
export interface NifcloudNetworkInterfaces {
  /**
   * The machine's own interfaces, the one with the public address first (`TC-NIFCLOUD-NICS`).
   *
   * @default ['ens160', 'ens192']
   */
  readonly own?: string[];

  /**
   * Interfaces that are not reported, with the wildcards `*` and `?` (`TC-NIFCLOUD-NICS`).
   *
   * @default - what container runtimes and pod networks make: docker*, veth*, cali*, cilium*, lxc*, cni*, flannel*, vxlan*, …
   */
  readonly hidden?: string[];
}

function resolve({ own = OWN, hidden = HIDDEN }: NifcloudNetworkInterfaces) {
  return { own, hidden };
}

/** Sets the interfaces in the configuration of open-vm-tools, which notices a change by itself; all other settings of the image stay. */
export function guestToolsScript(interfaces: NifcloudNetworkInterfaces): HostFile {
  const { own, hidden } = resolve(interfaces);
  return { path: GUEST_TOOLS_SCRIPT, permissions: '0755', content: script(own.join(','), hidden.join(',')) };
}

/** The script replaces the file in one step, because the tools may read it at any time. */
function script(primary: string, exclude: string): string {
  return `#!/bin/sh
# Sets the network interfaces that open-vm-tools reports; running it again changes nothing.
set -eu
file=${TOOLS_CONFIG}
[ -e "$file" ] || install -D -m 0644 /dev/null "$file"
cp -p "$file" "$file.new"
awk -v primary='${primary}' -v exclude='${exclude}' '
  function interfaces() { print "primary-nics=" primary; print "exclude-nics=" exclude; written = 1 }
  /^[ \\t]*\\[/ {
    inside = /^[ \\t]*\\[guestinfo\\]/
    print
    if (inside && !written) interfaces()
    next
  }
  inside && /^[ \\t]*(primary-nics|exclude-nics)[ \\t]*=/ { next }
  { print }
  END { if (!written) { print "[guestinfo]"; interfaces() } }
' "$file" > "$file.new"
if cmp -s "$file" "$file.new"; then rm "$file.new"; else mv "$file.new" "$file"; fi
`;
}

const INTERFACES_RULE: Rule = {
  id: 'TC-NIFCLOUD-NICS',
  title: 'The guest tools must report the host\'s own interfaces: their names must be plain, and no hidden pattern may match them.',
  source: 'vmware/open-vm-tools open-vm-tools/tools.conf ([guestinfo])',
};

/** Checks the interfaces. */
export function checkInterfaces(interfaces: NifcloudNetworkInterfaces): Problem[] {
  const { own, hidden } = resolve(interfaces);
  const rule = INTERFACES_RULE;
  return [
    ...(own.length > 0 ? [] : [{ rule, property: 'platform.networkInterfaces.own', message: 'the list is empty', fix: 'name the machine\'s interfaces, or leave the property out' }]),
    ...own.flatMap((name, index) => {
      const at = { rule, property: `platform.networkInterfaces.own[${index}]` };
      const pattern = hidden.find((one) => matches(String(one), String(name)));
      if (!NAME.test(name)) return [{ ...at, message: `${JSON.stringify(name)} is not the name of a network interface`, accepted: '1 to 15 characters such as "ens160"', fix: 'write it as "ip link" shows it' }];
      return pattern === undefined ? [] : [{ ...at, message: `"${name}" matches the hidden pattern "${pattern}", so that the node would have no address`, fix: 'remove the pattern, or narrow it' }];
    }),
    ...hidden.flatMap((pattern, index) => (PATTERN.test(pattern) ? [] : [{
      rule, property: `platform.networkInterfaces.hidden[${index}]`, message: `${JSON.stringify(pattern)} is not a pattern of network interfaces`, accepted: 'strings such as "veth*"', fix: 'write one pattern for each entry, without white space',
    }])),
  ];
}

function matches(pattern: string, name: string): boolean {
  const expression = pattern.replace(/[.\\+^${}()|[\]]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  return new RegExp(`^${expression}$`).test(name);
}
