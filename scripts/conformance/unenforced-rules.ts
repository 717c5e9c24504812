/** A rule that the server of this suite is no witness for. */
export interface UnenforcedRule {
  /** Id of the rule. */
  readonly rule: string;

  /**
   * Pattern of the findings, as `field: message`.
   *
   * @default - all findings of the rule
   */
  readonly finding?: RegExp;

  /** Reason for which the server judges otherwise. */
  readonly reason: string;
}

const GATE_IS_ON = 'the webhooks run with all feature gates that rules know, so that they take what needs one';
const ADDON_WEBHOOK = 'the webhook of Cluster API\'s add-on provider for Helm does not run';
const OPENSTACK_WEBHOOK = 'the webhooks of Cluster API\'s provider for OpenStack do not run';
const KAMAJI_WEBHOOK = 'the webhooks of Kamaji do not run: they need Kamaji\'s own cluster';

/** Rules whose failing objects the server takes, because what refuses them does not run beside it; one that the server enforces is an error. */
export const UNENFORCED: readonly UnenforcedRule[] = [
  ...['TC-ADMIT-KUBERNETES-AUTOSCALER-GATE', 'TC-ADMIT-KUBEADM-IGNITION-GATE', 'TC-ADMIT-MACHINE-TAINT-GATE', 'TC-ADMIT-RUNTIME-GATE', 'TC-ADMIT-TOPOLOGY-GATE'].map((rule) => ({ rule, reason: GATE_IS_ON })),
  ...['TC-ADMIT-HELMCHART-REPOSITORY', 'TC-ADMIT-HELMCHART-TIMEOUT', 'TC-CHANGE-HELMCHART', 'TC-CHANGE-HELMRELEASE-PROXY'].map((rule) => ({ rule, reason: ADDON_WEBHOOK })),
  ...['TC-ADMIT-TCP-NAME', 'TC-ADMIT-TCP-VERSION', 'TC-ADMIT-TCP-DNS-SERVICE-IP', 'TC-ADMIT-TCP-CERTIFICATE-NAME', 'TC-CHANGE-TCP-VERSION']
    .map((rule) => ({ rule, reason: KAMAJI_WEBHOOK })),
  ...['TC-ADMIT-OPENSTACK-MACHINE', 'TC-ADMIT-OPENSTACK-PROVIDER-ID', 'TC-ADMIT-OPENSTACK-SECURITY-GROUP-RULE', 'TC-CHANGE-OPENSTACK-BASTION',
    'TC-CHANGE-OPENSTACK-FIELD']
    .map((rule) => ({ rule, reason: OPENSTACK_WEBHOOK })),
  ...['TC-ADMIT-VM-CLOUD-INIT', 'TC-ADMIT-VM-DATA-VOLUMES', 'TC-ADMIT-VM-DISKS', 'TC-ADMIT-VM-NETWORKS', 'TC-ADMIT-VM-SETTINGS']
    .map((rule) => ({ rule, reason: 'the webhooks of KubeVirt itself do not run' })),
  ...['TC-ADMIT-AZURE-IDENTITY', 'TC-ADMIT-AZURE-POOL-NAME', 'TC-ADMIT-AZURE-SUBNET', 'TC-CHANGE-AZURE-FIELD', 'TC-CHANGE-AZURE-SYSTEM-POOL', 'TC-CHANGE-AZURE-VERSION']
    .map((rule) => ({ rule, reason: 'the webhooks of Cluster API\'s provider for Azure do not run' })),
  ...['TC-CHANGE-AWS-FIELD', 'TC-CHANGE-AWS-VERSION', 'TC-CHANGE-GCP-FIELD', 'TC-CHANGE-HETZNER-FIELD', 'TC-CHANGE-K0S-VERSION', 'TC-CHANGE-RKE2-FIELD']
    .map((rule) => ({ rule, reason: 'the webhooks of Cluster API\'s providers for AWS, Google Cloud, Hetzner, k0s and RKE2 do not run' })),
  ...['TC-ADMIT-METAL3-CLAIM', 'TC-ADMIT-METAL3-DATA', 'TC-ADMIT-METAL3-DATA-CLAIM', 'TC-ADMIT-METAL3-ENDPOINT', 'TC-ADMIT-METAL3-IMAGE',
    'TC-ADMIT-METAL3-IP-POOL', 'TC-ADMIT-METAL3-REMEDIATION', 'TC-ADMIT-METAL3-SECRET-NAMESPACE', 'TC-CHANGE-METAL3-FIELD', 'TC-CHANGE-METAL3-IPAM-FIELD']
    .map((rule) => ({ rule, reason: 'the webhooks of Metal3 do not run: no Go module proxy has them' })),
  ...['TC-ADMIT-PROXMOX-ENDPOINT', 'TC-ADMIT-PROXMOX-NETWORK', 'TC-ADMIT-PROXMOX-PROVIDER-ID', 'TC-ADMIT-VSPHERE-FAILURE-DOMAIN', 'TC-ADMIT-VSPHERE-MACHINE', 'TC-CHANGE-PROXMOX-FIELD',
    'TC-CHANGE-VSPHERE-FIELD']
    .map((rule) => ({ rule, reason: 'the webhooks of Cluster API\'s providers for Proxmox VE and vSphere do not run' })),
  ...['TC-ADMIT-IN-CLUSTER-ADDRESSES', 'TC-ADMIT-IN-CLUSTER-SUBNET'].map((rule) => ({ rule, reason: 'the webhooks of the in-cluster address provider do not run' })),
  {
    rule: 'TC-ADMIT-FIELD-REQUIRED',
    finding: /^spec\.(template\.spec\.)?backend: /,
    reason: 'a webhook of Cluster API\'s development provider writes the backend of Docker where there is none, before the definition is looked at',
  },
  { rule: 'TC-ADMIT-KUBERNETES-NAMESPACE-FINALIZER', reason: 'the namespaces of most cases are there, and servers keep the finalizers of a Namespace that is there' },
  ...['TC-ADMIT-CERT-MANAGER-ISSUER-KIND', 'TC-ADMIT-CERT-MANAGER-RENEWAL'].map((rule) => ({ rule, reason: 'the webhook of cert-manager does not run' })),
  { rule: 'TC-ADMIT-CLUSTER-DURATION', reason: 'conversion between versions does not run' },
  ...['TC-ADMIT-CDI-DATA-VOLUME', 'TC-CHANGE-DATA-VOLUME'].map((rule) => ({ rule, reason: 'the webhook of the Containerized Data Importer does not run' })),
  {
    rule: 'TC-ADMIT-FIELD-UNKNOWN',
    finding: /\.(interfaces\[\d+\]\.\w+|disks\[\d+\]\.\w+|rng|vsock|downwardMetrics|upload)\.\w+: /,
    reason: 'server-side apply looks at no field of a map for which a definition names none, and drops it; kubectl create is told of it',
  },
  { rule: 'TC-ADMIT-FIELD-VALUE', finding: / does not fit into int(32|64)$/, reason: 'server-side apply stores another number in a kind of Kubernetes itself' },
];

/** Rules whose corrected objects the server refuses, because their correction is a setting that the server does not have; one that it takes is an error. */
export const UNCORRECTED: readonly UnenforcedRule[] = [
  { rule: 'TC-ADMIT-KCP-INFRASTRUCTURE', reason: 'it is about v1beta1, and conversion between versions does not run: the webhook reads fields of v1beta2' },
  { rule: 'TC-CHANGE-CLAIM', reason: 'nobody binds the claim, and only a bound one can grow' },
  { rule: 'TC-CHANGE-TOPOLOGY-VERSION', reason: 'the webhook looks at the control plane that the topology controller would have made' },
];
