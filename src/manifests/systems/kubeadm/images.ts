import { ManifestObject } from '../../objects/manifest-object';
import {
  KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE,
} from '../../rules/cluster-api/cluster-api-kinds';
import { COMPONENTS, dnsField, ImageFacts, KUBERNETES_REGISTRY, kubernetesTag, RegistryField, registryField } from '../../rules/image-facts';
import { fieldAt, stringAt } from '../../values/fields';

/** Images of control planes and machines, and of kubeadm's own file. */
export const IMAGES: Readonly<Record<string, ImageFacts>> = {
  [KUBEADM_CONTROL_PLANE]: images((object) => (
    controlPlaneFields(object, ['spec', 'kubeadmConfigSpec'], stringAt(object, 'spec', 'version'))
  )),
  [KUBEADM_CONTROL_PLANE_TEMPLATE]: images((object) => (
    controlPlaneFields(object, ['spec', 'template', 'spec', 'kubeadmConfigSpec'], undefined)
  )),
  [KUBEADM_CONFIG]: images((object) => configFields(object, ['spec'])),
  [KUBEADM_CONFIG_TEMPLATE]: images((object) => configFields(object, ['spec', 'template', 'spec'])),
  'kubeadm.k8s.io/ClusterConfiguration': images((object) => (
    kubeadmFields(object, [], { version: stringAt(object, 'kubernetesVersion'), skipped: [] })
  )),
};

function images(registries: (object: ManifestObject) => RegistryField[]): ImageFacts {
  return {
    registries,
    unknown: () => ['pause: nodes run it in every pod, with the image that containerd is configured with in the machine\'s image'],
  };
}

function configFields(object: ManifestObject, config: readonly string[]): RegistryField[] {
  return fieldAt(object, ...config, 'clusterConfiguration') === undefined ? [] : controlPlaneFields(object, config, undefined);
}

/** The first machine installs the addons, unless its phases are skipped. */
function controlPlaneFields(object: ManifestObject, config: readonly string[], version: string | undefined): RegistryField[] {
  const skipped = fieldAt(object, ...config, 'initConfiguration', 'skipPhases');
  return kubeadmFields(object, [...config, 'clusterConfiguration'], { version, skipped: Array.isArray(skipped) ? skipped : [] });
}

/** Settings of kubeadm beside a ClusterConfiguration. */
interface KubeadmRun {
  readonly version: string | undefined;

  /** Phases that `kubeadm init` leaves out. */
  readonly skipped: readonly unknown[];
}

// kubernetes/kubernetes cmd/kubeadm/app/images/images.go, cmd/kubeadm/app/cmd/phases/init/addons.go
function kubeadmFields(object: ManifestObject, cluster: readonly string[], { version, skipped }: KubeadmRun): RegistryField[] {
  const etcd = [...cluster, 'etcd', 'local'];
  const base = stringAt(object, ...cluster, 'imageRepository') ?? KUBERNETES_REGISTRY;
  const etcdImage = { name: 'etcd', tag: stringAt(object, ...etcd, 'imageTag'), reason: 'kubeadm runs etcd' };
  const ownEtcd = stringAt(object, ...etcd, 'imageRepository') !== undefined;
  const noEtcd = fieldAt(object, ...cluster, 'etcd', 'external') !== undefined;
  const without = (field: string, phase: string) => (
    fieldAt(object, ...cluster, field, 'disabled') === true || skipped.includes('addon') || skipped.includes(`addon/${phase}`));
  const dns = [...cluster, 'dns'];
  return [
    registryField(object, [...cluster, 'imageRepository'], KUBERNETES_REGISTRY, [
      ...[...COMPONENTS, ...(without('proxy', 'kube-proxy') ? [] : ['kube-proxy'])].map((name) => ({ name, tag: kubernetesTag(version), reason: `kubeadm runs ${name}` })),
      ...(ownEtcd || noEtcd ? [] : [etcdImage]),
    ]),
    ...(ownEtcd && !noEtcd ? [registryField(object, [...etcd, 'imageRepository'], base, [etcdImage])] : []),
    ...(without('dns', 'coredns') ? [] : [dnsField([...dns, 'imageRepository'], stringAt(object, ...dns, 'imageRepository') ?? base, {
      tag: stringAt(object, ...dns, 'imageTag'), reason: 'kubeadm installs CoreDNS',
    })]),
  ];
}
