import { clusterConfigurationYaml, controlPlaneYaml } from './example-kubeadm';
import { below, CONTROL_PLANE_KINDS, CONTROL_PLANE_WEBHOOK, controlPlaneSpec, kubeadmSpec } from './kubeadm-spec';
import { ManifestObject } from '../../../objects/manifest-object';
import { isV1beta1 } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestRule } from '../../../rules/manifest-rule';
import { numberAt } from '../../../values/fields';
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

export const CONTROL_PLANE_CERTIFICATES: readonly ManifestRule[] = [OUTLIVES, BEFORE, BEFORE_DEFAULT];

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
