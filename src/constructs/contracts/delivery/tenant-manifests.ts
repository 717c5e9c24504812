import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { privateKeys, readableKeys } from './readable-secrets';
import { groupOf } from '../../../manifests/objects/manifest-object';
import { isClusterScoped } from '../../../manifests/rules/structure/kind-scope';
import { Problem, Rule } from '../../../manifests/values/problem';
import { constructsIn, writtenManifest } from '../../app/synth/synthesis';

/** A manifest as it is written. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly data?: object;
  readonly stringData?: object;
  readonly items?: readonly Manifest[];
}

/** Content of a chart for the tenant, and its problems. */
export interface TenantManifests {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly Problem[];
}

const DELIVERY_MANIFEST_RULE: Rule = {
  id: 'TC-DELIVERY-MANIFEST',
  title: 'The objects that go to the tenant can be written.',
};

/** Renders the objects of a chart, and of charts in it, with everything that was added up to now. */
export function renderManifests(chart: Chart, property: string): TenantManifests {
  try {
    const manifests = apiObjects(chart).map(writtenManifest) as unknown as Manifest[];
    return { manifests, problems: manifests.flatMap((manifest) => checkManifest(manifest, property)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { manifests: [], problems: [{ rule: DELIVERY_MANIFEST_RULE, property, message, fix: 'correct the object' }] };
  }
}

/**
 * Checks that what is written for the management cluster, too, holds no Secret with content.
 *
 * @param scope the construct that the objects are in
 */
export function checkSecrets(scope: IConstruct): Problem[] {
  return apiObjects(scope).filter(({ kind }) => kind === 'Secret').flatMap((object) => {
    const manifest = written(object);
    return manifest === undefined ? [] : checkSecret(manifest, undefined, 'the management cluster');
  });
}

/** The manifest of an object; undefined if it cannot be written, which its chart reports. */
function written(object: ApiObject): Manifest | undefined {
  try {
    return writtenManifest(object) as unknown as Manifest;
  } catch {
    return undefined;
  }
}

/** The objects below a construct, those of charts in it too. */
export function apiObjects(scope: IConstruct): ApiObject[] {
  return constructsIn(scope).filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
}

/** Name of an object in messages. */
export function describe({ kind, metadata }: Manifest): string {
  return `the ${kind} "${metadata?.name}"${metadata?.namespace === undefined ? '' : ` in namespace "${metadata.namespace}"`}`;
}

function checkManifest(manifest: Manifest, property: string): Problem[] {
  if (manifest.kind === 'List') return (manifest.items ?? []).flatMap((item) => checkManifest(item, property));
  const secret = checkSecret(manifest, property, 'the tenant');
  return [
    ...secret,
    ...(secret.length > 0 ? [] : checkPrivateKeys(manifest, property)),
    ...checkNamespace(manifest, property),
  ];
}

const DELIVERY_SECRET_RULE: Rule = {
  id: 'TC-DELIVERY-SECRET',
  title: 'Manifests hold no Secret with content: they end up readable in a repository.',
  source: 'kubernetes.io/docs/concepts/security/secrets-good-practices',
};

function checkSecret(manifest: Manifest, property: string | undefined, cluster: string): Problem[] {
  const keys = readableKeys(manifest);
  return keys.length === 0 ? [] : [{
    rule: DELIVERY_SECRET_RULE,
    property,
    message: `${describe(manifest)} has content (${keys.join(', ')}), which would be readable in the output`,
    fix: `let it be made in ${cluster}, e.g. by an ExternalSecret or a SealedSecret`,
  }];
}

/** Rule for private keys in manifests and values. */
export const PRIVATE_KEY_RULE: Rule = {
  id: 'TC-DELIVERY-PRIVATE-KEY',
  title: 'Neither manifests nor values of charts hold a private key: it ends up readable in a repository, and in an object of the cluster.',
  source: 'kubernetes.io/docs/concepts/security/secrets-good-practices, RFC 7468',
};

function checkPrivateKeys(manifest: Manifest, property: string): Problem[] {
  return privateKeys(manifest).map((place) => ({
    rule: PRIVATE_KEY_RULE,
    property,
    message: `${describe(manifest)} holds a private key at ${place}, which would be readable in the output`,
    fix: 'let a Secret with the key be made in the tenant, e.g. by an ExternalSecret, and replace the key if it has been published',
  }));
}

const DELIVERY_MANIFEST_NAMESPACE_RULE: Rule = {
  id: 'TC-DELIVERY-MANIFEST-NAMESPACE',
  title: 'Namespaced objects must have metadata.namespace: no default is filled in on the way to the tenant.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_scope.go',
};

function checkNamespace(manifest: Manifest, property: string): Problem[] {
  if (manifest.metadata?.namespace !== undefined || isClusterScoped(groupOf({ ...manifest }), manifest.kind) !== false) return [];
  return [{
    rule: DELIVERY_MANIFEST_NAMESPACE_RULE,
    property,
    message: `${describe(manifest)} names no namespace`,
    fix: 'set metadata.namespace, or the namespace of the chart that it is in',
  }];
}
