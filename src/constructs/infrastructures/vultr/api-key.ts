import { Construct } from 'constructs';
import {
  ClusterResourceSet, ClusterResourceSetSpecResourcesKind, ClusterResourceSetSpecStrategy,
} from '../../../../imports/addons.cluster.x-k8s.io';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';
import { DATA_KEYS, isDataKey, SecretKeyRef } from '../../../manifests/values/secret-ref';
import { ClusterContext } from '../../contracts/cluster-context';

/** Options of an API key that is copied into the tenant. */
export interface CarriedVultrApiKeyOptions {
  /**
   * Name of the Secret in the management cluster, in the namespace of the cluster's objects. One Secret can hold the API keys of several
   * programs.
   *
   * Rule: `TC-VULTR-API-KEY`.
   *
   * @default - `<cluster>-vultr-api-keys`
   */
  readonly secretName?: string;

  /**
   * Name of the Secret that it brings to the tenant's namespace `kube-system` (`TC-VULTR-API-KEY`).
   *
   * @default - that of the program's own manifests: `vultr-ccm` or `vultr-csi`
   */
  readonly name?: string;

  /**
   * Key within that Secret (`TC-VULTR-API-KEY`).
   *
   * @default api-key
   */
  readonly key?: string;
}

/**
 * Secret in the tenant from which a program reads the Vultr API key. The API key itself never goes into a manifest of this library.
 *
 * Until the cloud controller manager runs, every node of the tenant is tainted, so that no operator inside the tenant starts: none there
 * (External Secrets, Sealed Secrets) can bring the API key that the cloud controller manager waits for.
 *
 * An API key of Vultr is valid for the whole account, and administrators of the tenant can read it: give each tenant an account of its own
 * unless you trust them with the others' machines.
 *
 * @example
 * const apiKey = vultr.VultrApiKey.inTenant({ name: 'vultr-api', key: 'api-key' });
 */
export class VultrApiKey {
  /**
   * Has it carried from the management cluster by a ClusterResourceSet, as soon as the tenant's API server answers, and again when it
   * changes. The program reads the new one when its pod starts again.
   *
   * The user creates a Secret of type `addons.cluster.x-k8s.io/resource-set` in the namespace of the cluster's objects, whose values are
   * manifests for the tenant. An ExternalSecret of the management cluster can do so by `spec.target.template`, and so can SealedSecrets and
   * SOPS. For both programs, each with its usual names:
   *
   * ```yaml
   * apiVersion: v1
   * kind: Secret
   * type: addons.cluster.x-k8s.io/resource-set
   * metadata:
   *   name: acme-vultr-api-keys
   *   namespace: tenant-acme
   * stringData:
   *   vultr-ccm.yaml: |
   *     apiVersion: v1
   *     kind: Secret
   *     metadata:
   *       name: vultr-ccm
   *       namespace: kube-system
   *     stringData:
   *       api-key: <API key>
   *   vultr-csi.yaml: |
   *     apiVersion: v1
   *     kind: Secret
   *     metadata:
   *       name: vultr-csi
   *       namespace: kube-system
   *     stringData:
   *       api-key: <API key>
   * ```
   *
   * Another type is refused by Cluster API, and a Secret that is not there yet is waited for
   * (kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset).
   *
   * @param options names, where they are not the usual ones
   */
  public static carried(options: CarriedVultrApiKeyOptions = {}): VultrApiKey {
    return new VultrApiKey(options, { secretName: options.secretName });
  }

  /**
   * Reads it from a Secret of the tenant that is created from outside: by a user with kubectl, or by Flux of the management
   * cluster, which decrypts it and applies it to the tenant. That of the CSI driver may also be made by an operator inside the tenant.
   *
   * @param secret the Secret in the tenant's namespace `kube-system`, and its key (`TC-VULTR-API-KEY`)
   */
  public static inTenant(secret: SecretKeyRef): VultrApiKey {
    return new VultrApiKey(secret);
  }

  private constructor(
    /** @internal */
    public readonly _secret: Partial<SecretKeyRef>,
    /** @internal */
    public readonly _carrier?: { readonly secretName?: string },
  ) {}

  /**
   * The key of the tenant's Secret that a program reads.
   *
   * @param usualName name of the Secret in the program's own manifests
   * @internal
   */
  public _secretKeyRef(usualName: string): SecretKeyRef {
    const { name = usualName, key = 'api-key' } = this._secret;
    return { name, key };
  }
}

// Neither names of Secrets nor usual keys look like this.
const LIKE_AN_API_KEY = /^[A-Z0-9]{30,}$/;

/** Checks the reference to an API key. */
export function checkApiKey(property: string, apiKey: VultrApiKey): Problem[] {
  const { name, key } = apiKey._secret;
  return [
    ...checkText(`${property}.name`, name, checkDnsSubdomain),
    ...checkText(`${property}.key`, key, checkSecretKey),
    ...checkText(`${property}.secretName`, apiKey._carrier?.secretName, checkDnsSubdomain),
  ];
}

const API_KEY_RULE: Rule = {
  id: 'TC-VULTR-API-KEY',
  title: 'An API key must be a reference to a key of a Secret, never a value.',
  source: 'kubernetes.io/docs/concepts/configuration/secret',
};

function checkText(property: string, text: string | undefined, check: (text: string) => string | undefined): Problem[] {
  const at = { rule: API_KEY_RULE, property };
  if (text === undefined) return [];
  // The message must not repeat a secret.
  if (LIKE_AN_API_KEY.test(text)) return [{ ...at, message: 'it looks like the API key itself', fix: 'make a new API key, put it into the Secret, and write what that is called' }];
  const message = check(text);
  return message === undefined ? [] : [{ ...at, message, fix: 'write what the Secret, or the key within it, is called' }];
}

function checkSecretKey(key: string): string | undefined {
  return isDataKey(key) ? undefined : `"${key}" is not a key of a Secret; accepted are ${DATA_KEYS}`;
}

const SECRET_SUFFIX = 'vultr-api-keys';
const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

/** Adds the ClusterResourceSet that copies API keys into the tenant. A delivery would write them into the output. */
export function addApiKeySet(scope: Construct, { name }: ClusterContext, apiKeys: readonly VultrApiKey[]): void {
  const secrets = new Set(apiKeys.flatMap(({ _carrier }) => (_carrier ? [_carrier.secretName ?? `${name}-${SECRET_SUFFIX}`] : [])));
  if (secrets.size === 0) return;
  new ClusterResourceSet(scope, 'ApiKeys', {
    // With a dot, which no set of a delivery has behind the name of the cluster.
    metadata: { name: `${name}.${SECRET_SUFFIX}` },
    spec: {
      clusterSelector: { matchLabels: { [CLUSTER_LABEL]: name } },
      resources: [...secrets].sort().map((secret) => ({ kind: ClusterResourceSetSpecResourcesKind.SECRET, name: secret })),
      strategy: ClusterResourceSetSpecStrategy.RECONCILE,
    },
  });
}
