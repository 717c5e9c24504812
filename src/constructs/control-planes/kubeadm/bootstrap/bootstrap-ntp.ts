import { KUBEADM_RULES } from './rules';
import { checkHost } from '../../../../manifests/values/dns';
import { Problem } from '../../../../manifests/values/problem';
import { BootstrapNtp } from '../../../contracts/company-network/node-network';

/** The time service as `KubeadmConfigTemplate` has it. */
export function templateNtp(ntp: BootstrapNtp): { enabled: boolean; servers?: string[] } {
  return { enabled: ntp.enabled ?? true, ...(ntp.servers?.length && { servers: ntp.servers }) };
}

/** Checks the time service. */
export function checkNtp(ntp: BootstrapNtp, property: string): Problem[] {
  const servers = ntp.servers ?? [];
  const at = { rule: KUBEADM_RULES.ntpServers, accepted: 'host names and IP addresses' };
  if (servers.length === 0 && ntp.enabled !== false) {
    return [{ ...at, property: `${property}.servers`, message: 'no time server is named', fix: 'name at least one, or leave ntp out to keep the image\'s' }];
  }
  return servers.flatMap((server, index) => {
    const message = checkHost(server);
    return message === undefined ? [] : [{ ...at, property: `${property}.servers[${index}]`, message, fix: 'write a host name or an address without a port' }];
  });
}
