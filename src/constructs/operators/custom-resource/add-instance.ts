import { Construct } from 'constructs';
import { CRD_RULES } from './crd-rules';
import { CustomResource, CustomResourceProps } from './custom-resource';
import { CustomResourceScope, CustomResourceTypeProps } from './custom-resource-type-props';
import { hasStatusSubresource, isStorage, servedVersions } from './custom-resource-version';
import { Problems } from '../../app/problems/problems';
import { isSound } from '../schema/check-schema';

/** Adds an object of a type. */
export function addInstance(scope: Construct, id: string, type: CustomResourceTypeProps, props: CustomResourceProps): CustomResource {
  const { group, kind } = type;
  const served = servedVersions(type.versions);
  const { version = preferredVersion(type) } = props;
  const given = served.find(({ name }) => name === version);
  const schema = given?.schema._json;
  const object = new CustomResource(scope, id, {
    group,
    version,
    kind,
    clusterScoped: type.scope === CustomResourceScope.CLUSTER,
    statusSubresource: given !== undefined && hasStatusSubresource(given),
    schema: schema && isSound(schema) ? schema : undefined,
  }, props);
  if (!schema) {
    Problems.of(object).add({
      rule: CRD_RULES.instanceVersion,
      property: 'version',
      message: `${kind} has no version "${version}" that is served`,
      accepted: served.map(({ name }) => name).join(', '),
      fix: 'name one of these versions, or none',
    });
  }
  return object;
}

function preferredVersion({ versions }: CustomResourceTypeProps): string {
  const served = servedVersions(versions);
  // A type without versions is refused; until then its objects need some name.
  return (served.find((version) => isStorage(version, versions)) ?? served[0])?.name ?? 'v1';
}
