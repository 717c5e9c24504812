import { cluster, controlPlane, namedControlPlane, tenantControlPlane } from './examples';
import { controlPlaneFields, KAMAJI_CONTROL_PLANE, PROVIDER_KINDS, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { PROVIDER_RECONCILER, TENANT_CRD, WEBHOOKS } from './sources';
import { groupKind } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { clusterOf } from '../../../rules/references/object-references';
import { Cidr } from '../../../values/cidr';
import { FieldPath, isSet, listAt, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import { checkIp, parseIp } from '../../../values/ip-address';

const DEFAULT_SERVICE_CIDR = '10.96.0.0/16';
const MOST_ADDRESSES = 8;

const addresses: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DNS-SERVICE-IP',
  title: 'The addresses of the DNS service, at most 8, must lie in a service CIDR of the cluster: Kamaji refuses others only while reconciling.',
  source: `${WEBHOOKS}/tcp_dns.go, ${TENANT_CRD}`,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: {
    failing: namedControlPlane('') + cluster('    services:\n      cidrBlocks: [10.95.0.0/16]\n'),
    corrected: namedControlPlane('').replace('10.96.0.10', '10.95.0.10') + cluster('    services:\n      cidrBlocks: [10.95.0.0/16]\n'),
  },
  check: (object, index) => {
    const { fields, path } = controlPlaneFields(object);
    const list = dnsList(fields);
    const owner = groupKind(object) === KAMAJI_CONTROL_PLANE ? clusterOf(object, index) : undefined;
    const count = listAt(fields, ...list).length;
    return allOf(
      outside(stringsAt(fields, ...list), [...path, ...list], owner && rangesOf(stringsAt(owner, 'spec', 'clusterNetwork', 'services', 'cidrBlocks'))),
      count <= MOST_ADDRESSES ? [] : [{
        path: [...path, ...list], message: `${count} addresses are more than Kamaji takes`, accepted: `at most ${MOST_ADDRESSES}`, fix: 'keep one for each address family',
      }],
    );
  },
};

const missing: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DNS-MISSING',
  title: 'A KamajiControlPlane must have the address of the DNS service: the provider clears the address that Kamaji chose, and joining kubelets then have none.',
  source: PROVIDER_RECONCILER,
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: {
    failing: controlPlane('  addons:\n    coreDNS: {}\n  network:\n    dnsServiceIPs: [10.96.0.10]\n'),
    corrected: namedControlPlane(''),
  },
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const list = dnsList(fields);
    const [other] = ['network', 'addons'].filter((part) => part !== list[0]);
    return listAt(fields, ...list).length > 0 ? [] : [{
      path: [...path, ...list],
      message: other === 'network' && listAt(fields, 'network', 'dnsServiceIPs').length > 0
        ? 'addons.coreDNS has no addresses, and those of network.dnsServiceIPs do not count beside it'
        : 'nodes are not told the address of the DNS service',
      fix: 'write the tenth address of the range of Services of the cluster: that of 10.96.0.0/16 is 10.96.0.10',
    }];
  },
};

const tenantAddresses: ManifestRule = {
  id: 'TC-ADMIT-TCP-DNS-SERVICE-IP',
  title: 'The addresses of the DNS service of a TenantControlPlane must lie in its service CIDRs.',
  source: `${WEBHOOKS}/tcp_dns.go`,
  kinds: [TENANT_CONTROL_PLANE],
  example: {
    failing: tenantControlPlane('  kubernetes:\n    version: v1.35.4\n    kubelet: {}\n  networkProfile:\n    dnsServiceIPs: [10.95.0.10]\n'),
    corrected: tenantControlPlane('  kubernetes:\n    version: v1.35.4\n    kubelet: {}\n  networkProfile:\n    dnsServiceIPs: [10.96.0.10]\n'),
  },
  check: (object) => {
    const path = ['spec', 'networkProfile', 'dnsServiceIPs'];
    const plural = stringsAt(object, 'spec', 'networkProfile', 'serviceCidrs');
    const singular = stringAt(object, 'spec', 'networkProfile', 'serviceCidr');
    return outside(stringsAt(object, ...path), path, rangesOf(plural.length > 0 || singular === undefined ? plural : [[singular, 0]]));
  },
};

/** Addresses of the DNS service. */
export const DNS: readonly ManifestRule[] = [addresses, missing, tenantAddresses];

/** The list that counts: the addon's replaces the network's, even where it is empty. */
function dnsList(fields: unknown): string[] {
  return isSet(fields, 'addons', 'coreDNS') ? ['addons', 'coreDNS', 'dnsServiceIPs'] : ['network', 'dnsServiceIPs'];
}

/** The ranges of Services; undefined where one of them cannot be read, which others report. */
function rangesOf(texts: readonly (readonly [string, number])[]): Cidr[] | undefined {
  const ranges = (texts.length > 0 ? texts.map(([text]) => text) : [DEFAULT_SERVICE_CIDR]).map((text) => Cidr.parse(text));
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

function outside(texts: readonly (readonly [string, number])[], path: FieldPath, ranges: readonly Cidr[] | undefined): Finding[] {
  return texts.flatMap(([text, position]) => {
    if (!parseIp(text)) return [{ path: [...path, position], message: checkIp(text)!, fix: 'write an address of the range of Services' }];
    return !ranges || ranges.some((range) => range.contains(text)) ? [] : [{
      path: [...path, position],
      message: `"${text}" is not in the range of Services, ${ranges.join(', ')}`,
      fix: `write ${ranges.map((range) => range.nth(10)).join(' or ')}, the tenth address of the range`,
    }];
  });
}
