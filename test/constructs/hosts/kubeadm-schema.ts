import { fieldText } from '../../../src/manifests/values/fields';
import { checkKubeletConfiguration } from '../../../src/manifests/values/kubelet-configuration';
import { structuralErrors } from '../../manifests/schema/structural';
import { StructuralSchema } from '../../manifests/schema/structural-schema';
import { Manifest } from '../../support/clusters';

const TEXT: StructuralSchema = { type: 'string', minLength: 1 };
const FLAG: StructuralSchema = { type: 'boolean' };
const PATH: StructuralSchema = { type: 'string', pattern: '^/' };
const DURATION: StructuralSchema = { type: 'string', pattern: '^([0-9]+(\\.[0-9]+)?(h|m|s|ms|us|ns))+$' };
const TEXTS = list(TEXT);
const ARGUMENTS = list(struct({ name: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' }, value: { type: 'string' } }, ['name', 'value']));
const VARIABLES = list(struct({ name: TEXT, value: { type: 'string' } }, ['name', 'value']));
const IMAGE = { imageRepository: TEXT, imageTag: TEXT };

const COMPONENT = {
  extraArgs: ARGUMENTS,
  extraEnvs: VARIABLES,
  extraVolumes: list(struct({
    name: TEXT,
    hostPath: PATH,
    mountPath: PATH,
    readOnly: FLAG,
    pathType: { type: 'string', enum: ['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'] },
  }, ['name', 'hostPath', 'mountPath'])),
};

const API_ENDPOINT = struct({ advertiseAddress: TEXT, bindPort: { type: 'integer', minimum: 1, maximum: 65535 } });

const NODE = {
  apiVersion: TEXT,
  kind: TEXT,
  dryRun: FLAG,
  nodeRegistration: struct({
    name: TEXT,
    criSocket: { type: 'string', pattern: '^unix:///' },
    taints: list(struct({ key: TEXT, value: { type: 'string' }, effect: { type: 'string', enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] } }, ['key', 'effect'])),
    kubeletExtraArgs: ARGUMENTS,
    ignorePreflightErrors: TEXTS,
    imagePullPolicy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] },
    imagePullSerial: FLAG,
  }),
  skipPhases: TEXTS,
  patches: struct({ directory: PATH }),
  timeouts: struct(Object.fromEntries([
    'controlPlaneComponentHealthCheck', 'kubeletHealthCheck', 'kubernetesAPICall', 'etcdAPICall', 'tlsBootstrap', 'discovery', 'upgradeManifests',
  ].map((name) => [name, DURATION]))),
} satisfies { [name: string]: StructuralSchema };

/**
 * The documents that kubeadm reads, field by field, so that one that it does not know is found.
 *
 * Source: kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go
 * (kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4).
 */
const SCHEMAS: { readonly [kind: string]: StructuralSchema } = {
  InitConfiguration: struct({
    ...NODE,
    bootstrapTokens: list(struct({ token: TEXT, description: TEXT, ttl: DURATION, expires: TEXT, usages: TEXTS, groups: TEXTS })),
    localAPIEndpoint: API_ENDPOINT,
    certificateKey: TEXT,
  }, ['nodeRegistration', 'localAPIEndpoint']),
  JoinConfiguration: struct({
    ...NODE,
    caCertPath: PATH,
    discovery: struct({
      bootstrapToken: struct({ token: TEXT, apiServerEndpoint: TEXT, caCertHashes: { ...TEXTS, minItems: 1 }, unsafeSkipCAVerification: FLAG }, ['token', 'apiServerEndpoint', 'caCertHashes']),
      file: struct({ kubeConfigPath: TEXT }, ['kubeConfigPath']),
      tlsBootstrapToken: TEXT,
    }),
    controlPlane: struct({ localAPIEndpoint: API_ENDPOINT, certificateKey: TEXT }),
  }, ['discovery', 'nodeRegistration']),
  ClusterConfiguration: struct({
    apiVersion: NODE.apiVersion,
    kind: TEXT,
    etcd: struct({
      local: struct({ ...IMAGE, dataDir: PATH, extraArgs: ARGUMENTS, extraEnvs: VARIABLES, serverCertSANs: TEXTS, peerCertSANs: TEXTS }),
      external: struct({ endpoints: { ...TEXTS, minItems: 1 }, httpEndpoints: TEXTS, caFile: PATH, certFile: PATH, keyFile: PATH }, ['endpoints', 'caFile', 'certFile', 'keyFile']),
    }),
    networking: struct({ serviceSubnet: TEXT, podSubnet: TEXT, dnsDomain: TEXT }),
    kubernetesVersion: { type: 'string', pattern: '^v[0-9]+\\.[0-9]+\\.[0-9]+' },
    controlPlaneEndpoint: TEXT,
    apiServer: struct({ ...COMPONENT, certSANs: TEXTS }),
    controllerManager: struct(COMPONENT),
    scheduler: struct(COMPONENT),
    dns: struct({ ...IMAGE, disabled: FLAG }),
    proxy: struct({ disabled: FLAG }),
    certificatesDir: PATH,
    imageRepository: TEXT,
    featureGates: { type: 'object', additionalProperties: FLAG },
    clusterName: TEXT,
    encryptionAlgorithm: { type: 'string', enum: ['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'] },
    certificateValidityPeriod: DURATION,
    caCertificateValidityPeriod: DURATION,
  }, ['kubernetesVersion', 'controlPlaneEndpoint', 'networking']),
};

/** Faults that kubeadm, or the kubelet of a minor release, would report in a document. */
export function documentFaults(document: Manifest, minor = '1.34'): string[] {
  const { apiVersion, kind, ...fields } = document;
  if (apiVersion === 'kubelet.config.k8s.io/v1beta1' && kind === 'KubeletConfiguration') {
    return checkKubeletConfiguration(minor, fields).map(({ path, message }) => `${kind} ${fieldText(path)}: ${message}`);
  }
  const schema = Object.hasOwn(SCHEMAS, kind) && apiVersion === 'kubeadm.k8s.io/v1beta4' ? SCHEMAS[kind] : undefined;
  if (!schema) return [`${apiVersion} ${kind} is no document of kubeadm`];
  // Not objects of an API server, they have no metadata.
  return structuralErrors({ ...document, metadata: { name: 'x' } }, schema, { scope: 'Cluster' }).map((fault) => `${kind} ${fault}`);
}

function struct(properties: { [name: string]: StructuralSchema }, required: string[] = []): StructuralSchema {
  return { type: 'object', properties, required };
}

function list(items: StructuralSchema): StructuralSchema {
  return { type: 'array', items };
}
