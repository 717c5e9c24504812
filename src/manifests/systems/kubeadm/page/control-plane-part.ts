import { endpointPart } from './endpoint-part';
import { behind } from './lists';
import { argumentOptions, machinePart, optionalList, timeouts } from './machine-part';
import { ManifestObject } from '../../../objects/manifest-object';
import { call, constant, duration, fieldsOf, instance, listOf, PageCall, PageExpression, PageFields } from '../../../rules/page-expression';
import { AdoptedCluster, PartForms } from '../../../rules/page-parts';
import { fieldAt, isFields, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { nodeLabelRoute } from '../../../values/labels';

const CONFIGURATION = ['spec', 'kubeadmConfigSpec'];
const HOUR = 3600;

const PATH_TYPES: Readonly<Record<string, string>> = {
  DirectoryOrCreate: 'DIRECTORY_OR_CREATE',
  Directory: 'DIRECTORY',
  FileOrCreate: 'FILE_OR_CREATE',
  File: 'FILE',
  Socket: 'SOCKET',
  CharDevice: 'CHAR_DEVICE',
  BlockDevice: 'BLOCK_DEVICE',
};

const ALGORITHMS: Readonly<Record<string, string>> = {
  'ECDSA-P256': 'ECDSA_P256', 'ECDSA-P384': 'ECDSA_P384', 'RSA-2048': 'RSA_2048', 'RSA-3072': 'RSA_3072', 'RSA-4096': 'RSA_4096',
};

/** Reads a KubeadmControlPlane as the class that makes it; undefined without its machines. */
export function controlPlanePart(_: ManifestObject, cluster: AdoptedCluster, { stored, plain }: PartForms): PageCall | undefined {
  if (!cluster.controlPlaneMachine) return undefined;
  const wanted = fieldAt(stored, ...CONFIGURATION);
  const healthCheck = cluster.controlPlaneHealthCheck;
  const usual = {
    machine: cluster.controlPlaneMachine,
    replicas: numberAt(stored, 'spec', 'replicas'),
    endpoint: endpointPart(wanted, cluster.endpoint),
  };
  if (!plain) return instance('KubeadmControlPlane', { ...usual, healthCheck });
  const { options, pool } = machinePart(wanted, fieldAt(plain, ...CONFIGURATION));
  return instance('KubeadmControlPlane', {
    ...usual,
    ...clusterOptions(fieldAt(wanted, 'clusterConfiguration'), fieldAt(plain, ...CONFIGURATION, 'clusterConfiguration')),
    ...options,
    initSkipPhases: initSkipPhases(wanted, fieldAt(plain, ...CONFIGURATION)),
    controlPlaneTimeouts: timeouts(fieldAt(wanted, 'joinConfiguration', 'timeouts'), {
      controlPlaneComponentHealthCheckSeconds: 'componentHealthCheck', etcdApiCallSeconds: 'etcdApiCall',
    }),
    ...pool,
    labels: labels(stored, pool.labels),
    healthCheck,
    ...lifecycle(stored, plain),
  });
}

function initSkipPhases(wanted: unknown, plain: unknown): readonly PageExpression[] | undefined {
  const [own, written] = [wanted, plain].map((one) => stringsAt(one, 'initConfiguration', 'skipPhases').map(([phase]) => phase));
  return optionalList(behind(own, written));
}

/** Labels that Cluster API copies to nodes, and those that kubelets register with. */
function labels(stored: ManifestObject, ofKubelets: PageExpression | undefined): PageFields | undefined {
  const given = fieldAt(stored, 'spec', 'machineTemplate', 'metadata', 'labels');
  const synced = Object.entries(isFields(given) ? given : {}).filter(([key, value]) => typeof value === 'string' && nodeLabelRoute(key) === 'synced');
  return fieldsOf({ ...Object.fromEntries(synced), ...ofKubelets as PageFields | undefined });
}

/** Replacement of machines. */
function lifecycle(stored: ManifestObject, plain: ManifestObject): PageFields {
  const surge = ['spec', 'rollout', 'strategy', 'rollingUpdate', 'maxSurge'];
  const maxSurge = numberAt(stored, ...surge);
  const days = numberAt(stored, 'spec', 'rollout', 'before', 'certificatesExpiryDays') ?? 0;
  const usualDays = numberAt(plain, 'spec', 'rollout', 'before', 'certificatesExpiryDays') ?? 0;
  const remediation = fieldAt(stored, 'spec', 'remediation');
  const deletion = fieldAt(stored, 'spec', 'machineTemplate', 'spec', 'deletion');
  return {
    rollout: fieldsOf({
      maxSurge: maxSurge === numberAt(plain, ...surge) ? undefined : maxSurge,
      beforeCertificateExpiry: days === usualDays ? undefined : call('Duration.days', days),
      after: stringAt(stored, 'spec', 'rollout', 'after'),
    }),
    remediation: fieldsOf({
      maxRetry: numberAt(remediation, 'maxRetry'), ...timeouts(remediation, { retryPeriodSeconds: 'retryPeriod', minHealthyPeriodSeconds: 'minHealthyPeriod' }),
    }),
    ...timeouts(deletion, {
      nodeDrainTimeoutSeconds: 'nodeDrainTimeout', nodeVolumeDetachTimeoutSeconds: 'nodeVolumeDetachTimeout', nodeDeletionTimeoutSeconds: 'nodeDeletionTimeout',
    }),
  };
}

/** kubeadm's configuration of the cluster. */
function clusterOptions(wanted: unknown, plain: unknown): PageFields {
  const days = (field: string) => {
    const given = numberAt(wanted, field);
    return given === undefined || given === numberAt(plain, field) ? undefined : duration(given * 24 * HOUR);
  };
  const names = (one: unknown) => stringsAt(one, 'apiServer', 'certSANs').map(([name]) => name);
  const algorithm = stringAt(wanted, 'encryptionAlgorithm') ?? '';
  const dns = fieldsOf({ imageRepository: stringAt(wanted, 'dns', 'imageRepository'), imageTag: stringAt(wanted, 'dns', 'imageTag') });
  return {
    etcd: etcd(fieldAt(wanted, 'etcd')),
    certSans: optionalList(behind(names(wanted), names(plain))),
    ...Object.fromEntries(['apiServer', 'controllerManager', 'scheduler'].map((name) => [name, component(fieldAt(wanted, name), fieldAt(plain, name))])),
    kubeadmFeatureGates: fieldsOf(fieldAt(wanted, 'featureGates')),
    imageRepository: stringAt(wanted, 'imageRepository'),
    coreDns: dns && call('KubeadmCoreDns.managed', dns),
    certificateValidity: days('certificateValidityPeriodDays'),
    caCertificateValidity: days('caCertificateValidityPeriodDays'),
    encryptionAlgorithm: Object.hasOwn(ALGORITHMS, algorithm) ? constant(`KubeadmEncryptionAlgorithm.${ALGORITHMS[algorithm]}`) : undefined,
  };
}

function component(wanted: unknown, plain: unknown): PageFields | undefined {
  const args = behind(listAt(wanted, 'extraArgs'), listAt(plain, 'extraArgs'));
  const variables = objectsAt(wanted, 'extraEnvs').map(([variable]) => [stringAt(variable, 'name') ?? '', stringAt(variable, 'value')] as const);
  return fieldsOf({
    extraArgs: args && argumentOptions(args),
    extraVolumes: listOf(objectsAt(wanted, 'extraVolumes').map(([volume]): PageFields => {
      const type = stringAt(volume, 'pathType') ?? '';
      return {
        name: stringAt(volume, 'name'),
        hostPath: stringAt(volume, 'hostPath'),
        mountPath: stringAt(volume, 'mountPath'),
        readOnly: volume.readOnly === undefined ? undefined : volume.readOnly === true,
        pathType: Object.hasOwn(PATH_TYPES, type) ? constant(`KubeadmHostPathType.${PATH_TYPES[type]}`) : undefined,
      };
    })),
    extraEnvs: variables.every(([, value]) => value !== undefined) ? fieldsOf(Object.fromEntries(variables)) : undefined,
  });
}

function etcd(given: unknown): PageCall | undefined {
  const names = (...path: readonly string[]) => listOf(stringsAt(given, ...path).map(([text]) => text));
  const endpoints = names('external', 'endpoints');
  if (endpoints) {
    const files = ['caFile', 'certFile', 'keyFile'].map((name) => [name, stringAt(given, 'external', name)]);
    return call('KubeadmEtcd.external', { endpoints, ...Object.fromEntries(files) as PageFields });
  }
  const local = fieldAt(given, 'local');
  const options = fieldsOf({
    imageRepository: stringAt(local, 'imageRepository'),
    imageTag: stringAt(local, 'imageTag'),
    dataDir: stringAt(local, 'dataDir'),
    extraArgs: argumentOptions(listAt(local, 'extraArgs')),
    serverCertSans: names('local', 'serverCertSANs'),
    peerCertSans: names('local', 'peerCertSANs'),
  });
  return options && call('KubeadmEtcd.stacked', options);
}
