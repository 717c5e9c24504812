import { controlPlaneExample, namedControlPlane, tenantControlPlane } from './examples';
import {
  KAMAJI_CONTROL_PLANE, placeOf, PROVIDER_KINDS, PROVIDER_RECONCILER, serviceTypeOf, TENANT_CONTROL_PLANE, TENANT_CRD,
  WEBHOOKS,
} from './kamaji-objects';
import { ManifestObject, nameOf } from '../../../objects/manifest-object';
import { KUBERNETES_REGISTRY } from '../../../rules/image-facts';
import { ManifestRule } from '../../../rules/manifest-rule';
import { checkCidr, isReadableCidr } from '../../../values/cidr';
import { checkCertificateName, checkDns1035Label, checkDnsSubdomain, checkWildcardDnsSubdomain, DNS_LABEL_MAX_LENGTH } from '../../../values/dns';
import { FieldPath, isSet, listAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { checkIp, parseIp } from '../../../values/ip-address';
import { nameFix } from '../../../values/object-name';
import { parseSemanticVersion } from '../../../values/semantic-version';
import { isMissingTag } from '../images';

const NAME_SOURCE = `${WEBHOOKS}/tcp_name.go`;
const VERSION_SOURCE = `${WEBHOOKS}/tcp_version.go`;

const NAMED_KUBERNETES = `  kubernetes:
    version: v1.35.4
    kubelet: {cgroupfs: systemd}
  networkProfile: {}
`;

const tenantName: ManifestRule = {
  id: 'TC-ADMIT-TCP-NAME',
  title: 'The name of a TenantControlPlane must be a DNS label that starts with a letter, like that of its Service.',
  source: NAME_SOURCE,
  kinds: [TENANT_CONTROL_PLANE],
  example: { failing: tenantControlPlane(NAMED_KUBERNETES, { name: '1acme' }), corrected: tenantControlPlane(NAMED_KUBERNETES) },
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
  example: { failing: tenantControlPlane(NAMED_KUBERNETES.replace('v1.35.4', 'v1.35')), corrected: tenantControlPlane(NAMED_KUBERNETES) },
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

const tenantTag: ManifestRule = {
  id: 'TC-TRAP-TCP-VERSION-TAG',
  title: 'The Kubernetes version of a TenantControlPlane must start with "v", unless its images come from another registry: Kamaji takes it for their tag.',
  source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_registrysettings_funcs.go; kubernetes.io/releases/download (container images)',
  kinds: [TENANT_CONTROL_PLANE],
  trap: true,
  example: { failing: tenantControlPlane(NAMED_KUBERNETES.replace('v1.35.4', '1.35.4')), corrected: tenantControlPlane(NAMED_KUBERNETES) },
  check: (object) => {
    const path = ['spec', 'kubernetes', 'version'];
    const given = stringAt(object, ...path);
    const registry = stringAt(object, 'spec', 'controlPlane', 'deployment', 'registrySettings', 'registry') ?? KUBERNETES_REGISTRY;
    return given === undefined || !parseSemanticVersion(given) || !isMissingTag(registry, given) ? [] : [{
      path, message: `there is no image ${registry}/kube-apiserver:${given}, so that no pod of the control plane starts`, fix: `write "v${given}"`,
    }];
  },
};

/** Names and versions. */
export const IDENTITY: readonly ManifestRule[] = [tenantName, name, tenantVersion, version, tenantTag];

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

const LOAD_BALANCER = 'LoadBalancer';
const PROFILE = ['spec', 'networkProfile'];
const KUBERNETES = '  kubernetes:\n    version: v1.35.4\n    kubelet: {cgroupfs: systemd}\n';

const loadBalancer: ManifestRule = {
  id: 'TC-ADMIT-TCP-LOAD-BALANCER',
  title: 'Source ranges, a load balancer class and allocation of node ports of a TenantControlPlane require a Service of the type LoadBalancer.',
  source: `${TENANT_CRD} (x-kubernetes-validations)`,
  kinds: [TENANT_CONTROL_PLANE],
  example: {
    failing: tenantControlPlane(`${KUBERNETES}  networkProfile:\n    loadBalancerClass: example.com/internal\n`, { serviceType: 'ClusterIP' }),
    corrected: tenantControlPlane(`${KUBERNETES}  networkProfile:\n    loadBalancerClass: example.com/internal\n`),
  },
  check: (object) => {
    if (serviceTypeOf(object) === LOAD_BALANCER) return [];
    const choice = ['spec', 'controlPlane', 'service', 'allocateLoadBalancerNodePorts'];
    return [
      ...(listAt(object, ...PROFILE, 'loadBalancerSourceRanges').length > 0 ? [[...PROFILE, 'loadBalancerSourceRanges']] : []),
      ...(isSet(object, ...PROFILE, 'loadBalancerClass') ? [[...PROFILE, 'loadBalancerClass']] : []),
      ...(isSet(object, ...choice) ? [choice] : []),
    ].map((path) => ({
      path, message: `the Service has the type ${serviceTypeOf(object)}, and this is for load balancers only`, fix: 'remove it, or set serviceType to LoadBalancer',
    }));
  },
};

const ingressAndGateway: ManifestRule = {
  id: 'TC-ADMIT-TCP-INGRESS-AND-GATEWAY',
  title: 'A TenantControlPlane must not have both an Ingress and a Gateway.',
  source: `${TENANT_CRD} (x-kubernetes-validations)`,
  kinds: [TENANT_CONTROL_PLANE],
  example: {
    failing: tenantControlPlane(`    ingress: {hostname: acme.example.com}\n    gateway: {hostname: acme.example.com, parentRefs: [{name: tenants, namespace: gateways}]}\n${KUBERNETES}  networkProfile: {}\n`),
    corrected: tenantControlPlane(`    gateway: {hostname: acme.example.com, parentRefs: [{name: tenants, namespace: gateways}]}\n${KUBERNETES}  networkProfile: {}\n`),
  },
  check: (object) => (isSet(object, 'spec', 'controlPlane', 'ingress') && isSet(object, 'spec', 'controlPlane', 'gateway') ? [{
    path: ['spec', 'controlPlane', 'ingress'], message: 'the control plane has an Ingress and a Gateway', fix: 'remove one of them',
  }] : []),
};

const network: ManifestRule = {
  id: 'TC-ADMIT-TCP-NETWORK',
  title: 'Addresses and ranges of a TenantControlPlane must be IP addresses and CIDR blocks.',
  source: `${TENANT_CRD} (x-kubernetes-validations)`,
  kinds: [TENANT_CONTROL_PLANE],
  example: {
    failing: tenantControlPlane(`${KUBERNETES}  networkProfile:\n    podCidrs: [10.244.0.0]\n`),
    corrected: tenantControlPlane(`${KUBERNETES}  networkProfile:\n    podCidrs: [10.244.0.0/16]\n`),
  },
  check: checkNetwork,
};

const profile: ManifestRule = {
  id: 'TC-TRAP-TCP-NETWORK-PROFILE',
  title: 'A TenantControlPlane must have a networkProfile, which may be empty: without it, later changes of the object are refused.',
  source: `${TENANT_CRD} (x-kubernetes-validations)`,
  kinds: [TENANT_CONTROL_PLANE],
  trap: true,
  example: { failing: tenantControlPlane(KUBERNETES), corrected: tenantControlPlane(`${KUBERNETES}  networkProfile: {}\n`) },
  check: (object) => (isSet(object, 'spec', 'controlPlane') && !isSet(object, ...PROFILE) ? [{
    path: PROFILE, message: 'there is no networkProfile, and the server will take no change of the object', fix: 'write networkProfile, {} at least',
  }] : []),
};

const tenantCertificateName: ManifestRule = {
  id: 'TC-ADMIT-TCP-CERTIFICATE-NAME',
  title: 'Names in the certificate of a TenantControlPlane must be IP addresses, DNS names or wildcard DNS names, without a port.',
  source: `${WEBHOOKS}/tcp_certsans.go`,
  kinds: [TENANT_CONTROL_PLANE],
  example: {
    failing: tenantControlPlane(`${KUBERNETES}  networkProfile:\n    certSANs: [https://api.example.com]\n`),
    corrected: tenantControlPlane(`${KUBERNETES}  networkProfile:\n    certSANs: [api.example.com]\n`),
  },
  check: (object) => checkCertificateNames(object, isCertificateName),
};

const certificateName: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-CERTIFICATE-NAME',
  title: 'Names in the certificate of the API server must be IP addresses, DNS names or wildcard DNS names, without a port: the provider and Kamaji refuse others only while reconciling.',
  source: `${PROVIDER_RECONCILER}, ${WEBHOOKS}/tcp_certsans.go`,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: controlPlaneExample('  network:\n    certSANs: ["api.example.com:6443"]\n', '  network:\n    certSANs: [api.example.com]\n'),
  // An address such as 10.0.0.256 is a DNS name to Kamaji, and no client calls it.
  check: (object) => checkCertificateNames(object, (text) => checkCertificateName(text) === undefined),
};

/** TenantControlPlanes, and what they have in common with KamajiControlPlanes. */
export const TENANT_CONTROL_PLANES: readonly ManifestRule[] = [
  loadBalancer, ingressAndGateway, network, profile, tenantCertificateName, certificateName,
];

function checkNetwork(object: ManifestObject): readonly Finding[] {
  const address = stringAt(object, ...PROFILE, 'advertiseAddress');
  const single = ['podCidr', 'serviceCidr'].flatMap((field) => {
    const text = stringAt(object, ...PROFILE, field);
    return text === undefined ? [] : [{ text, path: [...PROFILE, field] }];
  });
  const listed = ['podCidrs', 'serviceCidrs', 'loadBalancerSourceRanges'].flatMap((field) => (
    stringsAt(object, ...PROFILE, field).map(([text, position]) => ({ text, path: [...PROFILE, field, position] }))
  ));
  return [
    ...(address === undefined || parseIp(address) ? [] : [{
      path: [...PROFILE, 'advertiseAddress'], message: checkIp(address)!, fix: 'give the address itself; names belong into certSANs',
    }]),
    ...[...single, ...listed].filter(({ text }) => !isReadableCidr(text)).map(({ text, path }) => ({
      path, message: text === '' ? 'the block is empty' : checkCidr(text) ?? `${JSON.stringify(text)} is not a block of IP addresses`, fix: 'write the block with its prefix length',
    })),
  ];
}

function checkCertificateNames(object: ManifestObject, isAccepted: (text: string) => boolean): readonly Finding[] {
  const list = placeOf(object, 'network', 'certSANs');
  return stringsAt(object, ...list).filter(([text]) => !isAccepted(text)).map(([text, position]) => ({
    path: [...list, position],
    message: checkCertificateName(text)!,
    fix: 'write the host alone, as clients will call it',
  }));
}

/** True if kubeadm's `ValidateCertSANs` accepts the name. It accepts names that no user would write. */
function isCertificateName(text: string): boolean {
  return parseIp(text) !== undefined || checkDnsSubdomain(text) === undefined || checkWildcardDnsSubdomain(text) === undefined;
}
