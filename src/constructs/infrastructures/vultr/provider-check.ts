import { VULTR_RULES } from './rules';
import { compareReleases } from '../../../manifests/values/history';
import { Problem } from '../../../manifests/values/problem';

/** What clusterctl and the Cluster API Operator call the provider. */
const PROVIDER = 'vultr-vultr';

/** The first release with a VPC for load balancers, and with machines that have no public address. */
const VPC_SINCE = '0.4';

/**
 * Checks that the management cluster has the Vultr provider, and one that is new enough.
 *
 * @param property the property that asks for it
 * @param providers infrastructure providers of the management cluster with their versions; undefined if they are not declared
 * @param option what needs a VPC of the provider, if anything does
 */
export function checkProvider(property: string, providers: { readonly [name: string]: string } | undefined, option: string | undefined): Problem[] {
  if (!providers) return [];
  const rule = VULTR_RULES.provider;
  const version = providers[PROVIDER];
  if (version === undefined) {
    const release = option === undefined ? 'version: \'v0.3.0\'' : 'version: \'v0.4.0\', ociArtifact: \'…\'';
    return [{
      rule,
      property,
      message: `the management cluster has no provider "${PROVIDER}", so that no machines are created`,
      fix: `add { kind: ProviderKind.INFRASTRUCTURE, name: '${PROVIDER}', ${release} } to furtherProviders of its Cluster API, or, where `
        + 'the provider is installed by other means, name it in infrastructureProviders of its capabilities',
    }];
  }
  const release = /^v?(\d+\.\d+)/.exec(version)?.[1];
  return option === undefined || release === undefined || compareReleases(release, VPC_SINCE) >= 0 ? [] : [{
    rule,
    property: `${property}.${option}`,
    message: `the management cluster has ${version} of the Vultr provider, which does not know the field`,
    accepted: `from v${VPC_SINCE}`,
    fix: `install v${VPC_SINCE} of the provider by an artifact of yours (ociArtifact), or remove ${option}`,
  }];
}
