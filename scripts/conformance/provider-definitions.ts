import * as fs from 'node:fs';
import { ManifestObject } from '../../src/manifests/objects/manifest-object';
import { readText } from '../../src/manifests/objects/manifest-text';
import { DefinedKind } from '../../src/manifests/rules/structure/defined-kind';
import { isDefinition, KindDefinitions } from '../../src/manifests/rules/structure/kind-definitions';
import { KindStructure } from '../../src/manifests/rules/structure/kind-structure';
import { structureOf, structuresOf } from '../../src/manifests/rules/structure/structures';
import { PROVIDER_TABLES } from '../../src/manifests/systems/tables';
import { Fields } from '../../src/manifests/values/fields';
import { CRD_SOURCES } from '../crds/crd-source';
import { providerFiles } from '../crds/provider-folders';
import { goldenManifests } from '../golden/golden-manifests';

/** Groups with webhooks of Cluster API, which the server has. */
const WEBHOOKS: readonly string[] = ['ipam.cluster.x-k8s.io', 'runtime.cluster.x-k8s.io'];

const PINNED: ReadonlySet<string> = new Set(CRD_SOURCES.flatMap(({ crds }) => crds.map(({ name }) => name)));

/** Definitions of the package that the server does not have from its start. */
const UNSERVED: ReadonlySet<string> = new Set(CRD_SOURCES.filter(({ unserved }) => unserved).flatMap(({ crds }) => crds.map(({ name }) => name)));

/** The project of a table whose webhooks the server has. */
const DEVELOPMENT = 'kubernetes-sigs/cluster-api';

/** True if the server has the definition of a kind from its start. */
export function isPinned({ plural, group }: DefinedKind): boolean {
  return PINNED.has(`${plural}.${group}`);
}

/** Definitions of providers that are not pinned, each without the address of a webhook that converts objects. */
export function providerDefinitions(): DefinedKind[] {
  return definitionsInFiles().filter((defined) => !isPinned(defined) && !WEBHOOKS.includes(defined.group));
}

/** Pinned definitions of the kinds of tables whose webhooks do not run beside the server. */
export function tableDefinitions(): DefinedKind[] {
  const kinds = new Set(PROVIDER_TABLES.filter(({ project }) => project !== DEVELOPMENT).flatMap((table) => Object.keys(table.kinds)));
  return definitionsInFiles().filter((defined) => isPinned(defined) && kinds.has(`${defined.group}/${defined.kind}`));
}

/** True if golden output has an object of a kind. */
export function isInGolden({ group, kind }: DefinedKind): boolean {
  return goldenManifests().some(([, text]) => text.split(/^---$/m).some((document) => (
    field(document, 'kind') === kind && field(document, 'apiVersion')?.startsWith(`${group}/`))));
}

function definitionsInFiles(): DefinedKind[] {
  return definedKinds(providerFiles().map((file) => fs.readFileSync(file, 'utf8')));
}

/** Definitions of the kinds that examples may write: those of providers, and those of the package that the server does not have from its start. */
export function exampleDefinitions(): DefinedKind[] {
  return [...providerDefinitions(), ...unservedDefinitions()];
}

function unservedDefinitions(): DefinedKind[] {
  const groups = new Set([...UNSERVED].map((name) => name.slice(name.indexOf('.') + 1)));
  return [...groups].flatMap((group) => structuresOf(group)).filter((kind): kind is DefinedKind => kind instanceof DefinedKind && isUnserved(kind));
}

function isUnserved({ plural, group }: KindStructure): boolean {
  return UNSERVED.has(`${plural}.${group}`);
}

function definedKinds(texts: readonly string[]): DefinedKind[] {
  const found = texts.flatMap((text) => readText(text).documents.map(({ value }) => value)).filter(isDefinition);
  const kinds = new KindDefinitions(found.map((definition) => ({ ...definition, spec: { ...definition.spec as Fields, conversion: { strategy: 'None' } } })));
  return kinds.groups.flatMap((group) => [...kinds.ofGroup(group)!.values()]);
}

/** Kinds in golden output that the package does not know: those of packages that examples write as other authors would. */
export class ExampleKinds {
  /** Definitions of these kinds, which the server has from its start. */
  public readonly definitions: readonly ManifestObject[];

  private readonly lacking: ReadonlyMap<string, readonly string[]>;

  /** @param known the definitions of kinds that the server does not have */
  public constructor(known: readonly DefinedKind[] = providerDefinitions()) {
    const unknown = goldenManifests().map(([output, text]) => [output, unknownKinds(text)] as const);
    const names = new Set(unknown.flatMap(([, kinds]) => kinds));
    const found = known.filter(({ group, kind }) => names.has(`${group}/${kind}`));
    const have = new Set(found.map(({ group, kind }) => `${group}/${kind}`));
    this.definitions = found.map(({ definition }) => definition);
    this.lacking = new Map(unknown.map(([output, kinds]) => [output, kinds.filter((kind) => !have.has(kind))]));
  }

  /** True if the server serves all kinds of an output. */
  public isServed(output: string): boolean {
    return (this.lacking.get(output) ?? []).length === 0;
  }

  /** Outputs whose kinds the server does not all serve, in words. */
  public get unproved(): readonly string[] {
    return [...this.lacking].filter(([, kinds]) => kinds.length > 0).map(([output, kinds]) => `no definitions of ${kinds.join(', ')} are there for ${output}`);
  }
}

/** The kinds of an output that neither the server nor a definition in the output has. */
function unknownKinds(text: string): string[] {
  const documents = text.split(/^---$/m);
  const defined = documents.filter((document) => field(document, 'kind') === 'CustomResourceDefinition');
  const kinds = documents.flatMap((document) => {
    const [apiVersion, kind] = [field(document, 'apiVersion'), field(document, 'kind')];
    if (apiVersion === undefined || kind === undefined) return [];
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    const isDefined = defined.some((definition) => definition.includes(`group: ${group}\n`) && definition.includes(`kind: ${kind}\n`));
    const structure = structureOf(group, kind);
    return isDefined || (structure && !isUnserved(structure)) ? [] : [`${group}/${kind}`];
  });
  return [...new Set(kinds)];
}

/** A field on the top level of a document. */
function field(document: string, name: string): string | undefined {
  return new RegExp(`^${name}: (\\S+)`, 'm').exec(document)?.[1];
}
