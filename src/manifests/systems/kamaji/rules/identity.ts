import { namedControlPlane, tenantControlPlane } from './examples';
import { KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { WEBHOOKS } from './sources';
import { ManifestObject, nameOf } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { checkDns1035Label, checkDnsSubdomain, DNS_LABEL_MAX_LENGTH } from '../../../values/dns';
import { FieldPath, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nameFix } from '../../../values/object-name';
import { parseSemanticVersion } from '../../../values/semantic-version';

const NAME_SOURCE = `${WEBHOOKS}/tcp_name.go`;
const VERSION_SOURCE = `${WEBHOOKS}/tcp_version.go`;

const KUBERNETES = `  kubernetes:
    version: v1.35.4
    kubelet: {}
  networkProfile: {}
`;

const tenantName: ManifestRule = {
  id: 'TC-ADMIT-TCP-NAME',
  title: 'The name of a TenantControlPlane must be a DNS label that starts with a letter, like that of its Service.',
  source: NAME_SOURCE,
  kinds: [TENANT_CONTROL_PLANE],
  example: { failing: tenantControlPlane(KUBERNETES, { name: '1acme' }), corrected: tenantControlPlane(KUBERNETES) },
  check: checkName,
};

const name: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-NAME',
  title: 'The name of a KamajiControlPlane must be a DNS label that starts with a letter: its TenantControlPlane gets the same name.',
  source: NAME_SOURCE,
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: { failing: namedControlPlane('').replace('name: acme', 'name: acme.prod'), corrected: namedControlPlane('') },
  check: checkName,
};

const tenantVersion: ManifestRule = {
  id: 'TC-ADMIT-TCP-VERSION',
  title: 'The Kubernetes version of a TenantControlPlane must have three numbers.',
  source: VERSION_SOURCE,
  kinds: [TENANT_CONTROL_PLANE],
  example: { failing: tenantControlPlane(KUBERNETES.replace('v1.35.4', 'v1.35')), corrected: tenantControlPlane(KUBERNETES) },
  check: (object) => checkVersion(object, ['spec', 'kubernetes', 'version']),
};

const version: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-VERSION',
  title: 'The Kubernetes version of a KamajiControlPlane must have three numbers: Kamaji refuses others only while reconciling.',
  source: VERSION_SOURCE,
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: { failing: namedControlPlane('').replace('v1.35.4', 'v1.35'), corrected: namedControlPlane('') },
  check: (object) => checkVersion(object, ['spec', 'version']),
};

/** Names and versions. */
export const IDENTITY: readonly ManifestRule[] = [tenantName, name, tenantVersion, version];

function checkName(object: ManifestObject): readonly Finding[] {
  const given = nameOf(object);
  const message = given === undefined ? undefined : checkDns1035Label(given);
  // A name that no object may have is reported as such.
  return given === undefined || message === undefined || checkDnsSubdomain(given) !== undefined ? [] : [{
    path: ['metadata', 'name'], message, fix: nameFix(given, checkDns1035Label, DNS_LABEL_MAX_LENGTH),
  }];
}

function checkVersion(object: ManifestObject, path: FieldPath): readonly Finding[] {
  const given = stringAt(object, ...path.map(String));
  return given === undefined || parseSemanticVersion(given) ? [] : [{
    path,
    message: `"${given}" is not a full version`,
    accepted: 'major, minor and patch, such as "v1.35.4"',
    fix: 'write all three numbers',
  }];
}
