import { posix } from 'node:path';
import type { Component } from '../../values/component-facts';

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

/** Folder of kubeadm's certificates (cmd/kubeadm/app/apis/kubeadm/v1beta4/defaults.go). */
const CERTIFICATES = '/etc/kubernetes/pki';

const FLEX_VOLUMES = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';

/** Settings on which the mounts depend. */
export interface MountSettings {
  /**
   * Folder that the controller manager is told to look for FlexVolume plug-ins in.
   *
   * @default - that of the component
   */
  readonly flexVolumes?: string;

  /**
   * Files of an external etcd's certificates.
   *
   * @default - none
   */
  readonly etcdFiles?: readonly string[];

  /**
   * Folder of the certificates.
   *
   * @default /etc/kubernetes/pki
   */
  readonly certificates?: string;
}

/**
 * Files and folders that kubeadm mounts into a component by itself.
 *
 * @param component the component
 * @param settings settings of the cluster
 */
export function kubeadmMounts(component: Component, settings: MountSettings): KubeadmMount[] {
  const { flexVolumes = FLEX_VOLUMES, etcdFiles = [], certificates = CERTIFICATES } = settings;
  const common: readonly KubeadmMount[] = [
    { name: 'k8s-certs', path: certificates },
    { name: 'ca-certs', path: '/etc/ssl/certs' },
    ...MORE_CERTIFICATES.map((path) => ({ name: path.slice(1).replaceAll('/', '-'), path })),
  ];
  switch (component) {
    case 'kube-apiserver':
      return [...common, ...foldersOf(etcdFiles, common).map((path, index) => ({ name: `etcd-certs-${index}`, path }))];
    case 'kube-controller-manager':
      return [...common, { name: 'kubeconfig', path: '/etc/kubernetes/controller-manager.conf' }, { name: 'flexvolume-dir', path: flexVolumes }];
    default:
      return [{ name: 'kubeconfig', path: '/etc/kubernetes/scheduler.conf' }];
  }
}

/** The folders of files that are not in a mounted one, without those in another of them. */
function foldersOf(files: readonly string[], mounted: readonly KubeadmMount[]): string[] {
  const folders = [...new Set(files.map((file) => posix.dirname(file)))];
  const needed = folders.filter((folder) => !mounted.some(({ path }) => folder.startsWith(path)));
  return needed.filter((folder) => !needed.some((other) => other !== folder && folder.startsWith(other))).sort();
}
