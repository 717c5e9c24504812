import { ManifestObject } from '../../../objects/manifest-object';
import { valuesIn } from '../../../objects/manifest-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { mountedFile } from '../../../rules/mounted-files';
import { ofEachObject } from '../../../rules/of-one-object';
import { argumentOf, Program, runningPrograms, valueOf } from '../../../rules/programs';
import { fieldAt, FieldPath, fieldText, Fields, isFields, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';

/** Name of KubeVirt's cloud controller manager, and of its CSI driver. */
export const CLOUD_CONTROLLER = 'kubevirt-cloud-controller-manager';
export const CSI_CONTROLLER = 'kubevirt-csi-driver';

/** True if an object runs the cloud controller manager. */
export function isCloudController(object: ManifestObject): boolean {
  return runningPrograms(object).some(({ name }) => name === CLOUD_CONTROLLER);
}

/** A configuration as a program reads it: the type of each field, by name. */
export interface ConfigShape {
  readonly [field: string]: 'bool' | 'int' | 'string' | 'strings' | 'map' | ConfigShape | readonly [ConfigShape];
}

/** Configuration of the cloud controller manager (kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go, v0.6.0). */
export const CLOUD_CONFIG: ConfigShape = {
  kubeconfig: 'string',
  namespace: 'string',
  infraLabels: 'map',
  loadBalancer: { enabled: 'bool', creationPollInterval: 'int', creationPollTimeout: 'int', selectorless: 'bool', enableEPSController: 'bool' },
  instancesV2: { enabled: 'bool', zoneAndRegionEnabled: 'bool' },
};

/** Limits of the CSI driver on storage classes (kubevirt/csi-driver pkg/util/util.go, 27b52aa2). */
export const ENFORCEMENT: ConfigShape = {
  allowAll: 'bool',
  allowDefault: 'bool',
  allowList: 'strings',
  storageSnapshotMapping: [{ storageClasses: 'strings', volumeSnapshotClasses: 'strings' }],
};

const ACCEPTED = { bool: 'true, false', int: 'whole numbers', string: 'a string', strings: 'a list of strings', map: 'an object' } as const;

/** The value of a text of YAML; undefined if it is not valid. */
export function parsedConfig(text: unknown): unknown {
  return typeof text === 'string' ? valuesIn(text)[0] : undefined;
}

/** The configuration of a cloud controller manager; undefined if it is not among the manifests. */
export function cloudConfigOf(program: Program, index: ManifestIndex): Fields | undefined {
  const config = parsedConfig(cloudConfigText(program, index)?.text);
  return isFields(config) ? config : undefined;
}

/** The text of that configuration, the argument that names its file, and the ConfigMap that has it. */
export function cloudConfigText(
  program: Program, index: ManifestIndex,
): { readonly text: string; readonly path: FieldPath; readonly name: string } | undefined {
  const argument = argumentOf(program, 'cloud-config');
  const file = argument && valueOf(program, argument, index);
  const mounted = file === undefined ? undefined : mountedFile(program, file);
  if (!argument || mounted?.source.kind !== '/ConfigMap') return undefined;
  const configMap = index.find('/ConfigMap', stringAt(program.object, 'metadata', 'namespace'), mounted.source.name);
  const text = fieldAt(configMap, 'data', mounted.key ?? '');
  return typeof text === 'string' ? { text, path: argument.path, name: mounted.source.name } : undefined;
}

/** Texts of a ConfigMap that hold the configuration of the cloud controller manager, by fields that no other has. */
export function cloudConfigsIn(configMap: ManifestObject): readonly PlacedConfig[] {
  return textsIn(configMap, (config) => isFields(config.instancesV2)
    || Object.keys(isFields(config.loadBalancer) ? config.loadBalancer : {}).some((field) => /^(?:creationPoll|enableEPS|selectorless$)/i.test(field)));
}

/** Texts of a ConfigMap that hold limits of the CSI driver. */
export function enforcementsIn(configMap: ManifestObject): readonly PlacedConfig[] {
  return textsIn(configMap, (config) => Object.keys(config).some((field) => /^allow(?:All|Default|List)$/i.test(field)));
}

function textsIn(configMap: ManifestObject, isOwn: (config: Fields) => boolean): readonly PlacedConfig[] {
  return configsIn(configMap).filter(({ config }) => isOwn(config));
}

/** A configuration in a ConfigMap. */
interface PlacedConfig {
  readonly config: Fields;
  readonly path: FieldPath;
}

/** Texts of a ConfigMap that may hold the configuration of one of the controllers. */
const configsIn = ofEachObject((configMap: ManifestObject): readonly PlacedConfig[] => {
  const data = fieldAt(configMap, 'data');
  return Object.entries(isFields(data) ? data : {}).flatMap(([key, text]) => {
    // Most ConfigMaps hold something else.
    const config = typeof text === 'string' && /instancesV2|loadBalancer|allow/i.test(text) ? parsedConfig(text) : undefined;
    return isFields(config) ? [{ config, path: ['data', key] }] : [];
  });
});

/** Findings for fields that a program drops, and for values of the wrong type, at which it ends. */
export function configFindings(config: unknown, shape: ConfigShape, path: FieldPath, program: string, at: FieldPath = []): Finding[] {
  if (!isFields(config)) return [typeFinding(path, at, 'an object', program)];
  return Object.entries(config).flatMap(([field, value]) => {
    const place = [...at, field];
    if (!Object.hasOwn(shape, field)) {
      const near = nearestName(field, Object.keys(shape));
      return [{
        path,
        message: `${program} has no field ${fieldText(place)}, and ignores it`,
        accepted: Object.keys(shape).join(', '),
        fix: near === undefined ? 'remove it' : `did you mean ${fieldText([...at, near])}?`,
      }];
    }
    return value === null ? [] : valueFindings(value, shape[field], path, program, place);
  });
}

function valueFindings(value: unknown, type: ConfigShape[string], path: FieldPath, program: string, at: FieldPath): Finding[] {
  if (Array.isArray(type)) {
    const [shape] = type as readonly [ConfigShape];
    return Array.isArray(value) ? value.flatMap((item, index) => configFindings(item, shape, path, program, [...at, index]))
      : [typeFinding(path, at, 'a list', program)];
  }
  if (typeof type === 'object') return configFindings(value, type as ConfigShape, path, program, at);
  const scalar = type as keyof typeof ACCEPTED;
  return fits(value, scalar) ? [] : [typeFinding(path, at, ACCEPTED[scalar], program)];
}

function fits(value: unknown, type: keyof typeof ACCEPTED): boolean {
  if (type === 'bool') return typeof value === 'boolean' || (typeof value === 'string' && /^(?:y|yes|on|n|no|off)$/i.test(value));
  if (type === 'int') return Number.isInteger(value);
  if (type === 'map') return isFields(value);
  if (type === 'strings') return Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return typeof value !== 'object';
}

function typeFinding(path: FieldPath, at: FieldPath, accepted: string, program: string): Finding {
  return { path, message: `${at.length === 0 ? 'its content' : fieldText(at)} has the wrong type, and ${program} does not start`, accepted, fix: 'correct the value' };
}
