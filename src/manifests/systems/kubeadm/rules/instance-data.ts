import { below, configTemplateYaml, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER_CLASS } from '../../../rules/cluster-api/cluster-api-kinds';
import { poolYaml } from '../../../rules/cluster-api/example-manifests';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { ObjectReference, objectReference, referencesOf, referrersOf } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, isFields } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { machineData } from '../instance-data';

/** Keys that cloud-init knows on each platform (docs.cloud-init.io/en/latest/explanation/instancedata.html). */
const STANDARD: readonly string[] = [
  'availability_zone', 'cloud_id', 'cloud_name', 'distro', 'distro_release', 'distro_version', 'instance_id', 'kernel_release', 'local_hostname', 'machine',
  'platform', 'public_ssh_keys', 'python_version', 'region', 'subplatform', 'system_platform', 'variant',
];

const NAME = 'local_hostname';
const EXPRESSION = /\{\{-?([^{}]*)\}\}/g;
const KEY = /^\s*(ds\.meta_data|v1)(?:\.([\w-]+)|\[["']([^"']+)["']\])/;
const OTHER_SOURCE = /^\s*ds\.(?!meta_data\b)(metadata|meta-data|metaData)\b/;

/** A key of cloud-init's instance data in a string. */
interface DataKey {
  readonly path: FieldPath;
  readonly source: string;
  readonly key: string;
}

const MISSING: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-INSTANCE-DATA',
  title: 'Keys of cloud-init\'s instance data must exist on the platform of the machines: cloud-init writes CI_MISSING_JINJA_VAR in their place otherwise, and kubeadm fails.',
  source: 'canonical/cloud-init cloudinit/handlers/jinja_template.py, cloudinit/templater.py (MISSING_JINJA_PREFIX), sources/helpers/openstack.py',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: namedOnKubevirt('ds.meta_data.name'), corrected: namedOnKubevirt('ds.meta_data.local_hostname') },
  check: (object, index) => {
    const keys = dataKeys(object);
    if (keys.length === 0) return [];
    const platforms = infrastructureOf(object, index).map((reference) => ({ reference, data: machineData(reference, object, index) }));
    return keys.flatMap(({ path, source, key }): Finding[] => {
      if (source === 'ds') return [{ path, message: `cloud-init has no ds.${key}`, fix: 'write ds.meta_data' }];
      const name = `${source}.${key}`;
      if (key.includes('-')) return [{ path, message: `Jinja reads ${name} as a subtraction`, fix: `write ${source}.${key.replaceAll('-', '_')}` }];
      if (source === 'v1') return STANDARD.includes(key) ? [] : [unknownKey(path, name, 'cloud-init', `v1.${nearestName(key, STANDARD) ?? NAME}`)];
      const lacking = platforms.find(({ data }) => data !== undefined && !data.keys.includes(key));
      if (!lacking) return [];
      const near = nearestName(key, lacking.data!.keys);
      return [unknownKey(path, name, `a machine of ${kindOf(lacking.reference)}`, near === undefined ? `v1.${NAME}` : `${source}.${near}`)];
    });
  },
};

function unknownKey(path: FieldPath, name: string, where: string, instead: string): Finding {
  return { path, message: `${where} has no ${name}: cloud-init writes CI_MISSING_JINJA_VAR/${name.slice(name.lastIndexOf('.') + 1)} there`, fix: `write ${instead}` };
}

const REGISTRATION_NAMES: readonly string[] = ['initConfiguration', 'joinConfiguration'].map((part) => `${part}.nodeRegistration.name`);

const UNKNOWN_PLATFORM: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-INSTANCE-DATA-PLATFORM',
  title: 'The name of a node should come from a key that every platform has, where the template of the machines is not among the manifests.',
  source: 'docs.cloud-init.io/en/latest/explanation/instancedata.html',
  trap: true,
  warning: true,
  kinds: KUBEADM_KINDS,
  example: { failing: named('ds.meta_data.hostname'), corrected: named('v1.local_hostname') },
  check: (object, index) => {
    const isPortable = ({ source, key }: DataKey) => source !== 'ds.meta_data' || key.replaceAll('-', '_') === NAME;
    const keys = dataKeys(object).filter((key) => !isPortable(key) && !key.key.includes('-') && REGISTRATION_NAMES.includes(key.path.slice(-3).join('.')));
    return keys.length === 0 || infrastructureOf(object, index).length > 0 ? [] : keys.map(({ path, key }) => ({
      path,
      message: `not every platform has ds.meta_data.${key}, and on those without it kubeadm gets CI_MISSING_JINJA_VAR/${key} for a name and fails`,
      fix: `write v1.${NAME}, which each has`,
    }));
  },
};

/** The keys that strings of a configuration name, but for those that may be missing. */
function dataKeys(object: ManifestObject): DataKey[] {
  const spec = kubeadmSpec(object);
  if (fieldAt(spec.value, 'format') === 'ignition') return [];
  const found: DataKey[] = [];
  const look = (value: unknown, path: FieldPath): void => {
    if (typeof value === 'string') found.push(...keysIn(value).map((key) => ({ ...key, path: below(spec, ...path) })));
    else if (Array.isArray(value)) value.forEach((item, index) => look(item, [...path, index]));
    else if (isFields(value)) for (const [field, item] of Object.entries(value)) look(item, [...path, field]);
  };
  look(spec.value, []);
  return found;
}

function keysIn(text: string): Omit<DataKey, 'path'>[] {
  if (!text.includes('{{') || /\bdefault\b|\bdefined\b/.test(text)) return [];
  return [...text.matchAll(EXPRESSION)].flatMap(([, expression]) => {
    const other = OTHER_SOURCE.exec(expression);
    if (other) return [{ source: 'ds', key: other[1] }];
    const [, source, name, quoted] = KEY.exec(expression) ?? [];
    if (source === undefined) return [];
    // In brackets, a key may have any characters.
    return [{ source, key: name ?? quoted.replace(/\W/g, '_') }];
  });
}

/** The templates of the machines that a configuration is for. */
export function infrastructureOf(object: ManifestObject, index: ManifestIndex): ObjectReference[] {
  const own = referencesOf(object).map(({ reference }) => reference);
  const others = referrersOf(object, index).flatMap(({ object: owner, path }) => {
    if (groupKind(owner) === CLUSTER_CLASS) return classInfrastructure(owner, path);
    return referencesOf(owner).map(({ reference }) => reference).filter(({ kind }) => kind.startsWith('infrastructure.'));
  });
  return [...own, ...others];
}

/** Of a worker class, the infrastructure beside its bootstrap; of a control plane, its machines. */
function classInfrastructure(owner: ManifestObject, path: FieldPath): ObjectReference[] {
  const part = path[1] === 'workers' ? path.slice(0, path.indexOf('bootstrap')) : path.slice(0, 2);
  const infrastructure = fieldAt(owner, ...part, path[1] === 'workers' ? 'infrastructure' : 'machineInfrastructure');
  return ['templateRef', 'ref'].flatMap((field) => objectReference(fieldAt(infrastructure, field)) ?? []);
}

function kindOf({ kind }: ObjectReference): string {
  return kind.slice(kind.indexOf('/') + 1);
}

function named(key: string): string {
  return configTemplateYaml(`joinConfiguration:\n  nodeRegistration:\n    name: '{{ ${key} }}'`);
}

function namedOnKubevirt(key: string): string {
  return `${named(key)}---\n${poolYaml({})}`;
}

/** Rules for what machines are told of themselves. */
export const INSTANCE_DATA: readonly ManifestRule[] = [MISSING, UNKNOWN_PLATFORM];
