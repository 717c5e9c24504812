import { CatalogueAddon, checkGiven, checkSecretVariables, SecretVariable, secretVariables } from './catalogue-addon';
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
      check: () => [
        ...checkGiven('provider', provider, 'give the name that ExternalDNS has for the provider, such as "cloudflare"'),
        ...(txtOwnerId === undefined ? [] : checkGiven('txtOwnerId', txtOwnerId, 'leave it out, or give a mark that no other cluster has')),
        ...checkSecretVariables('credentials', credentials),
      ],
      values: (context) => ({
        provider: { name: provider },
        policy: policy ?? DnsRecordPolicy.UPSERT_ONLY,
        registry: 'txt',
        txtOwnerId: txtOwnerId ?? `${context.namespace}-${context.name}`,
        domainFilters,
        sources: sources ?? ['service', 'ingress'],
        env: secretVariables(credentials),
      }),
    }, props);
  }
}
