import * as fs from 'node:fs';
import { ApiObjectMetadata, Chart, Yaml } from 'cdk8s';
import { statusOf } from '../../manifests/values/file-status';
import { Rule } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { allowPruning } from '../app/synth/kept-objects';
import { TypedApiObject } from '../app/synth/typed-api-object';
import { Addon, AddonCapability, AddonConfig } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';

/** Relations of an addon of manifests to the other addons of a cluster. */
export interface ManifestAddonProps {
  /**
   * Capabilities that the manifests provide: values of `AddonCapability`, or your own names.
   *
   * @default - none
   */
  readonly provides?: string[];

  /**
   * Capabilities that the cluster must have before the manifests are applied (`TC-ADDON-REQUIREMENT`).
   *
   * @default - a pod network
   */
  readonly requires?: string[];

  /**
   * Names or capabilities of addons that cannot be in the same cluster (`TC-ADDON-CONFLICT`).
   *
   * @default - none
   */
  readonly conflictsWith?: string[];

  /**
   * Addons that must be applied before this one, in addition to those that provide its requirements, e.g. the addon with the definitions
   * of the objects (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];

  /**
   * True if Flux, Argo CD and Helm never prune the CustomResourceDefinitions and Namespaces among the manifests: all objects of a type are
   * deleted with their definition, and all objects in a namespace with it. Objects whose own annotations decide about pruning stay as they
   * are.
   *
   * @default true
   */
  readonly keepOnPrune?: boolean;
}

/**
 * Manifests that are applied to the tenant: extend the class and define constructs in `define`.
 *
 * The name of the addon is a DNS label that is unique within a cluster.
 *
 * For manifests of one cluster, use the cluster's `workloads` instead.
 *
 * Rules: `TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`.
 *
 * @example
 * class PriorityClasses extends ManifestAddon {
 *   protected define(tenant: Chart): void {
 *     new ApiObject(tenant, 'critical', {
 *       apiVersion: 'scheduling.k8s.io/v1',
 *       kind: 'PriorityClass',
 *       metadata: { name: 'team-critical' },
 *       value: 1000,
 *     });
 *   }
 * }
 * acme.addAddon(new PriorityClasses('priority-classes'));
 */
export abstract class ManifestAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the manifests provide. */
  public override readonly provides: string[];

  /** Capabilities that the cluster must have before the manifests are applied. */
  public override readonly requires: string[];

  /** Names or capabilities of addons that cannot be in the same cluster. */
  public override readonly conflictsWith: string[];

  /** Addons that must be applied before this one. */
  public override readonly after: Addon[];

  private readonly keepOnPrune: boolean;

  public constructor(name: string, props: ManifestAddonProps = {}) {
    super();
    this.name = name;
    this.keepOnPrune = props.keepOnPrune ?? true;
    this.provides = props.provides ?? [];
    this.requires = props.requires ?? [AddonCapability.POD_NETWORK];
    this.conflictsWith = props.conflictsWith ?? [];
    this.after = props.after ?? [];
  }

  /**
   * Adds the manifests to the tenant's chart.
   *
   * @param tenant a chart whose objects go to the tenant
   * @param context the cluster that the addon is for
   */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    if (!this.keepOnPrune) allowPruning(tenant);
    this.define(tenant, context);
    return {};
  }

  /**
   * Defines the constructs. Bad values are reported through `Problems.of(tenant)`; the name of the addon is put before the property.
   *
   * @param tenant the chart to define them in
   * @param context the cluster that the addon is for
   */
  protected abstract define(tenant: Chart, context: ClusterContext): void;
}

/** A Kubernetes object of a manifest file. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMetadata & { readonly name: string };
}

const MANIFEST_RULE: Rule = {
  id: 'TC-ADDON-MANIFEST',
  title: 'A manifest file must be readable, and contain Kubernetes objects with apiVersion, kind and metadata.name.',
};

/**
 * The objects of a YAML file, applied to the tenant unchanged, but for annotations that keep CustomResourceDefinitions and Namespaces when they
 * leave the file (`keepOnPrune`).
 *
 * The name of the addon is a DNS label that is unique within a cluster. The file is on the machine that synthesizes. URLs are rejected:
 * their content may change between two runs.
 *
 * Rules: `TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`, `TC-ADDON-MANIFEST`.
 *
 * @example
 * acme.addAddon(new ManifestFileAddon('quota', 'manifests/quota.yaml'));
 */
export class ManifestFileAddon extends ManifestAddon {
  private documents: unknown[] | undefined;

  public constructor(name: string, private readonly file: string, props: ManifestAddonProps = {}) {
    super(name, props);
  }

  /**
   * Defines the objects of the file.
   *
   * @param tenant the chart to define them in
   * @param _context the cluster that the addon is for
   */
  protected define(tenant: Chart, _context: ClusterContext): void {
    this.read(tenant).forEach((document, index) => {
      if (!isManifest(document)) {
        this.report(tenant, `document ${index + 1} of ${this.file} is no Kubernetes object`, 'give it apiVersion, kind and metadata.name');
        return;
      }
      const { apiVersion, kind, metadata } = document;
      const id = [kind, metadata.namespace, metadata.name].filter((part) => part).join('/').replaceAll('/', ' ');
      if (tenant.node.tryFindChild(id)) {
        this.report(tenant, `${this.file} has two objects ${id}`, 'keep one of them');
        return;
      }
      new TypedApiObject(tenant, id, { apiVersion, kind }, document);
    });
  }

  private read(tenant: Chart): unknown[] {
    if (!statusOf(this.file)?.isFile()) {
      this.report(tenant, `there is no file ${this.file}`, 'give the path of a file; relative paths start where the program is run');
      return [];
    }
    // Cached: each read starts a process, and many clusters may share the addon.
    this.documents ??= Yaml.load(fs.realpathSync(this.file));
    if (this.documents.length === 0) this.report(tenant, `${this.file} holds no object`, 'write objects into it, or remove the addon');
    return this.documents;
  }

  private report(tenant: Chart, message: string, fix: string): void {
    Problems.of(tenant).add({ rule: MANIFEST_RULE, message, fix });
  }
}

function isManifest(document: unknown): document is Manifest {
  if (typeof document !== 'object' || document === null) return false;
  const { apiVersion, kind, metadata } = document as Partial<Manifest>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
