import { indented, replaced } from './example-text';
import { ManifestRule } from './manifest-rule';
import { ofEachObject } from './of-one-object';
import { secretTexts } from './secret-texts';
import { ManifestObject } from '../objects/manifest-object';
import { FieldPath } from '../values/fields';
import { Finding } from '../values/finding';
import { GcfgFile, GcfgVariable, readGcfg } from '../values/gcfg';
import { parseGoDuration } from '../values/go-duration';
import { nearestName } from '../values/nearest-name';

/** The kinds of objects that have configurations of cloud providers. */
export const CLOUD_CONFIG_HOLDERS: readonly string[] = ['/ConfigMap', '/Secret', 'external-secrets.io/ExternalSecret'];

/** A configuration of a cloud provider, and the field that has its text. */
export interface CloudConfig {
  readonly path: FieldPath;
  readonly file: GcfgFile;
}

/** Names of their files, such as `cloud.conf` and `cloud-config`, and those that begin with `csi-`. */
const KEY = /cloud[-_.]?conf|^csi-[\w-]+\.conf$/i;

/** Their first line that is no comment. In YAML, no text begins with a bracket and a word on a line of their own. */
const BEGINNING = /^(?:\s*(?:[;#].*)?\n)*\s*\[\s*Global\s*\]/i;

/** The configurations of cloud providers in an object, in the form of sections and variables. */
export const cloudConfigs = ofEachObject((object: ManifestObject): readonly CloudConfig[] => (
  secretTexts(object).flatMap(([path, text]) => (KEY.test(String(path.at(-1))) && BEGINNING.test(text) ? [{ path, file: readGcfg(text) }] : []))));

type Type = 'string' | 'bool' | 'int' | 'duration';

/** The variables that a cloud provider's programs read. */
export interface CloudConfigTable {
  /** Variables of which one at least is in a file for this cloud, and in no other. */
  readonly own: readonly string[];

  /** Names of the variables of each section by their type, in lower case, with spaces between them. */
  readonly sections: Readonly<Record<string, Partial<Readonly<Record<Type, string>>>>>;
}

/** A rule over configurations of the programs of one cloud. */
interface CloudConfigRule {
  readonly id: string;

  /** Name of the cloud. */
  readonly cloud: string;

  /** Files that read the configuration. */
  readonly source: string;

  /** A configuration, and one of its variables that is misspelled in the example: without its last hyphen. */
  readonly text: string;
  readonly variable: string;
}

/** The rule that variables in configurations of a cloud must be ones that its programs read, with values of their type. */
export function cloudConfigRule({ id, cloud, source, text, variable }: CloudConfigRule, { own, sections }: CloudConfigTable): ManifestRule {
  const known = new Map(Object.entries(sections).map(([section, types]) => [section, new Map(
    Object.entries(types).flatMap(([type, names]) => names.split(' ').map((name) => [name, type as Type] as const)),
  )]));
  const secret = `apiVersion: v1
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
stringData:
  cloud.conf: |
${indented(text, 4)}`;
  return {
    id,
    title: `Variables in the configuration of ${cloud}'s cloud controller manager and CSI driver must be ones that they read, with values of their type: they ignore others, and end at such values.`,
    source,
    trap: true,
    kinds: CLOUD_CONFIG_HOLDERS,
    example: replaced(secret, variable, variable.replace(/-(?=[^-]*$)/, '')),
    check: (object) => cloudConfigs(object).filter(({ file }) => file.variables.some(({ name }) => own.includes(name)))
      .flatMap(({ path, file }) => file.variables.flatMap((found) => variableFindings(found, path, known.get(found.section.toLowerCase())))),
  };
}

const ACCEPTED: Readonly<Record<Type, string>> = { string: 'a string', bool: 'true, false', int: 'whole numbers', duration: 'numbers with the units h, m, s, ms, such as "5s"' };
const BOOL = /^(?:true|yes|on|1|false|no|off|0)$/i;
const INT = /^\s*(?:\d+|0x[0-9a-f]+)\s*$/i;

/** So many characters differ in a misspelt variable at most. */
const SLIP = 2;

function variableFindings({ section, name, value, line }: GcfgVariable, path: FieldPath, known: ReadonlyMap<string, Type> | undefined): Finding[] {
  if (!known) return [];
  const type = known.get(name);
  if (type === undefined) {
    // Other releases have further variables.
    const near = nearestName(name, known.keys(), SLIP);
    return near === undefined ? [] : [{ path, message: `line ${line} has the variable ${name} in ${section}, which is ignored`, fix: `did you mean ${near}?` }];
  }
  // Values may be secret, and are never shown.
  return value === undefined || isOf(type, value) ? [] : [{
    path, message: `line ${line} has a value of ${name} that is of another type, at which the program ends`, accepted: ACCEPTED[type], fix: 'correct the value',
  }];
}

function isOf(type: Type, value: string): boolean {
  if (type === 'string' || /\{\{|\$\{|<%/.test(value)) return true;
  if (type === 'duration') return parseGoDuration(value) !== undefined;
  return (type === 'bool' ? BOOL : INT).test(value);
}
