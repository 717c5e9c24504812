import { ManifestObject } from '../../objects/manifest-object';
import { argumentOf, Program, programsOf } from '../../rules/programs';
import { objectsAt, stringAt } from '../../values/fields';
import { parseGoBool } from '../../values/flag-values';

const NAMES: readonly string[] = ['kube-vip', 'kube-vip-iptables'];

/** Flags beside the variables that say the same (kube-vip/kube-vip cmd/kube-vip.go). */
const FLAGS: Readonly<Record<string, string>> = {
  address: 'address',
  bgp_enable: 'bgp',
  cp_enable: 'controlplane',
  k8s_config_file: 'k8sConfigPath',
  port: 'port',
  svc_enable: 'services',
  vip_address: 'vip',
  vip_arp: 'arp',
  vip_leaderelection: 'leaderElection',
  vip_routingtable: 'table',
  vip_wireguard: 'wireguard',
};

/** The kube-vips among the programs of a workload. */
export function kubeVipsOf(object: ManifestObject): Program[] {
  return programsOf(object).filter(({ name }) => NAMES.includes(name));
}

/** A setting of kube-vip: the variable counts before the flag. Undefined if it is not written, or comes from elsewhere. */
export function settingOf(program: Program, name: string): string | undefined {
  const [variable] = objectsAt(program.container, 'env').filter(([one]) => one.name === name).at(-1) ?? [];
  return stringAt(variable, 'value') ?? argumentOf(program, FLAGS[name])?.value;
}

/** True if a setting is on. */
export function isOn(program: Program, name: string): boolean {
  return parseGoBool(settingOf(program, name) ?? 'false') === true;
}

/** False if a file or an object that is not read may have further settings. */
export function isComplete(program: Program): boolean {
  const names = objectsAt(program.container, 'env').map(([variable]) => variable);
  return program.isComplete && objectsAt(program.container, 'envFrom').length === 0
    && names.every((variable) => variable.valueFrom === undefined || variable.name === 'vip_nodename')
    && !names.some(({ name }) => name === 'config_file') && argumentOf(program, 'config') === undefined;
}
