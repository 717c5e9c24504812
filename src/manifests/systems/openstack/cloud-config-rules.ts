import { CLOUD_CONFIG_HOLDERS, cloudConfigs } from '../../rules/cloud-configs';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { FieldPath } from '../../values/fields';
import { Finding } from '../../values/finding';
import { GcfgVariable } from '../../values/gcfg';
import { parseGoDuration } from '../../values/go-duration';
import { nearestName } from '../../values/nearest-name';

type Type = 'string' | 'bool' | 'int' | 'duration';

const words = (text: string, type: Type): [string, Type][] => text.split(' ').map((name) => [name, type]);

const NETWORKS = 'floating-network-id floating-subnet-id floating-subnet floating-subnet-tags network-id subnet-id member-subnet-id';

/** Variables of each section, in lower case, with their types. */
const SECTIONS: Readonly<Record<string, ReadonlyMap<string, Type>>> = {
  global: new Map([
    ...words('auth-url user-id username password tenant-id tenant-name trust-id trustee-id trustee-password domain-id domain-name tenant-domain-id '
      + 'tenant-domain-name user-domain-id user-domain-name region os-endpoint-type ca-file tls-insecure token cert-file key-file clouds-file cloud '
      + 'application-credential-id application-credential-name application-credential-secret', 'string'),
    ...words('use-clouds', 'bool'),
  ]),
  loadbalancer: new Map([
    ...words(`lb-version ${NETWORKS} lb-method lb-provider node-selector flavor-id availability-zone ingress-hostname-suffix container-store `
      + 'default-tls-container-ref', 'string'),
    ...words('enabled create-monitor manage-security-groups internal-lb cascade-delete enable-ingress-hostname provider-requires-serial-api-calls', 'bool'),
    ...words('monitor-max-retries monitor-max-retries-down max-shared-lb', 'int'),
    ...words('monitor-delay monitor-timeout', 'duration'),
  ]),
  loadbalancerclass: new Map(words(NETWORKS, 'string')),
  route: new Map(words('router-id', 'string')),
  metadata: new Map([...words('search-order', 'string'), ...words('request-timeout', 'duration')]),
  networking: new Map([...words('public-network-name internal-network-name address-sort-order', 'string'), ...words('ipv6-support-disabled', 'bool')]),
  blockstorage: new Map([...words('node-volume-attach-limit', 'int'), ...words('rescan-on-resize ignore-volume-az ignore-volume-microversion', 'bool')]),
};

const ACCEPTED: Readonly<Record<Type, string>> = { string: 'a string', bool: 'true, false', int: 'whole numbers', duration: 'numbers with the units h, m, s, ms, such as "5s"' };
const BOOL = /^(?:true|yes|on|1|false|no|off|0)$/i;
const INT = /^\s*(?:\d+|0x[0-9a-f]+)\s*$/i;

/** Variables of which one at least is in a file for OpenStack, and in no other. */
const OWN: readonly string[] = ['auth-url', 'use-clouds', 'application-credential-id', 'application-credential-name', 'os-endpoint-type', 'tenant-id', 'tenant-name'];

const VARIABLES: ManifestRule = {
  id: 'TC-TRAP-OPENSTACK-CLOUD-CONFIG',
  title: 'Variables in the configuration of OpenStack\'s cloud controller manager and CSI driver must be ones that they read, with values of their type: they ignore others, and end at such values.',
  source: 'kubernetes/cloud-provider-openstack v1.36.0 pkg/openstack/openstack.go, pkg/client/client.go, pkg/csi/cinder/openstack/openstack.go, pkg/util/metadata/metadata.go, '
    + 'go-gcfg/gcfg set.go',
  trap: true,
  kinds: CLOUD_CONFIG_HOLDERS,
  example: replaced(`apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
stringData:
  cloud.conf: |
    [Global]
    auth-url=https://identity.example.com/v3
    use-clouds=false
    [LoadBalancer]
    floating-network-id=80c9fc78-a2be-45d5-a85b-f17a6c98df92
    create-monitor=true
`, 'floating-network-id', 'floating-networkid'),
  check: (object) => cloudConfigs(object).filter(({ file }) => file.variables.some(({ name }) => OWN.includes(name)))
    .flatMap(({ path, file }) => file.variables.flatMap((variable) => variableFindings(variable, path))),
};

function variableFindings({ section, name, value, line }: GcfgVariable, path: FieldPath): Finding[] {
  const known = Object.hasOwn(SECTIONS, section.toLowerCase()) ? SECTIONS[section.toLowerCase()] : undefined;
  if (!known) return [];
  const type = known.get(name);
  if (type === undefined) {
    // Other releases have further variables.
    const near = nearestName(name, known.keys(), SLIP);
    return near === undefined ? [] : [{ path, message: `line ${line} has the variable ${name} in ${section}, which is ignored`, fix: `did you mean ${near}?` }];
  }
  // Values may be secret, and are never shown.
  return value === undefined || isOf(type, value) ? [] : [{
    path, message: `line ${line} has a value of ${name} that is of another type, at which the program ends`, accepted: ACCEPTED[type], fix: 'correct the value',
  }];
}

/** So many characters differ in a misspelt variable at most. */
const SLIP = 2;

function isOf(type: Type, value: string): boolean {
  if (type === 'string' || /\{\{|\$\{|<%/.test(value)) return true;
  if (type === 'duration') return parseGoDuration(value) !== undefined;
  return (type === 'bool' ? BOOL : INT).test(value);
}

/** Rules over configurations of OpenStack's programs. */
export const CLOUD_CONFIG_RULES: readonly ManifestRule[] = [VARIABLES];
