import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { loadAll } from 'js-yaml';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { CustomResourceTypeProps } from '../../../src/constructs/operators/custom-resource/custom-resource-type-props';
import { Manifest } from '../../support/clusters';
import { problemsIn } from '../../support/problems';
import { ScriptFolder } from '../../support/shell-scripts';

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'clusters.postgresql.example.com', labels: { app: 'pg' }, annotations: { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' } },
  spec: {
    group: 'postgresql.example.com',
    names: { kind: 'Cluster', listKind: 'ClusterList', plural: 'clusters', singular: 'cluster', shortNames: ['pg'], categories: ['all'] },
    scope: 'Namespaced',
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { service: { name: 'pg', namespace: 'pg' } }, conversionReviewVersions: ['v1'] } },
    versions: [{
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              required: ['instances'],
              properties: { instances: { type: 'integer', minimum: 1 }, size: { type: 'string', default: '1Gi', format: 'a format of its own' } },
            },
            status: { type: 'object', properties: { ready: { type: 'integer' } } },
          },
        },
      },
      subresources: { status: {}, scale: { specReplicasPath: '.spec.instances', statusReplicasPath: '.status.ready' } },
      additionalPrinterColumns: [{ name: 'Ready', type: 'integer', jsonPath: '.status.ready', priority: 1 }],
      selectableFields: [{ jsonPath: '.spec.size' }],
    }],
  },
};

const folder = new ScriptFolder();
const KEPT = { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=false,Delete=false', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };

function definedBy(type: CustomResourceTypeProps): Manifest {
  return new CustomResourceType(Testing.chart(), 'type', type).definition.toJson();
}

function problems(type: CustomResourceTypeProps, spec: object): string[] {
  return problemsIn((app) => {
    CustomResourceType.instanceOf(new Chart(app, 'pg', { namespace: 'pg' }), 'main', type, { spec: spec as { [field: string]: unknown } });
  }).map(({ id, text }) => `${id} ${text}`);
}

test('the definition of a type that is read is the one that was read, and is kept', () => {
  const { metadata, spec } = definedBy(CustomResourceType.fromDefinition(DEFINITION));

  expect(spec).toEqual(DEFINITION.spec);
  expect(metadata).toMatchObject({ name: DEFINITION.metadata.name, labels: { app: 'pg' }, annotations: KEPT });
});

test('objects are checked against it, whatever its author thinks of formats', () => {
  const type = CustomResourceType.fromDefinition(DEFINITION);

  expect(problems(type, { instances: 3 })).toEqual([]);
  expect(problems(type, { instances: 0 })).toEqual([expect.stringContaining('TC-CRD-INSTANCE spec.instances: 0 is too small')]);
  expect(problems(type, { instances: 1, sise: '1Gi' })).toEqual([expect.stringMatching(/TC-CRD-INSTANCE spec\.sise: there is no field "sise".*did you mean "size"/)]);
});

describe('a file', () => {
  const text = `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [DEFINITION] })}\n`;
  const yaml = `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: pg\n---\n${JSON.stringify(DEFINITION)}\n---\n${JSON.stringify(DEFINITION).replaceAll('Cluster"', 'Backup"')}\n`;

  test('of JSON or YAML is read, and a kind is chosen of several', () => {
    expect(CustomResourceType.fromFile(folder.put('crd.json', text)).kind).toBe('Cluster');
    expect(CustomResourceType.fromFile(folder.put('install.yaml', yaml), 'Backup').kind).toBe('Backup');
    expect(CustomResourceType.fromText(text, 'Cluster').group).toBe('postgresql.example.com');
  });

  test.each<[string, () => unknown, string]>([
    ['a missing file', () => CustomResourceType.fromFile(folder.path('none.yaml')), 'TC-CRD-DEFINITION path: there is no file '],
    ['a file of something else', () => CustomResourceType.fromFile(folder.put('a.yaml', 'a: 1\n')), 'has no definition. Fix: give what holds'],
    ['several definitions', () => CustomResourceType.fromText(yaml), 'the text has 2 definitions. Accepted: Cluster, Backup'],
    ['another kind', () => CustomResourceType.fromText(yaml, 'Pooler'), 'the text has no definition of Pooler. Accepted: Cluster, Backup'],
    ['a text that is no YAML', () => CustomResourceType.fromText('a: [', 'Cluster'), 'the text cannot be read'],
    ['an old definition', () => CustomResourceType.fromDefinition({ ...DEFINITION, apiVersion: 'apiextensions.k8s.io/v1beta1' }), 'definition: it is apiextensions.k8s.io/v1beta1 CustomResourceDefinition'],
    ['one without a kind', () => CustomResourceType.fromDefinition({ ...DEFINITION, spec: { group: 'a.b' } }), 'definition.spec: it names no group or no kind'],
    ['one without a schema', () => CustomResourceType.fromDefinition({ ...DEFINITION, spec: { ...DEFINITION.spec, versions: [{ name: 'v1' }] } }), 'definition.spec.versions[0].schema'],
  ])('%s is an error of the call', (_what, read, message) => {
    expect(read).toThrow(message);
  });
});

/** Definitions of public projects, where they are at hand. */
const PUBLIC = process.env.CRDS_DIR ?? join(__dirname, '..', '..', '..', '..', 'shared', 'crds');

(existsSync(PUBLIC) ? describe : describe.skip)('definitions of public projects', () => {
  const files = existsSync(PUBLIC) ? readdirSync(PUBLIC).filter((file) => file.endsWith('.yaml')) : [];

  test.each(files)('%s: what is read is written again', (file) => {
    const definitions = (loadAll(readFileSync(join(PUBLIC, file), 'utf8')) as Manifest[]).filter((object) => object?.kind === 'CustomResourceDefinition');

    for (const definition of definitions) {
      const { spec } = definedBy(CustomResourceType.fromDefinition(definition));
      expect({ name: definition.metadata.name, spec: normal(spec) }).toEqual({ name: definition.metadata.name, spec: normal(definition.spec) });
    }
  });
});

/** A definition without what API servers add, and without what says nothing. */
function normal({ names, versions, conversion, preserveUnknownFields: _, ...spec }: Manifest): Manifest {
  return {
    ...spec,
    conversion: conversion ?? { strategy: 'None' },
    names: { listKind: `${names.kind}List`, singular: names.kind.toLowerCase(), ...names },
    versions: versions.map(({ subresources, additionalPrinterColumns, ...version }: Manifest) => ({
      ...version,
      ...(Object.keys(subresources ?? {}).length > 0 && { subresources }),
      ...(additionalPrinterColumns && {
        additionalPrinterColumns: additionalPrinterColumns.map(({ priority, ...column }: Manifest) => ({ ...column, ...(priority && { priority }) })),
      }),
    })),
  };
}
