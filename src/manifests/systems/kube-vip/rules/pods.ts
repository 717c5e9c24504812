import { ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { podOf } from '../../../rules/pod-objects';
import { Program } from '../../../rules/programs';
import { fieldAt, FieldPath, listAt, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { acceptedValues, isVariable, variableNames } from '../environment';
import { isComplete, isOn, kubeVipsOf, settingOf } from '../kube-vip-programs';

const KINDS: readonly string[] = ['/Pod', 'apps/DaemonSet'];

/** Placeholders of templates, and words such as `control_plane_endpoint_port`, which a command of the machine replaces. */
const TEMPLATE = /\{\{|\{%|\$\{|\$\(|^[A-Za-z]+(?:_[A-Za-z]+)+$/;

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: kube-vip
  namespace: kube-system
spec:
  hostNetwork: true
  containers:
    - name: kube-vip
      image: ghcr.io/kube-vip/kube-vip:v1.2.3
      args: [manager]
      env:
        - name: vip_arp
          value: "true"
        - name: cp_enable
          value: "true"
        - name: vip_leaderelection
          value: "true"
        - name: address
          value: 192.0.2.10
      securityContext:
        capabilities:
          add: [NET_ADMIN, NET_RAW]
`;

const VARIABLE: ManifestRule = {
  id: 'TC-TRAP-KUBE-VIP-VARIABLE',
  title: 'Variables of kube-vip must be ones that it reads, with values of their type: it ignores other names, and exits on other values.',
  source: 'kube-vip/kube-vip v1.2.3 pkg/kubevip/config_envvar.go, config_environment.go',
  kinds: KINDS,
  trap: true,
  example: replaced(POD, 'name: vip_leaderelection', 'name: vip_leader_election'),
  check: (object) => kubeVipsOf(object).flatMap(({ container, path }) => objectsAt(container, 'env').flatMap(([variable, index]): Finding[] => {
    const [name, value] = [stringAt(variable, 'name'), stringAt(variable, 'value')];
    if (name === undefined) return [];
    const at = [...path, 'env', index];
    if (!isVariable(name)) {
      const near = nearestName(name, variableNames(), 3);
      return near === undefined ? [] : [{ path: [...at, 'name'], message: `kube-vip reads no variable ${JSON.stringify(name)}`, fix: `did you mean ${near}?` }];
    }
    const accepted = value === undefined || TEMPLATE.test(value) ? undefined : acceptedValues(name, value);
    return accepted === undefined ? [] : [{ path: [...at, 'value'], message: `kube-vip exits on ${JSON.stringify(value)}`, accepted, fix: 'correct the value' }];
  })),
};

/** Ways in which kube-vip makes an address known; without one it exits. */
const MODES: readonly string[] = ['vip_arp', 'bgp_enable', 'vip_routingtable', 'vip_wireguard'];
const FEATURES: readonly string[] = ['cp_enable', 'svc_enable'];

const MODE: ManifestRule = {
  id: 'TC-TRAP-KUBE-VIP-MODE',
  title: 'kube-vip must have something to do (cp_enable or svc_enable), and a way to do it (ARP, BGP, routing table or WireGuard): it exits otherwise.',
  source: 'kube-vip/kube-vip v1.2.3 cmd/kube-vip.go:405, pkg/manager/manager.go:180-204',
  kinds: KINDS,
  trap: true,
  example: replaced(POD, '        - name: vip_arp\n          value: "true"\n', ''),
  check: (object) => kubeVipsOf(object).filter(isComplete).filter(isManager).flatMap((program) => {
    const path = [...program.path, 'env'];
    return [
      ...(FEATURES.some((name) => mayBeOn(program, name)) ? [] : [missing(path, 'neither cp_enable nor svc_enable is on', 'write cp_enable or svc_enable with "true"')]),
      ...(MODES.some((name) => mayBeOn(program, name)) ? [] : [missing(path, `none of ${MODES.join(', ')} is on`, 'write vip_arp with "true", or another one')]),
    ];
  }),
};

/** True but for the command `start` of releases before 0.4, which serves the address of the control plane without being told to (v0.3.7 cmd/kube-vip-start.go). */
function isManager({ container }: Program): boolean {
  return !listAt(container, 'args').includes('start');
}

function mayBeOn(program: Program, name: string): boolean {
  return isOn(program, name) || TEMPLATE.test(settingOf(program, name) ?? '');
}

function missing(path: FieldPath, message: string, fix: string): Finding {
  return { path, message: `${message}, and kube-vip exits`, fix };
}

const ACCESS: ManifestRule = {
  id: 'TC-TRAP-KUBE-VIP-HOST-NETWORK',
  title: 'kube-vip must be in the network of its host: an address in the network of its pod cannot be reached.',
  source: 'kube-vip/kube-vip v1.2.3 pkg/kubevip/config_generator.go',
  kinds: KINDS,
  trap: true,
  example: replaced(POD, '  hostNetwork: true\n', ''),
  check: (object) => (kubeVipsOf(object).some((program) => isOn(program, 'vip_arp') || isOn(program, 'bgp_enable')) ? checkNetwork(object) : []),
};

function checkNetwork(object: ManifestObject): Finding[] {
  const pod = podOf(object);
  return !pod || fieldAt(pod.spec, 'hostNetwork') === true ? [] : [{
    path: [...pod.specPath, 'hostNetwork'], message: 'kube-vip gives the address to the network of its own pod', accepted: 'true', fix: 'write hostNetwork: true',
  }];
}

const LEASE: ManifestRule = {
  id: 'TC-TRAP-KUBE-VIP-LEASE',
  title: 'A lease of kube-vip must last longer than its renewal may take, and that longer than 1.2 times the pause between tries: kube-vip exits otherwise.',
  source: 'kubernetes/client-go tools/leaderelection/leaderelection.go (NewLeaderElector)',
  kinds: KINDS,
  trap: true,
  example: replaced(
    POD.replace('      securityContext', '        - name: vip_leaseduration\n          value: "15"\n        - name: vip_renewdeadline\n          value: "10"\n      securityContext'),
    'value: "15"', 'value: "5"',
  ),
  check: (object) => kubeVipsOf(object).filter((program) => isOn(program, 'vip_leaderelection')).flatMap((program): Finding[] => {
    const [lease, renewal, pause] = LEASE_SETTINGS.map((name) => Number(settingOf(program, name) ?? NaN));
    const path = [...program.path, 'env'];
    return [
      ...(lease <= renewal ? [{ path, message: `vip_leaseduration is ${lease} s, and vip_renewdeadline ${renewal} s: kube-vip exits`, fix: 'make the lease longer' }] : []),
      ...(renewal <= pause * 1.2 ? [{ path, message: `vip_renewdeadline is ${renewal} s, and vip_retryperiod ${pause} s: kube-vip exits`, fix: 'make the pause shorter' }] : []),
    ];
  }),
};

const LEASE_SETTINGS: readonly string[] = ['vip_leaseduration', 'vip_renewdeadline', 'vip_retryperiod'];

/** Rules for pods of kube-vip, static ones among them. */
export const POD_RULES: readonly ManifestRule[] = [VARIABLE, MODE, ACCESS, LEASE];
