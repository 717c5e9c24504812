import { FurtherProvider } from './provider-options';
import { MANAGEMENT_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';

/** Release addresses of providers that users may install under another name than clusterctl's. */
const RELEASES: Readonly<Record<string, string>> = { 'vultr-vultr': 'https://github.com/vultr/cluster-api-provider-vultr/releases' };

interface Fault {
  readonly name: string;
  readonly versions: RegExp;
  readonly reason: string;
  readonly source: string;
  readonly fix: string;
}

/** Releases that the Cluster API Operator cannot install from their published address. */
const FAULTS: readonly Fault[] = [{
  name: 'vultr-vultr',
  versions: /^v0\.4\./,
  reason: 'the metadata of the Vultr provider\'s release has no series 0.4, and the operator refuses a version without a series',
  source: 'vultr/cluster-api-provider-vultr metadata.yaml of v0.4.0',
  fix: 'install v0.3.0, which has neither a VPC for load balancers nor machines without public address, '
    + 'or name in ociArtifact an artifact of the release whose metadata has the series',
}];

/** clusterctl's name of a provider. */
export function knownName({ name, url = '' }: Pick<FurtherProvider, 'name' | 'url'>): string {
  return Object.keys(RELEASES).find((known) => url.startsWith(`${RELEASES[known]}/`)) ?? name;
}

/** Checks the version of a further provider against the known faulty releases. */
export function checkFurtherVersion(property: string, provider: FurtherProvider): Problem[] {
  const { version, ociArtifact } = provider;
  if (ociArtifact !== undefined) return [];
  return FAULTS.filter((fault) => fault.name === knownName(provider) && fault.versions.test(version)).map(({ reason, source, fix }) => ({
    rule: MANAGEMENT_RULES.versionConflict, property, message: `${version}: ${reason} (${source})`, fix,
  }));
}
