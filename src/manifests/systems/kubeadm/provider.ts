import { kubeadmControlPlaneConsequences } from './control-plane-consequences';
import { kubeadmControlPlaneEffects } from './control-plane-effects';
import { controlPlaneNetwork } from './control-plane-network';
import { IMAGES } from './images';
import { nodeDns } from './node-dns';
import { KUBELET_PATCH } from './node-files';
import { PAGE_PARTS } from './page/page-parts';
import { CONTROL_PLANE_PROPERTIES } from './page-properties';
import { ARGUMENT_FILES } from './rules/argument-files';
import { ARGUMENTS } from './rules/arguments';
import { BOOTSTRAP_DATA } from './rules/bootstrap-data';
import { CLOUD_CONTROLLER_REMOVED, isExternal } from './rules/cloud-provider';
import { CONFIGURATION_FILES } from './rules/configuration-files';
import { CONTROL_PLANES } from './rules/control-planes';
import { INSTANCE_DATA } from './rules/instance-data';
import { AUTHORITIES, KUBEADM_CHANGES } from './rules/kubeadm-changes';
import { KUBEADM_VALIDATION } from './rules/kubeadm-validation';
import { KUBELET } from './rules/kubelet';
import { NODE_REGISTRATION } from './rules/node-registration';
import { PROVIDER_ID_RULES } from './rules/provider-ids';
import { STORED_FORMS } from './stored-forms';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import {
  KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE,
} from '../../rules/cluster-api/cluster-api-kinds';
import { ServiceAccountSecret } from '../../rules/cluster-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { clusterOf } from '../../rules/references/object-references';
import { ProviderRelease } from '../../values/provider-release';

/** Cluster API's bootstrap provider. */
export const KUBEADM_BOOTSTRAP_RELEASE: ProviderRelease = {
  kind: 'BootstrapProvider', name: 'kubeadm', image: 'registry.k8s.io/cluster-api/kubeadm-bootstrap-controller',
};

/** Cluster API's control plane provider. */
export const KUBEADM_CONTROL_PLANE_RELEASE: ProviderRelease = {
  kind: 'ControlPlaneProvider', name: 'kubeadm', image: 'registry.k8s.io/cluster-api/kubeadm-control-plane-controller',
};

/** Rules of kubeadm's providers: the checks of their webhooks and schemas, and further errors that these accept. */
export const KUBEADM_MANIFEST_RULES: readonly ManifestRule[] = [
  ...BOOTSTRAP_DATA,
  ...ARGUMENTS,
  ...ARGUMENT_FILES,
  ...CONFIGURATION_FILES,
  ...CONTROL_PLANES,
  ...NODE_REGISTRATION,
  ...INSTANCE_DATA,
  ...PROVIDER_ID_RULES,
  ...KUBELET,
  ...KUBEADM_VALIDATION,
];

/**
 * The keys for tokens of ServiceAccounts, which machines get as files when they are made
 * (kubernetes-sigs/cluster-api util/secret/certificates.go, AsFiles, v1.14.2).
 */
function serviceAccountSecret(controlPlane: ManifestObject, index: ManifestIndex): ServiceAccountSecret | undefined {
  const cluster = clusterOf(controlPlane, index);
  return cluster && { name: `${nameOf(cluster) ?? ''}-sa`, publicKeys: 'tls.crt', privateKey: 'tls.key', restarts: false };
}

/** Cluster API's providers for kubeadm. */
export const KUBEADM: Provider = {
  name: 'kubeadm',
  title: 'Control planes and machines of kubeadm',
  pageProperties: {
    [KUBEADM_CONTROL_PLANE]: { of: 'the cluster', properties: { ...CONTROL_PLANE_PROPERTIES, 'spec.version': 'kubernetesVersion' } },
  },
  kinds: [
    { kind: KUBEADM_CONFIG, validatedByWebhook: true },
    { kind: KUBEADM_CONFIG_TEMPLATE, role: 'bootstrapTemplate' },
    { kind: KUBEADM_CONTROL_PLANE, role: 'controlPlane', joinedBy: [KUBEADM_CONFIG_TEMPLATE] },
    { kind: KUBEADM_CONTROL_PLANE_TEMPLATE, role: 'controlPlaneTemplate', validatedByWebhook: true },
  ],
  namespaces: {
    'capi-kubeadm-bootstrap-system': 'Cluster API\'s bootstrap provider runs there',
    'capi-kubeadm-control-plane-system': 'Cluster API\'s control plane provider runs there',
  },
  rules: KUBEADM_MANIFEST_RULES,
  changes: [...KUBEADM_CHANGES, CLOUD_CONTROLLER_REMOVED],
  storedForms: STORED_FORMS,
  pageParts: PAGE_PARTS,
  awaitsCloudController: Object.fromEntries([KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE].map((kind) => [kind, isExternal])),
  nodeDns: Object.fromEntries([KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE].map((kind) => [kind, nodeDns])),
  controlPlanes: { [KUBEADM_CONTROL_PLANE]: (controlPlane) => ({ network: controlPlaneNetwork(controlPlane) }) },
  authorities: AUTHORITIES,
  serviceAccountKeys: { [KUBEADM_CONTROL_PLANE]: serviceAccountSecret },
  effects: { [KUBEADM_CONTROL_PLANE]: kubeadmControlPlaneEffects },
  consequences: { [KUBEADM_CONTROL_PLANE]: kubeadmControlPlaneConsequences },
  templateWords: {
    [KUBEADM_CONFIG_TEMPLATE]: {
      'template.spec': 'bootstrap',
      'template.spec.files': 'files',
      [`template.spec.files.${KUBELET_PATCH}.content`]: 'kubelet',
      'template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs': 'kubelet flags',
      'template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs.node-labels': 'labels',
      'template.spec.joinConfiguration.nodeRegistration.taints': 'taints',
      'template.spec.users': 'users',
    },
  },
  images: IMAGES,
};
