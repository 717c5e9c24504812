import * as fs from 'node:fs';
import { ApiObject } from 'cdk8s';
import { listedObjects } from '../../../manifests/objects/manifest-list';
import { isManifestObject, ManifestObject, nameOf, namespaceOf } from '../../../manifests/objects/manifest-object';
import { decode, readText } from '../../../manifests/objects/manifest-text';
import { storedObject } from '../../../manifests/stored/stored-objects';
import { fieldAt, FieldPath } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { FormerObject } from '../../app/synth/content-name';

/** The names that the page gives the templates of a pool or control plane, by which a later change of the page is known. */
export interface FormerTemplatesOptions {
  /**
   * Name of the machine template that the page makes in place of the former one: `<cluster>-<pool>-<hash>`, of a control plane
   * `<cluster>-control-plane-<hash>`.
   *
   * @default - not known: the error says it
   */
  readonly machineTemplate?: string;

  /**
   * Name of the bootstrap template that the page makes in place of the former one: `<cluster>-<pool>-<hash>`. A control plane has none.
   *
   * @default - not known: the error says it
   */
  readonly bootstrapTemplate?: string;

  /**
   * Name of the configuration that the page makes for the machines of a control plane: `<cluster>-control-plane-<hash>`. A pool has none.
   *
   * @default - not known: the error says it
   */
  readonly configuration?: string;
}

/**
 * The templates that machines were made from before there was a page. Cluster API replaces machines when the name of a template changes, and
 * those of a control plane when its configuration of kubeadm changes, too: a pool or control plane with former templates keeps their names and
 * contents until its page changes on purpose.
 *
 * The page has to say which of its states they stand for. Leave that out at first: the error of the synthesis has the names to write.
 *
 * @example
 * acme.addNodePool('md-0', {
 *   machine: new KubevirtMachine({
 *     cpu: 4,
 *     memory: Size.gibibytes(16),
 *     rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' }),
 *   }),
 *   size: PoolSize.fixed(3),
 *   formerTemplates: FormerTemplates.fromFile('former/acme-md-0.yaml', {
 *     machineTemplate: 'acme-md-0-1a2b3c4d',
 *     bootstrapTemplate: 'acme-md-0-5e6f7a8b',
 *   }),
 * });
 */
export class FormerTemplates {
  /**
   * Reads the templates from a file of YAML or JSON. Objects of other kinds in it are left out.
   *
   * @param file path of the file, relative to the working directory: one machine template, and one bootstrap template of a pool or the object
   *   of a control plane (`TC-POOL-FORMER-TEMPLATES`)
   * @param options the names that the page gives its templates
   */
  public static fromFile(file: string, options: FormerTemplatesOptions = {}): FormerTemplates {
    return new FormerTemplates(file, options);
  }

  private readonly objects: readonly ManifestObject[];
  private readonly fault?: string;

  private constructor(private readonly file: string, private readonly options: FormerTemplatesOptions) {
    const read = readObjects(file);
    this.objects = Array.isArray(read) ? read : [];
    this.fault = typeof read === 'string' ? read : undefined;
  }

  /**
   * The former template of a kind.
   *
   * @param template the template that the page makes
   * @param part the part of the pool that it is for
   *
   * @internal
   */
  public _former({ apiGroup, kind }: ApiObject, part: keyof FormerTemplatesOptions): FormerObject | undefined {
    const [object] = this.ofKind(apiGroup, kind);
    return object && { name: nameOf(object) ?? '', apiVersion: object.apiVersion as string, spec: object.spec, standsFor: this.options[part] };
  }

  /**
   * The former configuration of a control plane's machines; undefined if the page has another one by now, or the file has none.
   *
   * @param object the control plane
   * @param path the field with the configuration
   * @param name the name of the page's configuration
   *
   * @internal
   */
  public _configuration(object: ApiObject, path: FieldPath, name: string): unknown {
    const [former] = this.ofKind(object.apiGroup, object.kind);
    return former === undefined || this.options.configuration !== name ? undefined : fieldAt(inVersion(former, object.apiVersion), ...path);
  }

  /**
   * Checks the file, and the names.
   *
   * @param parts what the page makes, by the part of the pool or control plane that it is for
   * @param property the property that has the templates
   *
   * @internal
   */
  public _check(parts: FormerParts, property: string): Problem[] {
    const at = { rule: FORMER_RULE, property };
    if (this.fault !== undefined) return [{ ...at, message: `${this.file} ${this.fault}`, fix: 'correct the file or its path, which is relative to the working directory' }];
    const given = Object.entries(parts) as [keyof FormerTemplatesOptions, FormerPart][];
    // A control plane whose file has no object of it keeps its machine template alone.
    const kept = given.filter(([part, { object }]) => part !== 'configuration' || this.ofKind(object.apiGroup, object.kind).length > 0);
    const faulty = kept.flatMap(([, { object }]) => this.checkObjects(object).map((message) => ({
      ...at, message: `${this.file} ${message}`, fix: `keep the objects of this ${parts.configuration ? 'control plane' : 'pool'} in the file, one of each kind, as they are in the cluster`,
    })));
    const unnamed = kept.filter(([part]) => this.options[part] === undefined);
    if (faulty.length > 0 || unnamed.length === 0) return faulty;
    const names = unnamed.map(([part, { name }]) => `${part}: '${name()}'`).join(', ');
    return [{ ...at, message: `which state of the page ${this.file} stands for is not stated`, fix: `write { ${names} } behind the path, once plan shows no other change` }];
  }

  private checkObjects({ apiGroup, apiVersion, kind, metadata: { namespace } }: ApiObject): string[] {
    const found = this.ofKind(apiGroup, kind);
    if (found.length !== 1) return [`has ${found.length === 0 ? 'no' : found.length} ${kind} of ${apiGroup}`];
    const [object] = found;
    const other = namespaceOf(object);
    if (nameOf(object) === undefined) return [`has a ${kind} without a name`];
    if (other !== undefined && other !== namespace) return [`has a ${kind} in namespace "${other}", and the cluster is in "${namespace}"`];
    const isTemplate = kind.endsWith('Template');
    return isTemplate || inVersion(object, apiVersion).apiVersion === apiVersion ? [] : [`has a ${kind} in ${String(object.apiVersion)}, and the page writes ${apiVersion}`];
  }

  private ofKind(group: string, kind: string): ManifestObject[] {
    return this.objects.filter((object) => object.kind === kind && String(object.apiVersion).split('/')[0] === group);
  }
}

/** Objects that a page makes for a part of a pool or control plane. */
interface FormerPart {
  readonly object: ApiObject;

  /** Returns the name that the page gives it. */
  readonly name: () => string;
}

/** Objects that a page makes in place of former templates. */
export type FormerParts = Readonly<Partial<Record<keyof FormerTemplatesOptions, FormerPart>>>;

const FORMER_RULE: Rule = {
  id: 'TC-POOL-FORMER-TEMPLATES',
  title: 'The file of former templates must have the machine template and the bootstrap template of the pool, or the machine template of the control plane, and the page must name those that they stand for.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/updating-machine-templates.md',
};

/** An object in a version of its API, as the server converts it. */
function inVersion(object: ManifestObject, apiVersion: string): ManifestObject {
  return object.apiVersion === apiVersion ? object : storedObject(object);
}

/** The objects of a file; a text says why it cannot be read. */
function readObjects(file: string): readonly ManifestObject[] | string {
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(file);
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
  const decoded = decode(bytes);
  if ('fault' in decoded) return decoded.fault;
  const { documents, faults: [fault] } = readText(decoded.text);
  return fault ? `cannot be read: line ${fault.line} ${fault.message}` : documents.flatMap(({ value }) => listedObjects(value)).map(({ object }) => object).filter(isManifestObject);
}
