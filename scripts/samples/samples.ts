import { ClassType, isClassType, Type } from '@jsii/spec';
import { Library, shortName } from '../api-reference/library';

/** Bases whose classes need a sample: what a page is made of. */
const SAMPLED = [
  'constructs.Construct', 'cdk8s.Chart', 'cdk8s.App', ...['Addon', 'ControlPlane', 'Infrastructure', 'Machine', 'Bootstrap', 'Delivery', 'EntryPoints']
    .map((name) => `cdk8s-cluster-api.${name}`), 'cdk8s-cluster-api.hosts.KubeadmPlatform',
];

/** Contracts that users extend rather than construct; `docs/strategies.md` has their samples. */
const CONTRACTS: readonly string[] = ['Cni'];

/** A program in the docstring of a type. */
export interface Sample {
  readonly type: string;
  readonly text: string;
}

/** The samples of all types. */
export function samplesOf(library: Library): Sample[] {
  return [...library.types].flatMap(([type, { docs }]) => (docs?.example ? [{ type, text: docs.example }] : []));
}

/** Constructs, addons and strategies without a sample. */
export function withoutSample(library: Library): string[] {
  const isMissing = (type: Type): boolean => isClassType(type) && !type.docs?.example && isSampled(library, type);
  return [...library.types].filter(([name, type]) => !CONTRACTS.includes(shortName(name)) && isMissing(type)).map(([name]) => name);
}

function isSampled(library: Library, type: ClassType): boolean {
  if (type.base === undefined) return false;
  const base: Type | undefined = library.types.get(type.base);
  return SAMPLED.includes(type.base) || (base !== undefined && isSampled(library, base as ClassType));
}

/** The imports of the names in a sample. */
export function importsOf(text: string, library: Library): string[] {
  const own = [...library.types.keys()].map((name) => name.split('.')[1]);
  return [[own, 'cdk8s-cluster-api'] as const, [CDK8S, 'cdk8s'] as const].flatMap(([names, from]) => {
    const named = [...new Set(names)].filter((name) => new RegExp(`(?<!\\.)\\b${name}\\b`).test(text)).sort();
    return named.length === 0 ? [] : [`import { ${named.join(', ')} } from '${from}';`];
  });
}

/** A sample as a module: with the imports of what it names, and with the variables that samples share. */
export function program({ text }: Sample, library: Library): string {
  const declared = SHARED.filter(([name]) => new RegExp(`\\b${name}\\b`).test(text) && !new RegExp(`\\bconst ${name}\\b`).test(text));
  return [
    ...importsOf(text, library),
    ...declared.map(([name, type]) => `declare const ${name}: ${type};`),
    text,
    'export {};',
    '',
  ].join('\n');
}

const CDK8S = ['ApiObject', 'Chart', 'Duration', 'Size'];

/** Variables that samples use and do not make. */
const SHARED: readonly (readonly [string, string])[] = [
  ['app', "import('cdk8s').App"],
  ['chart', "import('cdk8s').Chart"],
  ['acme', "import('cdk8s-cluster-api').TenantCluster"],
  ['hall', "import('cdk8s-cluster-api').ImportedManagementCluster"],
];
