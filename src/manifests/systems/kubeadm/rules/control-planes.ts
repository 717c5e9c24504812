import {
  below, BOOTSTRAP_WEBHOOK, clusterConfigurationYaml, CONTROL_PLANE_KINDS, CONTROL_PLANE_WEBHOOK, controlPlaneSpec, kubeadmSpec,
} from './kubeadm-spec';
import { ManifestObject } from '../../../objects/manifest-object';
import { isV1beta1, KUBEADM_CONTROL_PLANE, lacksSpec } from '../../../rules/cluster-api/cluster-api-kinds';
import { controlPlaneYaml } from '../../../rules/cluster-api/example-manifests';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, isFields, isFilled, isSet, numberAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { CERTIFICATE_DAYS } from '../node-files';

const VALIDITY = ['clusterConfiguration', 'certificateValidityPeriodDays'];
const CA_VALIDITY = ['clusterConfiguration', 'caCertificateValidityPeriodDays'];

/** Longest validity of certificates that the schemas accept, in days. */
const LONGEST: ReadonlyMap<readonly string[], number> = new Map([[VALIDITY, 1095], [CA_VALIDITY, 36500]]);

const OUTLIVES: ManifestRule = {
  id: 'TC-ADMIT-KCP-CERTIFICATE',
  title: 'Certificates of a control plane must not outlive their authority.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: CONTROL_PLANE_KINDS,
  example: {
    failing: clusterConfigurationYaml('certificateValidityPeriodDays: 730\ncaCertificateValidityPeriodDays: 365'),
    corrected: clusterConfigurationYaml('certificateValidityPeriodDays: 365\ncaCertificateValidityPeriodDays: 3650'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const [own, authority] = [validityAt(spec.value, VALIDITY), validityAt(spec.value, CA_VALIDITY)];
    return own === undefined || authority === undefined || own <= authority ? [] : [{
      path: below(spec, ...VALIDITY),
      message: `certificates of ${own} days would outlive their authority, which is valid for ${authority} days`,
      accepted: `at most ${authority}`,
      fix: 'shorten it, or make the authority valid for longer',
    }];
  },
};

const BEFORE: ManifestRule = {
  id: 'TC-ADMIT-KCP-ROLLOUT-BEFORE',
  title: 'Machines of a control plane are replaced later than their certificates are made.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: CONTROL_PLANE_KINDS,
  example: { failing: expiring(90, 90), corrected: expiring(30, 90) },
  check: (object) => {
    const validity = validityAt(kubeadmSpec(object).value, VALIDITY);
    return validity === undefined ? [] : tooEarly(object, validity);
  },
};

const BEFORE_DEFAULT: ManifestRule = {
  id: 'TC-TRAP-KCP-ROLLOUT-BEFORE',
  title: 'Machines of a control plane are replaced later than their certificates are made, also where kubeadm decides how long these are valid: '
    + 'they would be replaced again and again.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go (CertificateValidityPeriod)',
  trap: true,
  kinds: CONTROL_PLANE_KINDS,
  example: {
    failing: controlPlaneYaml('rollout:\n  before:\n    certificatesExpiryDays: 365'), corrected: controlPlaneYaml('rollout:\n  before:\n    certificatesExpiryDays: 30'),
  },
  check: (object) => ((numberAt(kubeadmSpec(object).value, ...VALIDITY) ?? 0) === 0 ? tooEarly(object, CERTIFICATE_DAYS) : []),
};

/** A validity in days; undefined if it is not set, or out of the schema's bounds, which the check of fields reports. */
function validityAt(spec: unknown, path: readonly string[]): number | undefined {
  const days = numberAt(spec, ...path);
  return days === undefined || days < 1 || days > LONGEST.get(path)! ? undefined : days;
}

function expiring(before: number, validity: number): string {
  return clusterConfigurationYaml(`certificateValidityPeriodDays: ${validity}`, `rollout:\n  before:\n    certificatesExpiryDays: ${before}\n`);
}

function tooEarly(object: ManifestObject, validity: number): Finding[] {
  const spec = controlPlaneSpec(object);
  const path = [...(isV1beta1(object) ? ['rolloutBefore'] : ['rollout', 'before']), 'certificatesExpiryDays'];
  const days = numberAt(spec.value, ...path);
  return days === undefined || days < validity ? [] : [{
    path: below(spec, ...path),
    message: `certificates that are valid for ${validity} days cannot be replaced ${days} days before they expire`,
    accepted: `fewer than ${validity}`,
    fix: 'write fewer days, such as 30',
  }];
}

const DNS_TAG = ['clusterConfiguration', 'dns', 'imageTag'];
const ETCD_TAG = ['clusterConfiguration', 'etcd', 'local', 'imageTag'];
const NO_TAG = /[^-\w.]/;

// Tags of CoreDNS that Cluster API reads: versions, with "_" in place of "+".
const CORE_DNS_VERSION = /^v?(?:\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:_[0-9A-Za-z.-]+)?|\d+(?:\.\d+)?)$/;

/** Tags of the images that kubeadm runs. */
const CONTROL_PLANE_IMAGES: ManifestRule = {
  id: 'TC-ADMIT-KCP-IMAGE-TAG',
  title: 'Tags of etcd\'s and CoreDNS\'s images are tags, and the one of CoreDNS is a version.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: CONTROL_PLANE_KINDS,
  example: { failing: clusterConfigurationYaml('dns:\n  imageTag: latest'), corrected: clusterConfigurationYaml('dns:\n  imageTag: v1.12.1') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const dns = stringAt(spec.value, ...DNS_TAG);
    return [
      ...[DNS_TAG, ETCD_TAG].flatMap((path) => {
        const tag = stringAt(spec.value, ...path);
        return tag !== undefined && NO_TAG.test(tag) ? [tagFault(below(spec, ...path), tag, 'the tag of an image', '"3.5.21-0"', 'write the tag as the registry has it')] : [];
      }),
      ...(dns === undefined || NO_TAG.test(dns) || CORE_DNS_VERSION.test(dns) ? [] : [
        tagFault(below(spec, ...DNS_TAG), dns, 'a version of CoreDNS', '"v1.12.1" and "v1.12.1_build.1"', 'give the image a tag that starts with the version of CoreDNS in it'),
      ]),
    ];
  },
};

function tagFault(path: FieldPath, tag: string, what: string, examples: string, fix: string): Finding {
  return { path, message: `${JSON.stringify(tag)} is not ${what}`, accepted: `tags such as ${examples}`, fix };
}

const FEWEST_TO_SCALE_IN = 3;
const TIMEOUT = ['timeouts', 'controlPlaneComponentHealthCheckSeconds'];
const EXTERNAL = 'etcd:\n  external:\n    endpoints: [https://etcd.example.com:2379]\n    caFile: /etc/etcd/ca.crt\n    certFile: /etc/etcd/tls.crt\n    keyFile: /etc/etcd/tls.key';

const REPLICAS: ManifestRule = {
  id: 'TC-ADMIT-KCP-REPLICAS',
  title: 'A control plane must have at least one machine, and an odd number with stacked etcd.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: [KUBEADM_CONTROL_PLANE],
  example: { failing: controlPlaneYaml('replicas: 2'), corrected: controlPlaneYaml('replicas: 3') },
  check: (object) => {
    const replicas = numberAt(object, 'spec', 'replicas');
    // The schema has a bound for negative numbers.
    if (replicas === undefined || replicas < 0 || (replicas > 0 && (replicas % 2 === 1 || hasExternalEtcd(object)))) return [];
    return [{
      path: ['spec', 'replicas'],
      message: replicas > 0 ? `${replicas} members of etcd survive no more failures than ${replicas - 1} would` : `${replicas} machines are no control plane`,
      accepted: hasExternalEtcd(object) ? 'numbers from 1' : 'odd numbers from 1',
      fix: 'ask for 3, or for 1 where an outage does no harm',
    }];
  },
};

const MAX_SURGE: ManifestRule = {
  id: 'TC-ADMIT-KCP-MAX-SURGE',
  title: 'A rollout of a control plane adds one machine at a time, or none where there are at least three.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: CONTROL_PLANE_KINDS,
  example: { failing: surging(0, 1), corrected: surging(1, 1) },
  check: (object) => {
    const spec = controlPlaneSpec(object);
    const path = [isV1beta1(object) ? 'rolloutStrategy' : 'rollout', ...(isV1beta1(object) ? [] : ['strategy']), 'rollingUpdate', 'maxSurge'];
    const surge = surgeOf(fieldAt(spec.value, ...path));
    // Without a number, the webhook writes 1; a template has none.
    const given = fieldAt(object, 'spec', 'replicas');
    // The schema reports values that are no whole numbers.
    if ((isSet(given) && !Number.isInteger(given)) || (surge !== undefined && !Number.isInteger(surge))) return [];
    const replicas = object.kind === 'KubeadmControlPlane' ? numberAt(object, 'spec', 'replicas') ?? 1 : FEWEST_TO_SCALE_IN;
    const possible = replicas >= FEWEST_TO_SCALE_IN ? [0, 1] : [1];
    // A control plane without machines is an error of its own.
    return surge === undefined || possible.includes(surge) || (surge === 0 && replicas < 1) ? [] : [{
      path: below(spec, ...path),
      message: surge === 0 ? `one of ${replicas} machines cannot be taken away before there is another` : `${surge} machines cannot be added at a time`,
      accepted: possible.join(' and '),
      fix: 'leave it out',
    }];
  },
};

const INFRASTRUCTURE: ManifestRule = {
  id: 'TC-ADMIT-KCP-INFRASTRUCTURE',
  title: 'A control plane names the template of its machines with group, kind and name; in v1beta1 the schema does not ask for them.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: [KUBEADM_CONTROL_PLANE],
  example: { failing: oldControlPlane(''), corrected: oldControlPlane('      apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1\n') },
  check: (object) => {
    const path = ['spec', 'machineTemplate', 'infrastructureRef'];
    const reference = lacksSpec(object) ? {} : fieldAt(object, ...path);
    if (!isV1beta1(object) || !isFields(reference)) return [];
    const missing = ['apiVersion', 'kind', 'name'].filter((field) => {
      const text = stringAt(reference, field);
      return text === undefined || (field === 'apiVersion' && !text.includes('/'));
    });
    return missing.map((field) => ({
      path: [...path, field], message: field === 'apiVersion' ? 'it has no group' : 'it is empty', fix: 'write apiVersion with its group, kind and name of the template',
    }));
  },
};

const TIMEOUTS: ManifestRule = {
  id: 'TC-ADMIT-KCP-TIMEOUTS',
  title: 'kubeadm waits equally long for components of a control plane on the first machine and on those that join.',
  source: BOOTSTRAP_WEBHOOK,
  kinds: CONTROL_PLANE_KINDS,
  example: {
    failing: controlPlaneYaml('kubeadmConfigSpec:\n  initConfiguration:\n    timeouts:\n      controlPlaneComponentHealthCheckSeconds: 600'),
    corrected: controlPlaneYaml(['init', 'join'].reduce((text, name) => (
      `${text}\n  ${name}Configuration:\n    timeouts:\n      controlPlaneComponentHealthCheckSeconds: 600`
    ), 'kubeadmConfigSpec:')),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const [init, join] = ['initConfiguration', 'joinConfiguration'].map((part) => fieldAt(spec.value, part, ...TIMEOUT) ?? 'nothing');
    return isV1beta1(object) || init === join ? [] : [{
      path: below(spec, init === 'nothing' ? 'initConfiguration' : 'joinConfiguration', ...TIMEOUT),
      message: `initConfiguration says ${JSON.stringify(init)}, and joinConfiguration ${JSON.stringify(join)}`,
      fix: 'write the same seconds into both, or into none',
    }];
  },
};

const ETCD: ManifestRule = {
  id: 'TC-ADMIT-KCP-ETCD',
  title: 'A control plane must have either a local or an external etcd.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: CONTROL_PLANE_KINDS,
  example: { failing: clusterConfigurationYaml(`${EXTERNAL}\n  local:\n    dataDir: /var/lib/etcd`), corrected: clusterConfigurationYaml(EXTERNAL) },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const path = ['clusterConfiguration', 'etcd'];
    return ['local', 'external'].every((field) => isFilled(spec.value, ...path, field)) ? [{
      path: below(spec, ...path), message: 'it has both local and external', fix: 'keep one of them',
    }] : [];
  },
};

function surging(maxSurge: number, replicas: number): string {
  return controlPlaneYaml(`replicas: ${replicas}\nrollout:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: ${maxSurge}`);
}

function oldControlPlane(reference: string): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata:
  name: acme-control-plane
  namespace: tenant-acme
spec:
  version: v1.35.4
  kubeadmConfigSpec:
    format: cloud-config
  machineTemplate:
    infrastructureRef:
${reference}      kind: KubevirtMachineTemplate
      name: acme-control-plane
`;
}

/** Text counts as its number, and as 0 where it is none, percentages included (`intstr` `IntValue`). */
function surgeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
  return typeof value === 'number' ? value : undefined;
}

function hasExternalEtcd(object: ManifestObject): boolean {
  return isFilled(kubeadmSpec(object).value, 'clusterConfiguration', 'etcd', 'external');
}

/** Rules for KubeadmControlPlanes. */
export const CONTROL_PLANES: readonly ManifestRule[] = [
  REPLICAS, MAX_SURGE, INFRASTRUCTURE, TIMEOUTS, ETCD, OUTLIVES, BEFORE, BEFORE_DEFAULT, CONTROL_PLANE_IMAGES,
];
