import { fieldsOf, PageExpression, PageFields } from '../../../rules/page-expression';
import { canonicalJson } from '../../../values/content-hash';
import { fieldAt, Fields, isFields, sameValue, stringAt } from '../../../values/fields';
import { KUBELET_PATCH } from '../node-files';

/** Fields of a kubelet's configuration that are objects with an option of their own, whose values are merged with defaults. */
const MERGED = ['systemReserved', 'kubeReserved', 'evictionHard'] as const;

/** The kubelet's options in the file with its configuration. */
export interface KubeletPart {
  /** The `kubelet` property; undefined if the file is as the library writes it. */
  readonly kubelet?: PageFields;

  /** True if the options make the file. */
  readonly makesFile: boolean;
}

/**
 * Reads the options of kubelets.
 *
 * @param files the files of the machine
 * @param plain the files that the class writes without options
 */
export function kubeletPart(files: readonly unknown[], plain: readonly unknown[]): KubeletPart {
  const [first] = files;
  const usual = plain.find(isKubeletFile);
  if (sameValue(first, usual)) return { makesFile: usual !== undefined };
  const given = isKubeletFile(first) ? configurationIn(first) : undefined;
  if (!given) return { kubelet: usual === undefined ? undefined : { defaults: false }, makesFile: false };
  const defaults = configurationIn(usual);
  return { kubelet: (defaults && beside(given, defaults)) ?? { defaults: false, ...optionsOf(given) }, makesFile: true };
}

/** True for the file with the configuration of the kubelet. */
export function isKubeletFile(file: unknown): boolean {
  return stringAt(file, 'path') === KUBELET_PATCH;
}

/** The fields in the text of the file; undefined if the library would write another text. */
function configurationIn(file: unknown): Fields | undefined {
  const text = stringAt(file, 'content') ?? '';
  try {
    const value: unknown = JSON.parse(text);
    if (!isFields(value) || text !== `${JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)}\n`) return undefined;
    const { apiVersion: _apiVersion, kind: _kind, ...fields } = value;
    return fields;
  } catch {
    return undefined;
  }
}

/** The options beside the defaults; undefined if one of these has to go. */
function beside(given: Fields, defaults: Fields): PageFields | undefined {
  const isComplete = Object.entries(defaults).every(([name, value]) => (
    isFields(value) ? Object.keys(value).every((key) => fieldAt(given, name, key) !== undefined) : given[name] !== undefined));
  if (!isComplete) return undefined;
  const merged = MERGED.map((name) => [name, changed(fieldAt(given, name), fieldAt(defaults, name))] as const);
  const { maxPods } = given;
  return optionsOf({ ...given, ...Object.fromEntries(merged), maxPods: maxPods === defaults.maxPods ? undefined : maxPods });
}

function changed(given: unknown, defaults: unknown): PageFields | undefined {
  const entries = Object.entries(isFields(given) ? given : {}).filter(([key, value]) => value !== fieldAt(defaults, key));
  return fieldsOf(Object.fromEntries(entries));
}

/** Options that make fields of a configuration. Soft thresholds are left to patches. */
function optionsOf(fields: Fields): PageFields {
  const { systemReserved, kubeReserved, evictionHard, maxPods, evictionSoft: _soft, evictionSoftGracePeriod: _grace, ...others } = fields;
  return {
    systemReserved: fieldsOf(systemReserved),
    kubeReserved: fieldsOf(kubeReserved),
    evictionHard: fieldsOf(evictionHard),
    maxPods: typeof maxPods === 'number' ? maxPods : undefined,
    configuration: fieldsOf(others) as PageExpression as PageFields | undefined,
  };
}
