import { configTemplateYaml, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { controllerText, isCloudController, stayingClusters, stoppedRunning } from '../../../rules/changes/controller-changes';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { documents } from '../../../rules/example-text';
import { POD_KINDS } from '../../../rules/pod-objects';
import { fieldAt, isFields, objectsAt } from '../../../values/fields';

const EXTERNAL = 'joinConfiguration:\n  nodeRegistration:\n    kubeletExtraArgs:\n      - {name: cloud-provider, value: external}';
const NODES_TEXT = documents(clusterYaml(CLUSTER_PARTS), configTemplateYaml(EXTERNAL));
const MANAGER_TEXT = controllerText('cloud-controller-manager', 'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.33.0');

/** Nodes that wait for a controller that is gone. */
export const CLOUD_CONTROLLER_REMOVED: TransitionRule = {
  id: 'TC-CHANGE-CLOUD-CONTROLLER-REMOVED',
  title: 'The cloud controller manager must stay as long as kubelets join with --cloud-provider=external: nothing is scheduled on new nodes otherwise.',
  source: 'kubernetes/kubernetes pkg/kubelet/kubelet_node_status.go (TaintExternalCloudProvider); kubernetes/cloud-provider controllers/node/node_controller.go',
  kinds: POD_KINDS,
  trap: true,
  stranding: true,
  example: { before: documents(NODES_TEXT, MANAGER_TEXT), failing: NODES_TEXT, corrected: documents(NODES_TEXT, MANAGER_TEXT.replace('v1.33.0', 'v1.33.1')) },
  check: (change) => {
    const stopped = stoppedRunning(change, isCloudController);
    if (!stopped) return [];
    const { after, old, now } = change;
    const places = stayingClusters(stopped, old, now).map(namespaceOf);
    const management = now.target?.management ?? now;
    const waiting = KUBEADM_KINDS.flatMap((kind) => management.all(kind))
      .filter((object) => places.includes(namespaceOf(object)) && isExternal(object));
    const names = waiting.slice(0, 3).map((object) => nameOf(object) ?? '').join(', ');
    return waiting.length === 0 ? [] : [{
      path: after ? ['spec'] : [],
      message: `no cloud controller manager runs any more, and nodes of ${names} join with --cloud-provider=external: they keep `
        + 'the taint node.cloudprovider.kubernetes.io/uninitialized, and load balancers get no address',
      fix: 'put it back; to do without it, remove cloud-provider from the arguments of the kubelets first, and replace the machines',
    }];
  },
};

/** True if the kubelets of machines wait for a cloud controller manager. */
export function isExternal(object: ManifestObject): boolean {
  const { value } = kubeadmSpec(object);
  return ['initConfiguration', 'joinConfiguration'].some((part) => {
    const place = [part, 'nodeRegistration', 'kubeletExtraArgs'];
    const args = fieldAt(value, ...place);
    if (isFields(args)) return args['cloud-provider'] === 'external';
    return objectsAt(value, ...place).some(([argument]) => argument.name === 'cloud-provider' && argument.value === 'external');
  });
}
