import { BootstrapFile } from './bootstrap-file';
import { KUBELET_PATCH } from '../../../../manifests/systems/kubeadm/node-files';
import { canonicalJson } from '../../../../manifests/values/content-hash';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

const API_VERSION = 'kubelet.config.k8s.io/v1beta1';

/**
 * The fields in which these kubelets differ from the cluster's, as a patch that kubeadm applies to the configuration that it
 * downloads from the cluster. Unlike flags, these fields are not deprecated.
 *
 * The name has kubeadm's form `target[suffix][+patchtype].extension`; without suffix it comes first, so that patches of a user win.
 *
 * Sources: kubernetes.io/docs/setup/production-environment/tools/kubeadm/control-plane-flags (patches),
 * kubernetes/kubernetes cmd/kubeadm/app/util/patches/patches.go,
 * kubernetes-sigs/cluster-api docs/book/src/tasks/bootstrap/kubeadm-bootstrap/kubelet-config.md.
 */
export function kubeletPatch(context: PoolContext): BootstrapFile[] {
  if (Object.keys(context.kubeletConfiguration).length === 0) return [];
  return [{
    path: KUBELET_PATCH,
    content: `${stableJson({ ...context.kubeletConfiguration, apiVersion: API_VERSION, kind: 'KubeletConfiguration' })}\n`,
    owner: 'root:root',
    permissions: '0644',
  }];
}

/** Indented, so that a change of one field is a change of one line; in one order, so that the template's name does not depend on it. */
function stableJson(value: unknown): string {
  return JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);
}
