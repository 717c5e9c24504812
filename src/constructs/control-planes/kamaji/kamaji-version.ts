import { KAMAJI_RULES } from './rules';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem } from '../../../manifests/values/problem';
import { KAMAJI } from '../../../manifests/values/versions';

type Tag = readonly [year: number, month: number, release: number];

/** First releases that are built with a newer Kubernetes, newest first. Source: clastix/kamaji internal/upgrade/kubeadm_version.go of the tags. */
const CEILINGS: readonly { readonly since: Tag; readonly minor: number }[] = [
  { since: [26, 5, 3], minor: 36 },
  { since: [25, 12, 4], minor: 35 },
];

// From some day of January 2026 on Kamaji knows JSON patches of the kubelet configuration; the first February release surely does.
const OLDEST: Tag = [26, 2, 1];
const ROLLOUT_LOOP: Tag = [26, 5, 3];

/** Checks that a text names a release of Kamaji, and that it is not too old. */
export function checkKamajiRelease(property: string, text: string): Problem[] {
  const tag = parseTag(text);
  return tag && compare(tag, OLDEST) >= 0 ? [] : [{
    rule: KAMAJI_RULES.version,
    property,
    message: tag ? `Kamaji "${text}" does not know all fields that are sent to it` : `"${text}" is not a release of Kamaji`,
    accepted: 'tags from edge-26.2.1 on, such as "edge-26.2.4" or "26.8.2-edge"',
    fix: `name the release that the management cluster runs, or leave it out for ${KAMAJI.version}`,
  }];
}

/**
 * Checks the Kubernetes version against the release of Kamaji. A release that is none is left to `checkKamajiRelease`. Of one that is newer than
 * the library's own it is not known what it is built with: that is a warning.
 *
 * @param text the release
 * @param kubernetes the version of the tenant cluster
 * @param statedIn the property that holds the release
 */
export function checkKubernetesCeiling(text: string, kubernetes: KubernetesVersion, statedIn: string): Problem[] {
  const tag = parseTag(text);
  const ceiling = tag && CEILINGS.find(({ since }) => compare(tag, since) >= 0);
  if (!ceiling || kubernetes.minor <= ceiling.minor) return [];
  if (compare(tag, parseTag(KAMAJI.version)!) > 0) {
    return [{
      rule: KAMAJI_RULES.newerRelease,
      property: statedIn,
      message: `Kamaji ${text} is newer than ${KAMAJI.version}, the newest that this release of the library knows: whether it runs Kubernetes ${kubernetes} is not checked`,
      fix: 'look it up in the notes of the release: an older Kamaji refuses the control plane',
    }];
  }
  return [{
    rule: KAMAJI_RULES.kubernetesVersion,
    property: 'kubernetesVersion',
    message: `Kubernetes ${kubernetes} is newer than Kamaji ${text} can run, and Kamaji refuses the control plane`,
    accepted: `versions up to 1.${ceiling.minor}.x`,
    fix: `choose an older Kubernetes, or raise Kamaji first and say so in ${statedIn}`,
  }];
}

/** True if the release rolls control planes for ever that have both konnectivity and extra arguments of the API server. */
export function hasRolloutLoop(text: string): boolean {
  const tag = parseTag(text);
  return tag !== undefined && compare(tag, ROLLOUT_LOOP) === 0;
}

/** Reads `edge-26.2.4`, as releases were called until February 2026, and `26.8.2-edge`, as they are called since. */
function parseTag(text: string): Tag | undefined {
  const match = /^edge-(\d{2})\.(\d{1,2})\.(\d{1,3})$/.exec(text) ?? /^(\d{2})\.(\d{1,2})\.(\d{1,3})-edge$/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

function compare(one: Tag, other: Tag): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
