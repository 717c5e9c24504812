import { components, installedVersions } from './installed-components';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { versionField } from '../rules/cluster-api/version-field';
import { ComponentFacts, TenantKubernetes, TenantMinors } from '../rules/components';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { partOf } from '../rules/references/object-references';
import { firstReleaseFor, isUnreadRelease, tenantMinors } from '../rules/tenant-kubernetes';
import { FieldPath, stringAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseSemanticVersion } from '../values/semantic-version';

/** A component of the management cluster, as it is installed, and the Kubernetes of tenants that it works with. */
export interface LimitingComponent {
  readonly title: string;
  readonly release: string;
  readonly tenants: TenantKubernetes;
  readonly minors: TenantMinors;
}

/** The components that limit the Kubernetes of tenants, where their release is known: those that are installed in one release. */
export function limitingComponents(index: ManifestIndex): LimitingComponent[] {
  return components().flatMap(({ title, tenants }) => {
    const releases = installedVersions(index).get(title) ?? [];
    const minors = tenants && releases.length === 1 ? tenantMinors(tenants, releases[0]) : undefined;
    return tenants && minors ? [{ title, release: releases[0], tenants, minors }] : [];
  });
}

/** The rule for tenants of a component. */
function tenantRule({ title, tenants }: ComponentFacts & { readonly tenants: TenantKubernetes }): ManifestRule {
  const { rule, kinds } = tenants;
  return {
    ...rule,
    kinds,
    trap: true,
    check: (object, index) => {
      const limit = limitingComponents(index).find((component) => component.title === title);
      const stated = limit && statedKubernetes(object, index);
      return stated ? faultsOf(stated, limit) : [];
    },
  };
}

interface StatedVersion {
  readonly path: FieldPath;
  readonly version: string;
}

/** The Kubernetes that an object states, itself or by its control plane. */
export function statedKubernetes(object: ManifestObject, index: ManifestIndex): StatedVersion | undefined {
  const own = versionField(object);
  const version = stringAt(object, ...own);
  if (version !== undefined || groupKind(object) !== CLUSTER) return version === undefined ? undefined : { path: own, version };
  const ofPlane = stringAt(partOf(object, 'controlPlaneRef', index), 'spec', 'version');
  return ofPlane === undefined ? undefined : { path: ['spec', 'controlPlaneRef', 'name'], version: ofPlane };
}

function faultsOf({ path, version }: StatedVersion, { title, release, minors, tenants }: LimitingComponent): Finding[] {
  const { major, minor } = parseSemanticVersion(version) ?? {};
  if (major !== 1 || minor === undefined) return [];
  const isNewer = minor > minors.newest && !isUnreadRelease(tenants, release);
  if (!isNewer && minor >= (minors.oldest ?? 0)) return [];
  const first = firstReleaseFor(tenants, minor);
  return [{
    path,
    message: `Kubernetes ${version} is ${isNewer ? 'newer' : 'older'} than what ${title} ${release} works with`,
    accepted: minors.oldest === undefined ? `up to 1.${minors.newest}` : `1.${minors.oldest} to 1.${minors.newest}`,
    fix: isNewer ? `stay at 1.${minors.newest}${first === undefined ? '' : `, or raise ${title} to ${first} or newer first`}` : `raise Kubernetes before ${title}`,
  }];
}

/** Rules for the Kubernetes of tenants beside the releases that are installed in their management cluster. */
export function tenantKubernetesRules(): ManifestRule[] {
  return components().flatMap(({ tenants, ...facts }) => (tenants ? [tenantRule({ ...facts, tenants })] : []));
}
