import * as path from 'node:path';
import { decode, readText } from '../objects/manifest-text';
import { Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../values/fields';

/** Fields of a kustomization that list configuration of generators and transformers. */
export const PLUGIN_FIELDS = ['generators', 'transformers'] as const;

/** Files that generators take values from. */
const KEYS: readonly string[] = ['files', 'envs', 'env'];

/**
 * Generators and transformers that are part of kustomize and start no program, with the fields of their configuration that name files.
 *
 * Source: kubernetes-sigs/kustomize api/internal/plugins/builtinhelpers/builtins.go, api/internal/builtins, v0.21.2.
 */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  AnnotationsTransformer: [],
  ConfigMapGenerator: KEYS,
  HashTransformer: [],
  IAMPolicyGenerator: [],
  ImageTagTransformer: [],
  LabelTransformer: [],
  NamespaceTransformer: [],
  PatchJson6902Transformer: ['path'],
  PatchStrategicMergeTransformer: ['paths'],
  PatchTransformer: ['path'],
  PrefixSuffixTransformer: [],
  PrefixTransformer: [],
  ReplacementTransformer: [],
  ReplicaCountTransformer: [],
  SecretGenerator: KEYS,
  SuffixTransformer: [],
  ValueAddTransformer: ['targetFilePath'],
};

/** Fields that name files in the configuration of one of them. */
const NAMING: readonly string[] = [...new Set([...Object.values(BUILT_IN).flat(), 'replacements'])];

/** Annotations of functions, which run in containers or as programs. Source: kubernetes-sigs/kustomize kyaml/fn/runtime/runtimeutil/functiontypes.go. */
const FUNCTION: readonly string[] = ['config.kubernetes.io/function', 'config.k8s.io/function'];

/** Content of a file or folder that a kustomization lists. */
export interface ListedConfiguration {
  readonly bytes?: Buffer;

  /** The kustomization of a folder. */
  readonly kustomization?: Fields;
}

/** Configuration of generators or transformers. */
export interface PluginConfiguration {
  /** The configuration itself, as a kustomization may hold it. */
  readonly inline: readonly string[];

  /** Files that hold it. */
  readonly files: readonly string[];

  /** Files that it names, from the folder of the kustomization. */
  readonly names: readonly string[];
}

/**
 * Configuration of the generators or transformers that a kustomization lists, or the reason that they are not run. What is part of kustomize changes
 * objects, and nothing else.
 *
 * Source: kubernetes-sigs/kustomize api/internal/target/kusttarget.go (configureExternalTransformers), api/internal/plugins/loader/loader.go, v0.21.2.
 *
 * @param field the field that lists them
 * @param entries its entries
 * @param folder the folder of the kustomization
 * @param find finds a file or folder that an entry names, by its path
 */
export function pluginConfiguration(
  field: string, entries: readonly unknown[], folder: string, find: (at: string) => ListedConfiguration | undefined,
): PluginConfiguration | string {
  const found: PluginConfiguration & { inline: string[]; files: string[]; names: string[] } = { inline: [], files: [], names: [] };
  const fault = `${field} of a kustomization are not run`;
  const take = (bytes: Buffer): boolean => {
    const decoded = decode(bytes);
    const documents = 'text' in decoded ? readText(decoded.text).documents.map(({ value }) => value).filter((value) => value !== null) : [undefined];
    return documents.every((value) => {
      const names = isFields(value) ? namesOf(value) : undefined;
      if (!names) return false;
      found.inline.push(JSON.stringify(value));
      found.names.push(...names);
      return true;
    });
  };
  const taken = new Set<string>();
  const takeListed = (at: string, depth: number): boolean => {
    // kustomize refuses the same configuration twice.
    if (taken.has(at)) return false;
    taken.add(at);
    const { bytes, kustomization } = find(at) ?? {};
    found.files.push(kustomization ? path.posix.join(at, 'kustomization.yaml') : at);
    if (bytes) return take(bytes);
    const isList = kustomization && depth > 0 && Object.keys(kustomization).every((key) => ['apiVersion', 'kind', 'metadata', 'resources'].includes(key));
    return isList === true && listAt(kustomization, 'resources').every((entry) => typeof entry === 'string' && takeListed(path.posix.join(at, entry), depth - 1));
  };
  // kustomize reads those in the kustomization itself first.
  const isInline = (entry: unknown) => typeof entry === 'string' && /[\n{]|: /.test(entry);
  const sorted = [...entries.filter(isInline), ...entries.filter((entry) => !isInline(entry))];
  const isRun = sorted.every((entry) => typeof entry === 'string'
    && (isInline(entry) ? take(Buffer.from(entry)) : takeListed(path.posix.join(folder, entry).replace(/(?<=.)\/$/, ''), 3)));
  return isRun ? found : fault;
}

/** The files that configuration names; undefined if it is for something else than a part of kustomize that only changes or makes objects. */
function namesOf(value: Fields): readonly string[] | undefined {
  const naming = Object.hasOwn(BUILT_IN, String(value.kind)) && value.apiVersion === 'builtin' ? BUILT_IN[String(value.kind)] : undefined;
  if (!naming || FUNCTION.some((name) => isSet(value, 'metadata', 'annotations', name))) return undefined;
  const replacements = value.kind === 'ReplacementTransformer' ? objectsAt(value, 'replacements').map(([entry]) => entry) : [];
  // encoding/json of Go takes names of any case.
  const isMisspelled = (fields: Fields, known: readonly string[]) => Object.keys(fields).some((name) => (
    !known.includes(name) && known.some((one) => one.toUpperCase() === name.toUpperCase())));
  if (isMisspelled(value, ['apiVersion', 'kind', 'metadata', ...NAMING]) || replacements.some((entry) => isMisspelled(entry, ['path']))) return undefined;
  const names = [
    ...naming.flatMap((field) => [value[field]].flat()), ...replacements.map((entry) => stringAt(entry, 'path')),
  ].filter((name): name is string => typeof name === 'string' && name !== '' && !name.includes('\n'));
  // A file of a generator may have a key before it.
  return naming === KEYS ? names.map((name) => name.replace(/^[^=]*=/, '')) : names;
}
