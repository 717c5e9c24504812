import { listText } from './offered';
import { CAPABILITIES_RULES } from './rules';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem } from '../../../manifests/values/problem';

/**
 * Checks a tenant's Kubernetes version against those that are offered.
 *
 * @param version the version of the cluster or of a pool
 * @param offered minor releases and full versions; undefined if not stated
 */
export function checkServedVersion(version: KubernetesVersion, offered: readonly string[] | undefined): Problem[] {
  if (offered === undefined || offered.some((text) => isServed(version, text))) return [];
  return [{
    rule: CAPABILITIES_RULES.kubernetesVersion,
    property: 'kubernetesVersion',
    message: `the management cluster does not offer Kubernetes ${version}`,
    accepted: listText(offered),
    fix: 'choose one of these, or add the version to kubernetesVersions of the capabilities once its machine images are there',
  }];
}

/** True if a string names a minor release or a full version. */
export function isServableVersion(text: string): boolean {
  return /^v?[1-9]\d*\.(0|[1-9]\d*)$/.test(text) || KubernetesVersion.isValid(text);
}

function isServed(version: KubernetesVersion, text: string): boolean {
  const plain = text.replace(/^v/, '');
  return plain === version.minorVersion || `v${plain}` === `${version}`;
}
