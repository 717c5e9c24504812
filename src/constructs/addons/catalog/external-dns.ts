import { CatalogueAddon, checkGiven, checkSecretVariables, SecretVariable, secretVariables } from './catalogue-addon';
import { Problem, Rule } from '../../../manifests/values/problem';
import { ClusterContext } from '../../contracts/cluster-context';
import { BundledAddonProps } from '../bundled-addon';

/** The changes that ExternalDNS may make to the records of its zones. */
export enum DnsRecordPolicy {
  /** ExternalDNS creates and changes records, but never deletes them. */
  UPSERT_ONLY = 'upsert-only',

  /** ExternalDNS also deletes records that it created. */
  SYNC = 'sync',

  /** ExternalDNS creates records, and never changes them. */
  CREATE_ONLY = 'create-only',
}

const DEFAULT_SOURCES: readonly string[] = ['service', 'ingress'];

/** Annotation in which a Service names its record (kubernetes-sigs/external-dns docs/annotations/annotations.md). */
const HOSTNAME = 'external-dns.alpha.kubernetes.io/hostname';

/** Options of ExternalDNS. */
export interface ExternalDnsProps extends BundledAddonProps {
  /** Provider of the zones, by ExternalDNS's name, e.g. `aws`, `cloudflare`, `pdns`, `rfc2136`, `webhook` (`TC-ADDON-REQUIRED`). */
  readonly provider: string;

  /**
   * Zones for records, including their subdomains, e.g. `acme.example.com`.
   *
   * @default - all that the credentials reach
   */
  readonly domainFilters?: string[];

  /**
   * Owner id in the records of this tenant. Two clusters with the same id take over each other's records. A new id leaves all old records
   * behind.
   *
   * @default - namespace and name of the cluster: `<namespace>-<cluster>`
   */
  readonly txtOwnerId?: string;

  /**
   * Policy for records.
   *
   * @default DnsRecordPolicy.UPSERT_ONLY
   */
  readonly policy?: DnsRecordPolicy;

  /**
   * Kinds that get records, by ExternalDNS's names, e.g. `service`, `ingress`, `gateway-httproute`.
   *
   * A Service of type LoadBalancer names its record in the annotation `external-dns.alpha.kubernetes.io/hostname`. On KubeVirt, Services
   * are published in the management cluster with their annotations, and the tenant's isolation must allow or drop the key there: a warning
   * (`TC-ADDON-SERVICE-ANNOTATION`).
   *
   * @default - service and ingress
   */
  readonly sources?: string[];

  /**
   * Environment variables that hold the credentials of the provider, e.g. `CF_API_TOKEN`. They come from Secrets that are in the tenant by
   * other means.
   *
   * @default - none; the provider needs no credentials, or `values` refer to them
   */
  readonly credentials?: SecretVariable[];
}

/**
 * ExternalDNS, which makes DNS records for Services and Ingresses. Source: kubernetes-sigs/external-dns charts/external-dns 1.21.1.
 *
 * @example
 * acme.addAddon(new ExternalDns({
 *   provider: 'rfc2136',
 *   domainFilters: ['acme.example.com'],
 *   txtOwnerId: 'acme',
 * }));
 */
export class ExternalDns extends CatalogueAddon {
  public constructor(props: ExternalDnsProps) {
    const { provider, domainFilters, txtOwnerId, policy, sources, credentials } = props;
    super({
      chart: 'external-dns',
      name: 'external-dns',
      namespace: 'external-dns',
      tolerations: { tolerations: [] },
      check: (context) => [
        ...checkGiven('provider', provider, 'give the name that ExternalDNS has for the provider, such as "cloudflare"'),
        ...(txtOwnerId === undefined ? [] : checkGiven('txtOwnerId', txtOwnerId, 'leave it out, or give a mark that no other cluster has')),
        ...checkSecretVariables(credentials),
        ...checkServiceSource(sources ?? DEFAULT_SOURCES, context),
      ],
      values: (context) => ({
        provider: { name: provider },
        policy: policy ?? DnsRecordPolicy.UPSERT_ONLY,
        registry: 'txt',
        txtOwnerId: txtOwnerId ?? `${context.namespace}-${context.name}`,
        domainFilters,
        sources: sources ?? [...DEFAULT_SOURCES],
        env: secretVariables(credentials),
      }),
    }, props);
  }
}

const SERVICE_ANNOTATION_RULE: Rule = {
  id: 'TC-ADDON-SERVICE-ANNOTATION',
  title: 'Where ExternalDNS reads Services, the isolation of the tenant should allow or drop the annotation by which they name their record: Services with it stay pending otherwise.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, v0.6.0 (copies all annotations)',
  warning: true,
};

/** Warns that Services which name their record are refused in the management cluster. */
function checkServiceSource(sources: readonly string[], { publishedAnnotations }: ClusterContext): Problem[] {
  return publishedAnnotations === undefined || publishedAnnotations.includes(HOSTNAME) || !sources.includes('service') ? [] : [{
    rule: SERVICE_ANNOTATION_RULE,
    property: 'sources',
    message: `a Service of type LoadBalancer with ${HOSTNAME} is refused in the management cluster, and stays pending`,
    fix: 'write services: ServiceIsolation.admissionPolicy({ dropAnnotations: true }) in the isolation, which needs Kubernetes 1.36 in the management cluster; '
      + "or sources: ['ingress']; or allow the key in annotations, if no external-dns watches Services of the management cluster",
  }];
}
