import { Arrow, Box, BoxRole, Picture } from '../../src/cli/graph/picture';

/** The programs that act on the output of the library, in the order in which they do. */
export const ACTORS: Picture = {
  id: 'actors',
  title: 'From a page of TypeScript to a tenant cluster',
  description: 'Synthesis writes manifests. Flux or Argo CD applies them in the management cluster, where Cluster API orders a control plane from Kamaji and '
    + 'machines from KubeVirt. Together they are the tenant cluster, to which Flux or Argo CD delivers addons and workloads.',
  groups: [
    {
      id: 'repository',
      title: 'Your repository',
      boxes: [box('page', BoxRole.OTHER, 'Page of TypeScript', 'synthesis refuses mistakes'), box('dist', BoxRole.OTHER, 'Manifests in dist', 'YAML in Git')],
      arrows: [arrow('page', 'dist')],
    },
    {
      id: 'management',
      title: 'Management cluster',
      boxes: [
        box('gitops', BoxRole.DELIVERY, 'Flux or Argo CD', 'applies and prunes'),
        box('capi', BoxRole.CLUSTER, 'Cluster API', 'orders and replaces'),
        box('kamaji', BoxRole.CONTROL_PLANE, 'Kamaji', 'control plane as pods'),
        box('kubevirt', BoxRole.INFRASTRUCTURE, 'KubeVirt', 'virtual machines'),
        box('ccm', BoxRole.CONTROLLER, 'Cloud controller manager', 'addresses of Services'),
        box('csi', BoxRole.CONTROLLER, 'CSI driver', 'volumes'),
        box('autoscaler', BoxRole.CONTROLLER, 'Cluster autoscaler', 'number of machines'),
      ],
      arrows: [arrow('gitops', 'capi'), arrow('capi', 'kamaji'), arrow('capi', 'kubevirt')],
    },
    {
      id: 'tenant',
      title: 'Tenant cluster',
      boxes: [
        box('nodes', BoxRole.POOL, 'Nodes', 'joined by kubeadm'), box('addons', BoxRole.ADDON, 'Pod network, addons', 'delivered by Flux or Argo CD'),
        box('workloads', BoxRole.ADDON, 'Workloads', 'of any cdk8s library'),
      ],
      arrows: [],
    },
  ],
  between: ['read by Flux or Argo CD', 'API server, machines, addons'],
};

function box(id: string, role: BoxRole, title: string, line: string): Box {
  return { id, role, title, lines: [line] };
}

function arrow(from: string, to: string): Arrow {
  return { from, to, isOrder: false };
}
