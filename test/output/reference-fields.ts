const RBAC = 'rbac.authorization.k8s.io';
const FLUX_KUBECONFIG = 'Secret spec.kubeConfig.secretRef.name';
const VM = 'spec.template.spec.virtualMachineTemplate.spec';
const BINDING = ['* roleRef', '* subjects[]'];

/** Paths at which pods name other objects, in any kind that describes pods: `Kind path`. */
export const POD_REFERENCES: readonly string[] = [
  'ServiceAccount **.template.spec.serviceAccountName',
  'PriorityClass **.template.spec.priorityClassName',
  'RuntimeClass **.template.spec.runtimeClassName',
  'Secret **.template.spec.imagePullSecrets[].name',
  'Secret **.template.spec.volumes[].secret.secretName',
  'ConfigMap **.template.spec.volumes[].configMap.name',
  'PersistentVolumeClaim **.template.spec.volumes[].persistentVolumeClaim.claimName',
  'Secret **.template.spec.volumes[].projected.sources[].secret.name',
  'ConfigMap **.template.spec.volumes[].projected.sources[].configMap.name',
  ...['containers', 'initContainers'].flatMap((list) => [
    `Secret **.template.spec.${list}[].env[].valueFrom.secretKeyRef.name`,
    `ConfigMap **.template.spec.${list}[].env[].valueFrom.configMapKeyRef.name`,
    `Secret **.template.spec.${list}[].envFrom[].secretRef.name`,
    `ConfigMap **.template.spec.${list}[].envFrom[].configMapRef.name`,
  ]),
];

/**
 * Paths at which objects name others, by group and kind: `Kind path` for a name, `* path` for a reference that has its kind with it. A `namespace`
 * beside the name counts. A kind that is not here is an error: look up what it refers to before it is added.
 */
export const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  // Kubernetes
  '/Namespace': [],
  '/ConfigMap': [],
  '/Service': [],
  '/LimitRange': [],
  'monitoring.coreos.com/PrometheusRule': [],
  '/ResourceQuota': [],
  '/ServiceAccount': ['Secret imagePullSecrets[].name'],
  '/PersistentVolumeClaim': ['StorageClass spec.storageClassName'],
  'apps/Deployment': [],
  'apps/DaemonSet': [],
  'apps/StatefulSet': ['Service spec.serviceName'],
  'batch/Job': [],
  'batch/CronJob': [],
  'autoscaling/HorizontalPodAutoscaler': ['* spec.scaleTargetRef'],
  'networking.k8s.io/NetworkPolicy': [],
  'networking.k8s.io/Ingress': [
    'IngressClass spec.ingressClassName', 'Service spec.defaultBackend.service.name', 'Service spec.rules[].http.paths[].backend.service.name', 'Secret spec.tls[].secretName',
  ],
  'policy/PodDisruptionBudget': [],
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': [],
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': ['MutatingAdmissionPolicy spec.policyName'],
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': [],
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': ['ValidatingAdmissionPolicy spec.policyName'],
  'apiextensions.k8s.io/CustomResourceDefinition': ['Service spec.conversion.webhook.clientConfig.service.name'],
  'storage.k8s.io/CSIDriver': [],
  'storage.k8s.io/StorageClass': [],
  'snapshot.storage.k8s.io/VolumeSnapshotClass': [],
  [`${RBAC}/Role`]: [],
  [`${RBAC}/RoleBinding`]: BINDING,
  [`${RBAC}/ClusterRole`]: [],
  [`${RBAC}/ClusterRoleBinding`]: BINDING,

  // Cluster API
  'cluster.x-k8s.io/Cluster': ['* spec.controlPlaneRef', '* spec.infrastructureRef', 'ClusterClass spec.topology.classRef.name'],
  'cluster.x-k8s.io/MachineDeployment': [
    'Cluster spec.clusterName', 'Cluster spec.template.spec.clusterName', '* spec.template.spec.bootstrap.configRef', '* spec.template.spec.infrastructureRef',
  ],
  'cluster.x-k8s.io/ClusterClass': [
    '* spec.infrastructure.templateRef', '* spec.controlPlane.templateRef', '* spec.controlPlane.machineInfrastructure.templateRef',
    '* spec.workers.machineDeployments[].bootstrap.templateRef', '* spec.workers.machineDeployments[].infrastructure.templateRef',
  ],
  'cluster.x-k8s.io/MachineHealthCheck': ['Cluster spec.clusterName', '* spec.remediation.templateRef'],
  'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate': ['Secret spec.template.spec.files[].contentFrom.secret.name', 'Secret spec.template.spec.users[].passwdFrom.secret.name'],
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane': [
    '* spec.machineTemplate.spec.infrastructureRef', 'Secret spec.kubeadmConfigSpec.files[].contentFrom.secret.name', 'Secret spec.kubeadmConfigSpec.users[].passwdFrom.secret.name',
  ],
  'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate': [
    'Secret spec.template.spec.kubeadmConfigSpec.files[].contentFrom.secret.name', 'Secret spec.template.spec.kubeadmConfigSpec.users[].passwdFrom.secret.name',
  ],
  ...Object.fromEntries(['Core', 'Bootstrap', 'ControlPlane', 'Infrastructure', 'Addon', 'IPAM', 'RuntimeExtension'].map((type) => (
    [`operator.cluster.x-k8s.io/${type}Provider`, ['Secret spec.configSecret.name', 'ServiceAccount spec.deployment.serviceAccountName']]))),
  'addons.cluster.x-k8s.io/ClusterResourceSet': ['* spec.resources[]'],
  'addons.cluster.x-k8s.io/HelmChartProxy': ['Secret spec.credentials.secret.name', 'Secret spec.tlsConfig.caSecret.name'],

  // Kamaji
  'controlplane.cluster.x-k8s.io/KamajiControlPlane': [
    'DataStore spec.dataStoreName', 'IngressClass spec.network.ingress.className', 'Gateway spec.network.gateway.name',
    'Secret spec.deployment.extraVolumes[].secret.secretName', 'ConfigMap spec.deployment.extraVolumes[].configMap.name',
    'PersistentVolumeClaim spec.deployment.extraVolumes[].persistentVolumeClaim.claimName', 'ServiceAccount spec.deployment.serviceAccountName',
    'PriorityClass spec.deployment.priorityClassName', 'RuntimeClass spec.deployment.runtimeClassName',
  ],
  'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate': [
    'DataStore spec.template.spec.dataStoreName', 'IngressClass spec.template.spec.network.ingress.className', 'Gateway spec.template.spec.network.gateway.name',
    'Secret spec.template.spec.deployment.extraVolumes[].secret.secretName', 'ConfigMap spec.template.spec.deployment.extraVolumes[].configMap.name',
    'PersistentVolumeClaim spec.template.spec.deployment.extraVolumes[].persistentVolumeClaim.claimName', 'ServiceAccount spec.template.spec.deployment.serviceAccountName',
    'PriorityClass spec.template.spec.deployment.priorityClassName', 'RuntimeClass spec.template.spec.deployment.runtimeClassName',
  ],
  'kamaji.clastix.io/DataStore': [
    ...['username', 'password'].map((part) => `Secret spec.basicAuth.${part}.secretReference.name`),
    ...['certificateAuthority', 'clientCertificate'].flatMap((pair) => (
      ['certificate', 'privateKey'].map((part) => `Secret spec.tlsConfig.${pair}.${part}.secretReference.name`))),
  ],

  // KubeVirt
  'infrastructure.cluster.x-k8s.io/KubevirtCluster': ['Secret spec.infraClusterSecretRef.name'],
  'infrastructure.cluster.x-k8s.io/KubevirtClusterTemplate': ['Secret spec.template.spec.infraClusterSecretRef.name'],
  'infrastructure.cluster.x-k8s.io/KubevirtMachineTemplate': [
    'Secret spec.template.spec.infraClusterSecretRef.name', `* ${VM}.instancetype`, `* ${VM}.preference`,
    `StorageClass ${VM}.dataVolumeTemplates[].spec.storage.storageClassName`, `StorageClass ${VM}.dataVolumeTemplates[].spec.pvc.storageClassName`,
    `PersistentVolumeClaim ${VM}.dataVolumeTemplates[].spec.source.pvc.name`, `VolumeSnapshot ${VM}.dataVolumeTemplates[].spec.source.snapshot.name`,
    `Secret ${VM}.dataVolumeTemplates[].spec.source.http.secretRef`, `ConfigMap ${VM}.dataVolumeTemplates[].spec.source.http.certConfigMap`,
    `Secret ${VM}.dataVolumeTemplates[].spec.source.registry.secretRef`, `ConfigMap ${VM}.dataVolumeTemplates[].spec.source.registry.certConfigMap`,
    `Secret ${VM}.template.spec.volumes[].containerDisk.imagePullSecret`, `NetworkAttachmentDefinition ${VM}.template.spec.networks[].multus.networkName`,
  ],

  'kubevirt.io/KubeVirt': ['Secret spec.imagePullSecrets[].name'],
  'cdi.kubevirt.io/CDI': ['Secret spec.imagePullSecrets[].name', 'PriorityClass spec.priorityClass'],

  // Cluster API's development provider; a template of HAProxy's configuration is not written
  'infrastructure.cluster.x-k8s.io/DevCluster': [],
  'infrastructure.cluster.x-k8s.io/DevMachineTemplate': [],
  // Cluster API's in-cluster address provider
  'ipam.cluster.x-k8s.io/InClusterIPPool': [],

  // Proxmox VE
  'infrastructure.cluster.x-k8s.io/ProxmoxCluster': ['Secret spec.credentialsRef.name'],
  'infrastructure.cluster.x-k8s.io/ProxmoxMachineTemplate': ['* spec.template.spec.network.networkDevices[].ipPoolRef[]'],

  // Of an example: the API token of Hetzner is a Secret of the user
  'infrastructure.cluster.x-k8s.io/HetznerCluster': ['Secret spec.hetznerSecretRef.name'],
  'infrastructure.cluster.x-k8s.io/HCloudMachineTemplate': [],
  'infrastructure.cluster.x-k8s.io/HCloudRemediationTemplate': [],
  'bootstrap.cluster.x-k8s.io/TalosConfigTemplate': [],
  'controlplane.cluster.x-k8s.io/TalosControlPlane': ['* spec.infrastructureTemplate'],
  'bootstrap.cluster.x-k8s.io/RKE2ConfigTemplate': ['Secret spec.template.spec.files[].contentFrom.secret.name'],
  'controlplane.cluster.x-k8s.io/RKE2ControlPlane': ['* spec.machineTemplate.spec.infrastructureRef', 'Secret spec.files[].contentFrom.secret.name'],
  // vSphere
  'infrastructure.cluster.x-k8s.io/VSphereCluster': ['* spec.identityRef'],
  'infrastructure.cluster.x-k8s.io/VSphereMachineTemplate': [
    '* spec.template.spec.network.devices[].addressesFromPools[]', 'PortGroup spec.template.spec.network.devices[].networkName',
  ],
  'infrastructure.cluster.x-k8s.io/VSphereFailureDomain': [],
  'infrastructure.cluster.x-k8s.io/VSphereDeploymentZone': ['VSphereFailureDomain spec.failureDomain'],

  // Vultr; what it refers to beside are ids of its own API
  'infrastructure.cluster.x-k8s.io/VultrCluster': [],
  'infrastructure.cluster.x-k8s.io/VultrMachineTemplate': [],

  // Metal3; Secrets with data of machines are not written
  'infrastructure.cluster.x-k8s.io/Metal3Cluster': [],
  'infrastructure.cluster.x-k8s.io/Metal3MachineTemplate': ['Metal3DataTemplate spec.template.spec.dataTemplate.name'],
  'infrastructure.cluster.x-k8s.io/Metal3DataTemplate': [
    'Cluster spec.clusterName',
    ...['ipAddresses', 'prefixes', 'gateways', 'dnsServers'].map((list) => `IPPool spec.metaData.${list}FromPool[].name`),
    ...['ipv4', 'ipv6'].flatMap((list) => [`* spec.networkData.networks.${list}[].fromPoolRef`, `* spec.networkData.networks.${list}[].routes[].gateway.fromPoolRef`]),
    'IPPool spec.networkData.services.dnsFromIPPool',
  ],
  'infrastructure.cluster.x-k8s.io/Metal3RemediationTemplate': [],
  'ipam.metal3.io/IPPool': [],

  // OpenStack; what it refers to beside are resources of its own API
  'infrastructure.cluster.x-k8s.io/OpenStackCluster': ['Secret spec.identityRef.name'],
  'infrastructure.cluster.x-k8s.io/OpenStackMachineTemplate': [],

  // Flux
  'helm.toolkit.fluxcd.io/HelmRelease': [
    FLUX_KUBECONFIG, '* spec.chart.spec.sourceRef', '* spec.chartRef', '* spec.valuesFrom[]', 'HelmRelease spec.dependsOn[].name',
  ],
  'kustomize.toolkit.fluxcd.io/Kustomization': [FLUX_KUBECONFIG, '* spec.sourceRef', 'Kustomization spec.dependsOn[].name'],
  'source.toolkit.fluxcd.io/HelmRepository': ['Secret spec.secretRef.name', 'Secret spec.certSecretRef.name'],
  'source.toolkit.fluxcd.io/GitRepository': ['Secret spec.secretRef.name'],
  'source.toolkit.fluxcd.io/OCIRepository': ['Secret spec.secretRef.name', 'Secret spec.certSecretRef.name'],

  // Argo CD
  'argoproj.io/Application': ['AppProject spec.project', 'Registration spec.destination.name'],

  // Of an example: its deploymentName is the name of what the controller makes.
  'samplecontroller.k8s.io/Foo': [],

  // kustomize
  'kustomize.config.k8s.io/Kustomization': [],

  // cert-manager
  'cert-manager.io/Issuer': ['Secret spec.ca.secretName'],
  'cert-manager.io/ClusterIssuer': ['IngressClass spec.acme.solvers[].http01.ingress.ingressClassName'],
};
