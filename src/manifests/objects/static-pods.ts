import { gunzipSync } from 'node:zlib';
import { groupKind, ManifestObject } from './manifest-object';
import { fieldAt, stringAt } from '../values/fields';

/** A file of a machine that the kubelet runs as a static pod. */
export interface StaticPodFile {
  /** Path of the file on the machine. */
  readonly path: string;

  /** Its content; undefined where that does not stand in the object. */
  readonly text?: string;
}

// More than a machine's user data can hold.
const LARGEST_TEXT = 1024 * 1024;
// The kubelet runs the pods of files there (kubernetes.io/docs/tasks/configure-pod-container/static-pod).
const STATIC_PODS = '/etc/kubernetes/manifests/';
const KUBEADM_FILES: Readonly<Record<string, readonly string[]>> = {
  'bootstrap.cluster.x-k8s.io/KubeadmConfig': ['spec', 'files'],
  'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate': ['spec', 'template', 'spec', 'files'],
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane': ['spec', 'kubeadmConfigSpec', 'files'],
  'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate': ['spec', 'template', 'spec', 'kubeadmConfigSpec', 'files'],
};

/** The static pods that an object puts on machines. */
export function staticPodFiles(object: ManifestObject): StaticPodFile[] {
  const place = KUBEADM_FILES[groupKind(object)];
  const files = place && fieldAt(object, ...place);
  return (Array.isArray(files) ? files : []).flatMap((file) => {
    const path = stringAt(file, 'path');
    return path?.startsWith(STATIC_PODS) ? [{ path, text: contentOf(file) }] : [];
  });
}

/** Content of a file, decoded (kubernetes-sigs/cluster-api api/bootstrap/kubeadm/v1beta2/kubeadmconfig_types.go, Encoding). */
function contentOf(file: unknown): string | undefined {
  const [content, encoding] = [stringAt(file, 'content'), stringAt(file, 'encoding')];
  if (content === undefined || encoding === undefined) return content;
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8');
  return encoding === 'gzip+base64' ? unzipped(Buffer.from(content, 'base64')) : undefined;
}

function unzipped(bytes: Buffer): string | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST_TEXT }).toString('utf8');
  } catch {
    return undefined;
  }
}
