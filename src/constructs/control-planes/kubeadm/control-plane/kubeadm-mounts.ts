import { posix } from 'node:path';
import type { Component } from '../../../../manifests/values/component-facts';

// Source of everything here: kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go.

/** A file or folder of the machine that kubeadm has a component see, at the same path. */
export interface KubeadmMount {
  /** Name of the volume. */
  readonly name: string;

  /** The path. */
  readonly path: string;
}

// Links of /etc/ssl/certs may lead to these; they are mounted where the machine has them.
const MORE_CERTIFICATES = ['/etc/ca-certificates', '/etc/pki/ca-trust', '/etc/pki/tls/certs', '/usr/local/share/ca-certificates', '/usr/share/ca-certificates'];

const CERTIFICATES: readonly KubeadmMount[] = [
  { name: 'k8s-certs', path: '/etc/kubernetes/pki' },
  { name: 'ca-certs', path: '/etc/ssl/certs' },
  ...MORE_CERTIFICATES.map((path) => ({ name: path.slice(1).replaceAll('/', '-'), path })),
];

const FLEX_VOLUMES = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';

/**
 * What kubeadm mounts into a component by itself.
 *
 * @param component the component
 * @param flexVolumes where the controller manager is told to look for FlexVolume plug-ins
 * @param etcdFiles files of an external etcd's certificates
 */
export function kubeadmMounts(component: Component, flexVolumes: string | undefined, etcdFiles: readonly string[]): KubeadmMount[] {
  switch (component) {
    case 'kube-apiserver':
      return [...CERTIFICATES, ...foldersOf(etcdFiles).map((path, index) => ({ name: `etcd-certs-${index}`, path }))];
    case 'kube-controller-manager':
      return [
        ...CERTIFICATES, { name: 'kubeconfig', path: '/etc/kubernetes/controller-manager.conf' }, { name: 'flexvolume-dir', path: flexVolumes ?? FLEX_VOLUMES },
      ];
    default:
      return [{ name: 'kubeconfig', path: '/etc/kubernetes/scheduler.conf' }];
  }
}

/** The folders of files that are not in a mounted one, without those in another of them. */
function foldersOf(files: readonly string[]): string[] {
  const needed = [...new Set(files.map((file) => posix.dirname(file)))].filter((folder) => !CERTIFICATES.some(({ path }) => folder.startsWith(path)));
  return needed.filter((folder) => !needed.some((other) => other !== folder && folder.startsWith(other))).sort();
}
