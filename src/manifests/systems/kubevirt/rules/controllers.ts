import { CLOUD_CONFIG, CLOUD_CONTROLLER, cloudConfigsIn, cloudConfigText, configFindings, CSI_CONTROLLER, ENFORCEMENT, enforcementsIn, parsedConfig } from './controller-config';
import { configuredManager } from './examples';
import { KUBEVIRT_MACHINE_TEMPLATE } from './kubevirt-objects';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { CLUSTER } from '../../../rules/cluster-api/cluster-api-kinds';
import { replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { POD_KINDS } from '../../../rules/pod-objects';
import { argumentOf, Program, programsOf, valueOf } from '../../../rules/programs';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';

const CLOUD = 'the cloud controller manager';
const DRIVER = 'the CSI driver';
const CLOUD_SOURCE = 'kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go, v0.6.0';
const DRIVER_SOURCE = 'kubevirt/csi-driver cmd/kubevirt-csi-driver/kubevirt-csi-driver.go, pkg/service/controller.go, pkg/util/util.go, 27b52aa2';

const CLOUD_TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: cloud-config
  namespace: tenant-acme
data:
  cloud-config: |
    namespace: tenant-acme
    loadBalancer: {enabled: true, selectorless: true}
    instancesV2: {enabled: true, zoneAndRegionEnabled: false}
`;

const cloudConfig: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLOUD-CONFIG',
  title: 'The configuration of KubeVirt\'s cloud controller manager must have fields that it knows, and the namespace of the machines: it ignores other fields.',
  source: CLOUD_SOURCE,
  kinds: ['/ConfigMap'],
  trap: true,
  example: replaced(CLOUD_TEXT, 'selectorless', 'selectorLess'),
  check: (object, index) => cloudConfigsIn(object).flatMap(({ config, path }) => allOf(
    configFindings(config, CLOUD_CONFIG, path, CLOUD),
    isElsewhere(config) || !isInPlainText(config.namespace) ? [] : namespaceFindings(object, index, config, path).filter(({ isSure }) => isSure),
  )),
};

const cloudConfigForm: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLOUD-CONFIG-TEXT',
  title: 'The configuration of KubeVirt\'s cloud controller manager must be an object in YAML: it does not start otherwise.',
  source: `${CLOUD_SOURCE} (NewCloudConfigFromBytes)`,
  kinds: POD_KINDS,
  trap: true,
  example: replaced(CLOUD_TEXT, '    namespace: tenant-acme\n', '    [Global]\n    namespace=tenant-acme\n', configuredManager()),
  check: (object, index) => programsOf(object).filter(({ name }) => name === CLOUD_CONTROLLER).flatMap((program) => {
    const found = cloudConfigText(program, index);
    return !found || found.text.trim() === '' || !isInPlainText(found.text) || isFields(parsedConfig(found.text)) ? [] : [{
      path: found.path, message: `the file that the ConfigMap "${found.name}" holds is no object in YAML`, fix: 'write fields such as namespace and loadBalancer, as in YAML',
    }];
  }),
};

const cloudNamespace: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLOUD-NAMESPACE',
  title: 'KubeVirt\'s cloud controller manager should work on the namespace that it runs in: that of the tenant\'s machines.',
  source: CLOUD_SOURCE,
  kinds: ['/ConfigMap'],
  trap: true,
  warning: true,
  example: replaced(CLOUD_TEXT, 'namespace: tenant-acme\n    load', 'namespace: tenant-other\n    load'),
  check: (object, index) => cloudConfigsIn(object).flatMap(({ config, path }) => (
    isElsewhere(config) || !isInPlainText(config.namespace) ? [] : namespaceFindings(object, index, config, path).filter(({ isSure }) => !isSure))),
};

const ENFORCEMENT_TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: driver-config
  namespace: tenant-acme
data:
  infraStorageClassEnforcement: |
    allowAll: false
    allowDefault: true
    allowList: [replicated]
`;

const enforcement: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CSI-CONFIG',
  title: 'The limits of KubeVirt\'s CSI driver on storage classes must have fields that it knows; its labels and its prefix must be those that it can work with.',
  source: DRIVER_SOURCE,
  kinds: ['/ConfigMap', ...POD_KINDS],
  trap: true,
  example: replaced(ENFORCEMENT_TEXT, 'allowDefault', 'allowDefaults'),
  check: (object, index) => allOf(
    enforcementsIn(object).flatMap(({ config, path }) => configFindings(config, ENFORCEMENT, path, DRIVER)),
    programsOf(object).filter(({ name }) => name === CSI_CONTROLLER).flatMap((program) => driverFindings(program, index)),
  ),
};

const CLASS_TEXT = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast
provisioner: csi.kubevirt.io
parameters:
  infraStorageClassName: replicated
`;

const parameters: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLASS-PARAMETER',
  title: 'A class of KubeVirt\'s CSI driver must have parameters that it knows: it ignores others, and takes the default class of the infrastructure.',
  source: DRIVER_SOURCE,
  kinds: ['storage.k8s.io/StorageClass', 'snapshot.storage.k8s.io/VolumeSnapshotClass'],
  trap: true,
  example: replaced(CLASS_TEXT, 'infraStorageClassName', 'infraStorageClass'),
  check: (object) => {
    if (object.provisioner !== CSI_NAME && object.driver !== CSI_NAME) return [];
    const known = object.driver === CSI_NAME ? ['infraSnapshotClassName'] : ['infraStorageClassName', 'bus'];
    const given = fieldAt(object, 'parameters');
    // Parameters of the sidecars have their prefix.
    return Object.keys(isFields(given) ? given : {}).filter((name) => !known.includes(name) && !/^(?:csi\.storage\.k8s\.io\/|fsType$)/i.test(name)).map((name) => {
      const near = nearestName(name, known);
      return {
        path: ['parameters', name],
        message: `the CSI driver has no parameter ${name}, and ignores it`,
        accepted: known.join(', '),
        fix: near === undefined ? 'remove it' : `did you mean ${near}?`,
      };
    });
  },
};

const allowed: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLASS-ALLOWED',
  title: 'The class of the infrastructure that a StorageClass names must be one that KubeVirt\'s CSI driver of the tenant allows: it refuses each volume otherwise.',
  source: DRIVER_SOURCE,
  kinds: ['storage.k8s.io/StorageClass'],
  trap: true,
  example: replaced(ENFORCEMENT_TEXT, '[replicated]', '[other]', CLASS_TEXT),
  check: (object, index) => {
    const limits = object.provisioner === CSI_NAME ? limitsFor(index) : undefined;
    if (!limits || limits.some(({ allowAll }) => allowAll === true)) return [];
    const name = stringAt(object, 'parameters', 'infraStorageClassName');
    if (name === undefined) {
      return limits.some(({ allowDefault }) => allowDefault === true) || isSet(object, 'parameters', 'infraStorageClassName') ? [] : [{
        path: ['parameters'],
        message: 'it names no class of the infrastructure, and the CSI driver does not allow the default one, so that it refuses each volume',
        fix: 'write infraStorageClassName, or set allowDefault: true in the limits of the driver',
      }];
    }
    const list = limits.flatMap((one) => listAt(one, 'allowList').map(String));
    return list.includes(name) || !isInPlainText(name) ? [] : [{
      path: ['parameters', 'infraStorageClassName'],
      message: `the CSI driver does not allow the class "${name}" of the infrastructure, and refuses each volume of this class`,
      accepted: list.join(', '),
      fix: 'add it to allowList of the driver, or write an allowed class',
    }];
  },
};

/** Rules for the configuration of KubeVirt's controllers of a tenant. */
export const CONTROLLERS: readonly ManifestRule[] = [cloudConfig, cloudConfigForm, cloudNamespace, enforcement, parameters, allowed];

const CSI_NAME = 'csi.kubevirt.io';

/** True if the machines run in another cluster, whose namespaces are not known. */
function isElsewhere(config: Fields): boolean {
  return typeof config.kubeconfig === 'string' && config.kubeconfig !== '';
}

function isInPlainText(namespace: unknown): boolean {
  return namespace === undefined || namespace === null || (typeof namespace === 'string' && !/\$\{|\{\{/.test(namespace));
}

function namespaceFindings(
  object: ManifestObject, index: ManifestIndex, config: Fields, path: FieldPath,
): (Finding & { readonly isSure: boolean })[] {
  const [own, given] = [namespaceOf(object), stringAt(config, 'namespace')];
  if (given === undefined) {
    return [{ path, isSure: true, message: 'it has no namespace, and the cloud controller manager finds no machine', fix: `add namespace: ${own ?? 'NAMESPACE'}` }];
  }
  if (own === undefined || given === own) return [];
  const placed = index.all(KUBEVIRT_MACHINE_TEMPLATE).some((template) => (
    stringAt(template, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'metadata', 'namespace') === given));
  const clustersIn = (namespace: string) => index.allIn(CLUSTER, namespace).length > 0;
  if (placed || (clustersIn(given) && !clustersIn(own))) return [];
  return [{
    path,
    isSure: clustersIn(own),
    message: `its namespace is ${given}, and ${clustersIn(own) ? 'the Cluster and its machines are' : 'it is itself'} in ${own}: `
      + 'nodes are not initialized, and load balancers get no address',
    fix: `write namespace: ${own}`,
  }];
}

function driverFindings(program: Program, index: ManifestIndex): Finding[] {
  const labels = argumentOf(program, 'infra-cluster-labels');
  const text = labels && valueOf(program, labels, index);
  const wrong = text === undefined || text === '' ? [] : text.split(',').filter((pair) => pair.split('=').length !== 2);
  const prefix = argumentOf(program, 'volume-prefix');
  const limits = objectsAt(program.container, 'env').filter(([{ name }]) => name === 'INFRA_STORAGE_CLASS_ENFORCEMENT');
  return [
    ...wrong.slice(0, 1).map((pair) => ({
      path: labels!.path, message: `"${pair}" is no label, and ${DRIVER} does not start`, accepted: 'key=value, joined by commas', fix: 'write the key and the value of each label',
    })),
    ...programsOf(program.object).filter(({ name }) => name === 'csi-provisioner').flatMap((provisioner) => {
      const given = argumentOf(provisioner, 'volume-name-prefix');
      const [own, other] = [prefix?.value ?? (prefix ? undefined : 'pvc'), given?.value ?? (given ? undefined : 'pvc')];
      return own === undefined || other === undefined || own === other ? [] : [{
        path: (prefix ?? given)!.path,
        message: `volumes of the provisioner start with "${other}", and ${DRIVER} works on those with "${own}" only`,
        fix: 'write the same value for --volume-prefix of the driver and --volume-name-prefix of csi-provisioner',
      }];
    }),
    ...limits.flatMap(([variable, at]) => {
      const config = parsedConfig(variable.value);
      return config === undefined || config === null ? [] : configFindings(config, ENFORCEMENT, [...program.path, 'env', at, 'value'], DRIVER);
    }),
  ];
}

/** The limits of the CSI driver that makes the volumes of a tenant; undefined if there are none, or of several drivers. */
function limitsFor(index: ManifestIndex): readonly Fields[] | undefined {
  const [management, namespace] = index.target ? [index.target.management, index.target.namespace] : [index, undefined];
  const known = LIMITS.get(management) ?? management.all('/ConfigMap').flatMap((configMap) => (
    enforcementsIn(configMap).map(({ config }) => ({ config, namespace: namespaceOf(configMap) }))));
  LIMITS.set(management, known);
  const own = known.filter((one) => namespace === undefined || one.namespace === namespace);
  const places = new Set(own.map((one) => one.namespace));
  return own.length === 0 || places.size > 1 ? undefined : own.map(({ config }) => config);
}

const LIMITS = new WeakMap<ManifestIndex, readonly { readonly config: Fields; readonly namespace?: string }[]>();
