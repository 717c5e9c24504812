import { External } from './references';

const EVERY = /./;

/** Objects that outputs refer to and do not make, each with its maker. */
export const EXTERNALS: readonly External[] = [
  // Argo CD.
  { output: EVERY, kind: 'AppProject', name: /^argocd\/default$/, reason: 'comes with Argo CD' },
  { output: /^example-argo-cd$/, kind: 'AppProject', name: /^argocd\/tenants$/, reason: 'of Argo CD, as the example says' },
  { output: /^(example-argo-cd|delivery-argo-cd.*)$/, kind: 'Registration', name: /^tenant-acme-acme$/, reason: 'whoever registers tenants with Argo CD' },

  // Offered by the management cluster.
  { output: /^isolation-data-store-move$/, kind: 'DataStore', name: /^gold$/, reason: 'an etcd for Kamaji, as the scenario says' },
  { output: EVERY, kind: 'DataStore', name: /^default$/, reason: 'of Kamaji, as the program says' },
  { output: /^example-blueprint-highly-available$/, kind: 'DataStore', name: /^acme$/, reason: 'of Kamaji, as the page of the blueprint says' },
  { output: /^example-gpu-and-multi-pool$/, kind: 'DataStore', name: /^ssd-etcd$/, reason: 'of Kamaji, as the example says' },
  { output: /^(example-diy-cloud|example-blueprint-.*|example-gpu-and-multi-pool|company-network|pools-.*|control-plane-kubeadm|kubernetes-.*)$/, kind: 'StorageClass', name: /^(replicated|local)$/, reason: 'of the management cluster' },
  { output: /^example-gpu-and-multi-pool$/, kind: 'VirtualMachineClusterInstancetype', name: /^gn1\.2xlarge$/, reason: 'of KubeVirt\'s common instance types' },
  { output: /^example-gpu-and-multi-pool$/, kind: 'VirtualMachineClusterPreference', name: /^ubuntu$/, reason: 'of KubeVirt\'s common instance types' },
  { output: /^control-plane-ingress-audit$/, kind: 'IngressClass', name: /^nginx$/, reason: 'of the management cluster' },
  { output: /^control-plane-gateway-authentication$/, kind: 'Gateway', name: /^gateways\/tenants$/, reason: 'of the management cluster' },
  { output: /^pools-root-disks$/, kind: 'PersistentVolumeClaim', name: /^images\/ubuntu$/, reason: 'an image that disks are cloned from' },
  { output: /^pools-root-disks$/, kind: 'VolumeSnapshot', name: /\/ubuntu$/, reason: 'an image that disks are cloned from' },
  { output: /^pools-machines$/, kind: 'NetworkAttachmentDefinition', name: /\/networks\/(storage|fast)$/, reason: 'of the management cluster' },

  {
    output: /^example-(management-cluster|metal3|monitoring)$/,
    kind: 'ServiceAccount',
    name: /^capi-kubeadm-bootstrap-system\/capi-kubeadm-bootstrap-manager$/,
    reason: 'made by the operator, of the BootstrapProvider',
  },

  {
    output: /^example-monitoring$/,
    kind: 'ServiceAccount',
    name: /^monitoring\/kube-prometheus-stack-kube-state-metrics$/,
    reason: 'of the chart of kube-state-metrics, as the example says',
  },
  { output: /^example-monitoring$/, kind: 'PersistentVolumeClaim', name: /^kamaji-etcd\/etcd-backups$/, reason: 'for backups, as the example says' },

  // Secrets, which no output holds.
  { output: /^control-plane-gateway-authentication$/, kind: 'Secret', name: /\/acme-encryption$/, reason: 'keys for data at rest' },
  { output: /^pools-.*$/, kind: 'Secret', name: /\/infra-kubeconfig$/, reason: 'access to the cluster of the machines' },
  { output: /^pools-root-disks$/, kind: 'Secret', name: /\/pull$/, reason: 'credentials of a registry' },
  { output: /^company-network$/, kind: 'Secret', name: /\/(registry|registry-import|company-ca)$/, reason: 'access to registries and chart repositories' },
  { output: /^pools-bootstrap$/, kind: 'Secret', name: /\/(registry-credentials|operator)$/, reason: 'credentials for machines' },
  { output: /^example-cluster-api-only$/, kind: 'Secret', name: /^tenant-acme\/registry-credentials$/, reason: 'credentials of a registry, as the example says' },

  { output: /^example-(management-cluster|monitoring)$/, kind: 'Secret', name: /^kamaji-etcd\/etcd-(bank|default)-(ca|(client|server)-certs)$/, reason: 'made by the chart of etcd' },
  { output: /^example-management-cluster$/, kind: 'Secret', name: /^kamaji-etcd\/etcd-backup$/, reason: 'access to the bucket of backups, as the example says' },
  { output: /^example-vultr(-vpc)?$/, kind: 'Secret', name: /^(capi|capi-ha|capi-vpc)\/\1-vultr-api-keys$/, reason: 'keys of Vultr\'s API, as the example says' },
  { output: /^example-blueprint-vultr-starter$/, kind: 'Secret', name: /^tenant-acme\/acme-vultr-api-keys$/, reason: 'keys of Vultr\'s API, as docs/vultr.md says' },
  { output: /^example-openstack$/, kind: 'Secret', name: /^tenant-(acme|hosted)\/\1-(clouds|tenant-cloud-config)$/, reason: 'credentials of OpenStack, as the guide says' },
  { output: /^example-proxmox$/, kind: 'Secret', name: /^tenant-(acme|hosted)\/(proxmox-credentials|\1-tenant-proxmox-api-token)$/, reason: 'credentials of Proxmox VE, as the guide says' },
  { output: /^example-vsphere$/, kind: 'Secret', name: /^tenant-(acme|hosted)\/\1-tenant-(cloud-provider-vsphere-credentials|vsphere-config-secret)$/, reason: 'credentials of vSphere, as the guide says' },
  { output: /^example-vsphere$/, kind: 'VSphereClusterIdentity', name: /^tenants$/, reason: 'of the management cluster, as the example says' },
  { output: /^example-vsphere$/, kind: 'PortGroup', name: /^nodes$/, reason: 'a network of vCenter' },
  { output: /^example-vultr(-vpc)?$/, kind: 'Secret', name: /^capi-operator-system\/vultr-variables$/, reason: 'as the example says' },
  { output: /^example-management-cluster$/, kind: 'Secret', name: /^capi-operator-system\/cluster-api-variables$/, reason: 'as the example says' },
  { output: /^example-own-strategies$/, kind: 'Secret', name: /^tenant-(kubeadm|rke2|talos)\/hetzner$/, reason: 'the token of Hetzner\'s API, as the guide says' },

  { output: /^example-cluster-class$/, kind: 'Secret', name: /^tenant-(acme|beta)\/\1-admin-kubeconfig$/, reason: 'made by Kamaji, of the control plane that the topology controller makes' },

  // The repository that the output is in.
  { output: /^delivery-flux-repository$/, kind: 'GitRepository', name: /^flux-system\/fleet$/, reason: 'made by "flux bootstrap"' },
  { output: /^example-(management-cluster|diy-cloud|blueprint-.*|cluster-class|gated-rings|metal3|monitoring|openstack|own-addon|proxmox|vsphere|vultr|vultr-vpc|weekly-windows)$/, kind: 'GitRepository', name: /^flux-system\/flux-system$/, reason: 'made by "flux bootstrap"' },
  { output: /^example-weekly-windows$/, kind: 'Secret', name: /^flux-system\/flux-system$/, reason: 'made by "flux bootstrap"' },
  { output: /^example-gated-rings$/, kind: 'Kustomization', name: /^flux-system\/flux-system$/, reason: 'made by "flux bootstrap", applies the entry points' },

  // In tenants.
  { output: EVERY, tenant: true, kind: 'PriorityClass', name: /^system-(node|cluster)-critical$/, reason: 'of every API server' },
  { output: /^(example-argo-cd|example-own-addon|delivery-.*)$/, tenant: true, kind: 'IngressClass', name: /^traefik$/, reason: 'of the chart of Traefik' },
  { output: /^company-network$/, tenant: true, kind: 'Secret', name: /^kubevirt-csi-driver\/registry$/, reason: 'credentials of a registry' },
  { output: /^example-argo-cd$/, tenant: true, kind: 'Secret', name: /^shop\/shop-certificate$/, reason: 'issued by cert-manager' },
  { output: /^example-(blueprint-vultr-starter|vultr(-vpc)?)$/, tenant: true, kind: 'Secret', name: /^kube-system\/vultr-(ccm|csi)$/, reason: 'carried from the Secret <cluster>-vultr-api-keys' },
];
