import { Chart } from 'cdk8s';
import { mergeValues, Values } from '../../../manifests/values/chart-values';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { Addon, AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import {
  BundledAddonProps, BundledChart, bundledChart, checkTolerationList, checkValueKeys, TolerationPaths, tolerationValues,
} from '../bundled-addon';

/** The definition of an addon of one chart. */
interface CatalogueEntry {
  readonly chart: BundledChart;
  /** Usual name of the addon and its release. */
  readonly name: string;
  readonly namespace: string;
  /** True if its pods need host access. */
  readonly privileged?: boolean;
  readonly provides?: string[];
  /** Capabilities beside the pod network. */
  readonly requires?: string[];
  readonly conflictsWith?: string[];
  readonly tolerations: TolerationPaths;
  /** The values for one cluster. */
  readonly values?: (context: ClusterContext) => Values;
  /** Defines objects of kinds that the chart brings; they are delivered after it. */
  readonly define?: (tenant: Chart) => void;
  /** Checks the props; paths of properties are relative to the addon. */
  readonly check?: (context: ClusterContext) => Problem[];
}

/**
 * An addon that is one chart of the catalogue.
 *
 * @internal a hidden base class: to jsii, addons extend `Addon`
 */
export abstract class CatalogueAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the chart provides. */
  public override readonly provides: string[];

  /** Capabilities that the cluster must have before the chart is installed. */
  public override readonly requires: string[];

  /** Names or capabilities of addons that cannot be in the same cluster. */
  public override readonly conflictsWith: string[];

  /** Addons that must be installed before this one. */
  public override readonly after: Addon[];

  // Hard private, so that no name of a subclass can meet them.
  readonly #entry: CatalogueEntry;
  readonly #props: BundledAddonProps;

  protected constructor(entry: CatalogueEntry, props: BundledAddonProps) {
    super();
    this.#entry = entry;
    this.#props = props;
    this.name = props.name ?? entry.name;
    this.provides = entry.provides ?? [];
    this.requires = [AddonCapability.POD_NETWORK, ...(entry.requires ?? [])];
    this.conflictsWith = entry.conflictsWith ?? [];
    this.after = props.after ?? [];
  }

  /**
   * Gives the chart to the delivery, and the objects that come after it.
   *
   * @param tenant a chart whose objects go to the tenant
   * @param context the cluster that the addon is for
   */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const { chart, namespace, privileged, tolerations, values, define, check } = this.#entry;
    [
      ...(check?.(context) ?? []),
      ...checkTolerationList(this.#props.tolerations),
      ...checkValueKeys(chart, this.#props, context.versions),
    ].forEach((problem) => Problems.of(tenant).add(problem));
    const own = mergeValues(values?.(context), tolerationValues(tolerations, this.#props.tolerations));
    define?.(tenant);
    const charts = [bundledChart({ chart, releaseName: this.name, namespace, privileged, values: own }, this.#props, context.versions)];
    return { charts, ...(define && { chartsFirst: true }) };
  }
}

const REQUIRED_RULE: Rule = {
  id: 'TC-ADDON-REQUIRED',
  title: 'Required values of a chart must be set, and not empty.',
};

/** Checks that a required string or list is not empty. */
export function checkGiven(property: string, value: string | readonly unknown[], fix: string): Problem[] {
  return value.length > 0 ? [] : [{ rule: REQUIRED_RULE, property, message: 'it is empty', fix }];
}

const REFUSED_ANNOTATION_RULE: Rule = {
  id: 'TC-ADDON-REFUSED-ANNOTATION',
  title: 'Annotations of a Service of type LoadBalancer must be allowed, or dropped, by the isolation of the tenant, if they are copied to the management cluster.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go, v0.6.0 (copies all annotations)',
};

/** Checks that the Service of an addon is not refused in the management cluster for its annotations. */
export function checkServiceAnnotations(annotations: { readonly [key: string]: string } = {}, { publishedAnnotations }: ClusterContext): Problem[] {
  const refused = publishedAnnotations === undefined ? [] : Object.keys(annotations).filter((key) => !publishedAnnotations.includes(key));
  return refused.map((key) => ({
    rule: REFUSED_ANNOTATION_RULE,
    property: `serviceAnnotations["${key}"]`,
    message: 'it is copied to the management cluster, where the isolation of the tenant refuses it: the Service stays pending',
    fix: 'remove it; or allow the key (annotations of ServiceIsolation.admissionPolicy), or have keys dropped that are not allowed (dropAnnotations)',
  }));
}

const URL_RULE: Rule = {
  id: 'TC-ADDON-URL',
  title: 'Destination addresses of an addon must be absolute http or https URLs.',
};

/** Checks an address that is sent to. */
export function checkUrl(property: string, url: string): Problem[] {
  return /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '') ? [] : [{
    rule: URL_RULE,
    property,
    message: `"${url}" is not a destination URL`,
    accepted: 'http://… and https://…',
    fix: 'write the whole URL, such as "https://metrics.example.com/api/v1/write"',
  }];
}

const OBJECT_NAME_RULE: Rule = {
  id: 'TC-ADDON-OBJECT-NAME',
  title: 'The names of objects in the tenant must be valid in Kubernetes.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

/** Checks the name of an object that is referred to. */
export function checkObjectName(property: string, name: string | undefined): Problem[] {
  const fault = name === undefined ? undefined : checkDnsSubdomain(name);
  return fault === undefined ? [] : [{ rule: OBJECT_NAME_RULE, property, message: fault, fix: 'give the name of the object in the tenant' }];
}

/** An environment variable whose value is a Secret's: credentials that are in the tenant by other means. */
export interface SecretVariable {
  /** Name of the variable, e.g. `CF_API_TOKEN` (`TC-ADDON-REQUIRED`). */
  readonly name: string;

  /** Name of the Secret, in the namespace of the addon (`TC-ADDON-OBJECT-NAME`). */
  readonly secretName: string;

  /** Key of the Secret that holds the value (`TC-ADDON-REQUIRED`). */
  readonly secretKey: string;
}

/** The variables as a container takes them; undefined where there are none. */
export function secretVariables(variables: readonly SecretVariable[] | undefined): object[] | undefined {
  return variables?.map(({ name, secretName, secretKey }) => ({ name, valueFrom: { secretKeyRef: { name: secretName, key: secretKey } } }));
}

/** Checks the names of variables, Secrets and keys. */
export function checkSecretVariables(variables: readonly SecretVariable[] = []): Problem[] {
  return variables.flatMap(({ name, secretName, secretKey }, index) => [
    ...checkGiven(`credentials[${index}].name`, name, 'give the name of the variable'),
    ...checkObjectName(`credentials[${index}].secretName`, secretName),
    ...checkGiven(`credentials[${index}].secretKey`, secretKey, 'give the key of the Secret'),
  ]);
}
