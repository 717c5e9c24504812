import { BundledAddonProps } from '../bundled-addon-props';
import { CatalogueAddon } from './catalogue-addon';
import { checkGiven } from './checks';
import { checkSecretVariables, SecretVariable, secretVariables } from './secret-variable';

/** What ExternalDNS may do to the records of its zones. */
export enum DnsRecordPolicy {
  /** Records are made and changed, and stay when what they are for is gone. */
  UPSERT_ONLY = 'upsert-only',

  /** Records are deleted as well, those that this ExternalDNS made. */
  SYNC = 'sync',

  /** Records are made, and left alone afterwards. */
  CREATE_ONLY = 'create-only',
}

/** What can be chosen about ExternalDNS. */
export interface ExternalDnsProps extends BundledAddonProps {
  /** Who serves the zones, by ExternalDNS's name for it, e.g. `aws`, `cloudflare`, `pdns`, `rfc2136`, `webhook` (`TC-ADDON-REQUIRED`). */
  readonly provider: string;

  /**
   * Zones that records are made in, with what lies below them, e.g. `acme.example.com`.
   *
   * @default - all that the credentials reach
   */
  readonly domainFilters?: string[];

  /**
   * Mark of the records that are this tenant's. Two clusters with one mark take each other's records. Changing it leaves all records
   * behind.
   *
   * @default - namespace and name of the cluster: `<namespace>-<cluster>`
   */
  readonly txtOwnerId?: string;

  /**
   * What may happen to records.
   *
   * @default DnsRecordPolicy.UPSERT_ONLY
   */
  readonly policy?: DnsRecordPolicy;

  /**
   * Kinds that records are made for, by ExternalDNS's names, e.g. `service`, `ingress`, `gateway-httproute`.
   *
   * @default - service and ingress
   */
  readonly sources?: string[];

  /**
   * Environment variables that hold the credentials of the provider, e.g. `CF_API_TOKEN`. They come from Secrets that are in the tenant by
   * other means.
   *
   * @default - none; the provider needs no credentials, or `values` say where they are
   */
  readonly credentials?: SecretVariable[];
}

/** ExternalDNS, which makes DNS records for Services and Ingresses. Source: kubernetes-sigs/external-dns charts/external-dns 1.21.1. */
export class ExternalDns extends CatalogueAddon {
  /**
   * @param props who serves the zones, and what differs from the defaults
   */
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
