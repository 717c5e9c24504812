import * as fs from 'node:fs';
import { ApiObjectMetadata, Chart, Yaml } from 'cdk8s';
import { ManifestAddon, ManifestAddonProps } from './manifest-addon';
import { ADDON_RULES } from './rules';
import { statusOf } from '../../manifests/values/file-status';
import { Problems } from '../app/problems/problems';
import { TypedApiObject } from '../app/synth/typed-api-object';
import { ClusterContext } from '../contracts/cluster-context';

/** A Kubernetes object of a manifest file. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMetadata & { readonly name: string };
}

/**
 * The objects of a YAML file, applied to the tenant unchanged.
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
    Problems.of(tenant).add({ rule: ADDON_RULES.manifest, message, fix });
  }
}

function isManifest(document: unknown): document is Manifest {
  if (typeof document !== 'object' || document === null) return false;
  const { apiVersion, kind, metadata } = document as Partial<Manifest>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
