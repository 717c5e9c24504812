import * as fs from 'node:fs';
import { ApiObjectMetadata, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { listedObjects } from '../../manifests/objects/manifest-list';
import { decode, readText } from '../../manifests/objects/manifest-text';
import { Problem, Rule } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { TypedApiObject } from '../app/synth/typed-api-object';

const FILE_RULE: Rule = {
  id: 'TC-MANIFEST-FILE',
  title: 'A manifest file must be readable, and contain objects with apiVersion, kind and metadata.name, each once.',
};

/** An object of a file. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMetadata & { readonly name: string };
}

/**
 * The objects of a file of YAML or JSON, as they are: for manifests of the management cluster that are written by hand or come from elsewhere.
 * Items of lists become objects of their own. `ManifestFileAddon` is for a tenant.
 *
 * The construct id is the name of its folder in a `GitOpsApp`. The path of the file is relative to the working directory.
 *
 * Rule: `TC-MANIFEST-FILE`.
 *
 * @example
 * new ManifestFileChart(app, 'storage', 'manifests/storage.yaml');
 */
export class ManifestFileChart extends Chart {
  public constructor(scope: Construct, id: string, file: string) {
    super(scope, id, { disableResourceNameHashes: true });
    const problems = Problems.of(this);
    for (const fault of this.addObjects(file)) problems.add(fault);
  }

  private addObjects(file: string): Problem[] {
    const at = { rule: FILE_RULE, property: 'file' };
    let bytes: Uint8Array;
    try {
      bytes = fs.readFileSync(file);
    } catch (error) {
      return [{ ...at, message: `${file} cannot be read: ${(error as Error).message}`, fix: 'correct the path, which is relative to the working directory' }];
    }
    const decoded = decode(bytes);
    if ('fault' in decoded) return [{ ...at, message: `${file} cannot be read: ${decoded.fault}`, fix: 'write YAML or JSON in UTF-8' }];
    const { documents, faults } = readText(decoded.text);
    const broken = faults.map((fault) => ({ ...at, message: `${file} line ${fault.line ?? 1}: ${fault.message}`, fix: 'correct the file' }));
    return [...broken, ...documents.flatMap(({ line, value }) => listedObjects(value).flatMap(({ object }) => this.addObject(object, `${file} line ${line ?? 1}`)))
      .map((message) => ({ ...at, message, fix: 'give each object apiVersion, kind and metadata.name, and keep one of two with the same name' }))];
  }

  private addObject(object: unknown, place: string): string[] {
    if (!isManifest(object)) return [`${place} is no Kubernetes object`];
    const { apiVersion, kind, metadata: { namespace, name } } = object;
    const id = [apiVersion, kind, namespace, name].filter((part) => part).join('/').replaceAll('/', ' ');
    if (this.node.tryFindChild(id)) return [`${place}: ${kind} ${name} is there twice`];
    new TypedApiObject(this, id, { apiVersion, kind }, object);
    return [];
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata } = value as Partial<Manifest>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
