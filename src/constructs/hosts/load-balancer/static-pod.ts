import { Yaml } from 'cdk8s';
import { contentHash } from '../../../manifests/values/content-hash';
import { isPinned, parseImageReference } from '../../../manifests/values/image-reference';
import { Problem, Rule } from '../../../manifests/values/problem';
import { HostFile } from '../host-file';

/** Folder of the pods that a kubelet runs by itself. */
const MANIFESTS = '/etc/kubernetes/manifests';

const FILES_HASH = 'checksum/files';

/** The parts of a container that differ. */
interface StaticContainer {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly capabilities?: readonly string[];
  /** Path on the host by path in the container. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Files of the host. The container reads its mounted files only at its start, so a kubelet must restart it when they change. */
  readonly files?: readonly HostFile[];
  readonly hostAliases?: readonly object[];
  /** Detects that the container hangs. */
  readonly livenessProbe?: object;
}

/** Small requests: the programs only forward or watch. */
const REQUESTS = { cpu: '25m', memory: '64Mi' };

/**
 * A static pod in the network of the host.
 *
 * Source: kubernetes.io/docs/tasks/configure-pod-container/static-pod.
 */
export function staticPod(container: StaticContainer): HostFile {
  const { name, image, command, args, env, capabilities, mounts, files = [], hostAliases, livenessProbe } = container;
  const volumes = Object.entries(mounts).map(([mountPath, path], index) => ({ name: `file-${index}`, mountPath, path }));
  const read = files.filter(({ path }) => Object.values(mounts).includes(path));
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'kube-system', ...(read.length > 0 && { annotations: { [FILES_HASH]: contentHash(read) } }) },
    spec: {
      containers: [{
        name,
        image,
        imagePullPolicy: 'IfNotPresent',
        ...(command && { command }),
        ...(args && { args }),
        ...(env && { env }),
        ...(livenessProbe && { livenessProbe }),
        resources: { requests: REQUESTS },
        ...(capabilities && { securityContext: { capabilities: { add: capabilities } } }),
        volumeMounts: volumes.map((volume) => ({ name: volume.name, mountPath: volume.mountPath, readOnly: true })),
      }],
      ...(hostAliases && { hostAliases }),
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      volumes: volumes.map((volume) => ({ name: volume.name, hostPath: { path: volume.path, type: 'File' } })),
    },
  };
  // As with the files of kubeadm in this folder, only root can read it.
  return { path: `${MANIFESTS}/${name}.yaml`, content: Yaml.stringify(manifest), permissions: '0600' };
}

const IMAGE_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-IMAGE',
  title: 'Images of static pods must have a digest, or a tag other than latest.',
  source: 'kubernetes.io/docs/concepts/containers/images',
};

/** Checks the image of a static pod. */
export function checkImage(property: string, image: string): Problem[] {
  const reference = parseImageReference(image);
  return reference && isPinned(reference) ? [] : [{
    rule: IMAGE_RULE, property, message: `"${image}" is not an image of a fixed version`, accepted: 'images with a tag other than latest, or a digest', fix: 'name the version that you have tested',
  }];
}
