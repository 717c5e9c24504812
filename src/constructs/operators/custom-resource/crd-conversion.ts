import { checkServicePath } from '../../../manifests/kubernetes/admission';
import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain, checkPort } from '../../../manifests/values/dns';
import { readPem } from '../../../manifests/values/pem';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { checkUrl } from '../../../manifests/values/repository-address';
import { ServiceName } from '../defined-types';

const VALIDATION = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';

/** Annotation by which cert-manager writes an authority into an object (cert-manager.io/docs/concepts/ca-injector). */
export const INJECT_CA = 'cert-manager.io/inject-ca-from';

/** Certificates and review versions of a conversion webhook. */
export interface CrdWebhookOptions {
  /**
   * Certificates, in PEM form, of the authority of the webhook (`TC-CRD-CONVERSION`).
   *
   * @default - those of `injectCaFrom`; for a URL without it, those that the host of the API server trusts
   */
  readonly caBundle?: string;

  /**
   * `namespace/name` of the cert-manager `Certificate` whose authority cert-manager writes into the definition. cert-manager then
   * owns the field: applying the manifests does not change it (`TC-CRD-CONVERSION`).
   *
   * @default - none
   */
  readonly injectCaFrom?: string;

  /**
   * Supported versions of `ConversionReview`, the preferred one first (`TC-CRD-CONVERSION`).
   *
   * @default ['v1']
   */
  readonly reviewVersions?: string[];
}

/**
 * Service of a conversion webhook in the cluster. No public authority signs the name of a Service: `caBundle` or `injectCaFrom` names the
 * authority of its certificate (`TC-CRD-CONVERSION`).
 */
export interface CrdServiceWebhookOptions extends CrdWebhookOptions {
  /** Name of the Service. */
  readonly name: string;

  /** Namespace of the Service. */
  readonly namespace: string;

  /**
   * Path of the webhook.
   *
   * @default /convert - as controller-runtime serves it
   */
  readonly path?: string;

  /**
   * Port of the Service.
   *
   * @default 443
   */
  readonly port?: number;

  /**
   * True if another controller than cert-manager writes the certificates into the definition, e.g. the program itself, or OpenShift by
   * `annotations` of the type.
   *
   * @default false - `caBundle` or `injectCaFrom` is needed
   */
  readonly caFromElsewhere?: boolean;
}

const CONVERSION_RULE: Rule = {
  id: 'TC-CRD-CONVERSION',
  title: 'A conversion webhook must have an https address or a Service, readable certificates that it is trusted by, and the review version v1 or v1beta1.',
  source: VALIDATION,
};

/**
 * Conversion of objects between versions (`TC-CRD-CONVERSION`).
 *
 * @example
 * const conversion = operators.CrdConversion.service({ name: 'backup-controller-webhook', namespace: 'backup-system' });
 */
export class CrdConversion {
  /** Only `apiVersion` changes. Fields that the other version does not have are dropped. */
  public static none(): CrdConversion {
    return new CrdConversion({ strategy: 'None' }, {}, () => []);
  }

  /**
   * A webhook behind a Service of the cluster converts.
   *
   * @param options the Service and its certificates
   */
  public static service(options: CrdServiceWebhookOptions): CrdConversion {
    const { name, namespace, path = '/convert', port = 443, caBundle, injectCaFrom, caFromElsewhere = false } = options;
    const trusted = caFromElsewhere || caBundle !== undefined || injectCaFrom !== undefined;
    return CrdConversion.webhook({ service: { name, namespace, path, port } }, options, (property) => [
      ...problemIf(CONVERSION_RULE, `${property}.caBundle`, trusted ? undefined : 'nothing says whose certificate the Service has, and the API server would trust none',
        'give caBundle or injectCaFrom, or set caFromElsewhere: true'),
      ...problemIf(CONVERSION_RULE, `${property}.name`, checkDns1035Label(name), 'give the name of the Service'),
      ...problemIf(CONVERSION_RULE, `${property}.namespace`, checkDnsLabel(namespace), 'give the namespace of the Service'),
      ...problemIf(CONVERSION_RULE, `${property}.path`, checkServicePath(path), 'give the path of the webhook'),
      ...problemIf(CONVERSION_RULE, `${property}.port`, checkPort(port), 'give the port of the Service'),
    ], { name, namespace });
  }

  /**
   * A webhook at an address converts.
   *
   * @param url address of the webhook, with https
   * @param options certificates and review versions
   */
  public static url(url: string, options: CrdWebhookOptions = {}): CrdConversion {
    return CrdConversion.webhook({ url }, options, (property) => problemIf(CONVERSION_RULE, `${property}.url`, checkUrl(url, ['https']), 'give an address such as https://convert.example.com/convert'));
  }

  /**
   * The conversion of a definition that is read.
   *
   * @internal
   */
  public static _of(conversion: object): CrdConversion {
    return new CrdConversion(conversion, {}, () => []);
  }

  private static webhook(
    client: object, options: CrdWebhookOptions, check: (property: string) => Problem[], service?: ServiceName,
  ): CrdConversion {
    const { caBundle, injectCaFrom, reviewVersions = ['v1'] } = options;
    const annotations: { [key: string]: string } = injectCaFrom === undefined ? {} : { [INJECT_CA]: injectCaFrom };
    return new CrdConversion({
      strategy: 'Webhook',
      webhook: {
        clientConfig: { ...client, ...(caBundle !== undefined && { caBundle: encodeCaBundle(caBundle) }) },
        conversionReviewVersions: [...reviewVersions],
      },
    }, annotations, (property) => [...check(property), ...checkOptions(options, property)], service);
  }

  private constructor(
    /** @internal */ public readonly _spec: object,
    /** @internal */ public readonly _annotations: { readonly [key: string]: string },
    /** @internal */ public readonly _check: (property: string) => Problem[],
    /** @internal */ public readonly _service?: ServiceName,
  ) {}
}

function checkOptions({ caBundle, injectCaFrom, reviewVersions = ['v1'] }: CrdWebhookOptions, property: string): Problem[] {
  const [namespace, name, ...more] = injectCaFrom?.split('/') ?? ['a', 'a'];
  const reference = more.length === 0 && checkDnsLabel(namespace) === undefined && name !== undefined && checkDnsSubdomain(name) === undefined;
  const known = reviewVersions.some((version) => ['v1', 'v1beta1'].includes(version));
  return [
    ...problemIf(CONVERSION_RULE, `${property}.caBundle`, caBundle === undefined ? undefined : checkCaBundle(caBundle), 'give certificates in PEM form'),
    ...problemIf(CONVERSION_RULE, `${property}.injectCaFrom`, reference ? undefined : `"${injectCaFrom}" names no certificate`, 'write "namespace/name"'),
    ...problemIf(CONVERSION_RULE, `${property}.caBundle`, caBundle !== undefined && injectCaFrom !== undefined
      ? 'it is given beside injectCaFrom, which replaces it' : undefined, 'give one of the two'),
    ...problemIf(CONVERSION_RULE, `${property}.reviewVersions`, known ? undefined : `${JSON.stringify(reviewVersions)} has none that the API server knows`, 'add "v1"'),
    ...reviewVersions.filter((version, index) => reviewVersions.indexOf(version) !== index || checkDns1035Label(version) !== undefined)
      .map((version) => ({
        rule: CONVERSION_RULE, property: `${property}.reviewVersions`, message: `"${version}" is no version, or is there twice`, fix: 'correct the list',
      })),
  ];
}

/** Checks the certificates of a webhook's authority, in PEM form, as the API server does. */
export function checkCaBundle(pem: string): string | undefined {
  const { hasPrivateKey, certificates } = readPem(pem);
  if (hasPrivateKey) return 'it holds a private key, which would be readable in the output';
  if (certificates.length === 0) return 'there is no certificate in it';
  const bad = certificates.indexOf(undefined);
  return bad < 0 ? undefined : `certificate ${bad + 1} of ${certificates.length} cannot be read`;
}

/** Certificates in PEM form as the value of a field of type `[]byte`. */
export function encodeCaBundle(pem: string): string {
  return Buffer.from(pem, 'utf8').toString('base64');
}
