// What a user may import. Modules load when they are used (see scripts/bundle/), so keep to plain re-exports.

export { TenantCluster, TenantClusterOptions, TenantClusterProps } from './tenant-cluster/tenant-cluster';
export { ClusterEntry } from './fleet/cluster-entry';
export { ClusterList } from './fleet/cluster-list';
export { IClusterProfile } from './fleet/cluster-profile';
export { Fleet } from './fleet/fleet';
export { FleetCluster } from './fleet/fleet-cluster';
export { FleetProps } from './fleet/fleet-props';
export { FleetRing } from './fleet/fleet-ring';
export { FleetOverride, FleetSelector } from './fleet/fleet-selector';
export {
  FleetCidrsOptions, FleetFlagOptions, FleetIntegerOptions, FleetSizeOptions, FleetTextOptions, FleetTextsOptions,
} from './fleet/fleet-value-options';
export { GitOpsApp } from './gitops/gitops-app';
export { GitOpsAppProps } from './gitops/gitops-app-props';
export { Shard } from './gitops/shard';
export { FileLayout } from './gitops/file-layout';
export { EntryCluster, EntryPoints, EntryTarget } from './gitops/entry-points';
export { FluxEntryPoints, FluxEntryPointsProps } from './gitops/flux-entry-points';
export { ArgoCdApplicationSet } from './gitops/argo-cd-application-set';
export { ArgoCdEntryPoints } from './gitops/argo-cd-entry-points';
export { ArgoCdEntryPointsProps } from './gitops/argo-cd-entry-points-props';
export { ClusterContext, ClusterNetwork } from './cluster-context';

export { NodePool, NodePoolProps } from './node-pool/node-pool';
export { AutoscalingOptions, PoolSize } from './node-pool/pool-size';
export { HealthCheck, HealthCheckOptions, UnhealthyCondition } from './node-pool/health-check';
export { KubeletOptions, SoftEvictionThreshold } from './node-pool/kubelet';
export { MachineCount } from './node-pool/machine-count';
export { PoolContext } from './node-pool/pool-context';
export { RollingUpdateOptions, RolloutStrategy } from './node-pool/rollout-strategy';

export {
  ApiServerAddress, ApiServerAddresses, ClusterIdentity, ControlPlane, ControlPlaneCapabilities, ControlPlaneConfig, ControlPlaneMachines,
} from './control-plane/control-plane';
export { Kubeconfigs, KubeconfigSecretRef } from './control-plane/kubeconfig';

export { KamajiAddonImage, KamajiCoreDns, KamajiKubeProxy } from './control-plane/kamaji/addons';
export { KamajiAdmissionPlugins } from './control-plane/kamaji/admission-plugins';
export { AuditLevel, AuditResources, AuditRule, AuditStage, AuditWebhook, ControlPlaneAudit } from './control-plane/kamaji/audit';
export {
  ClaimMapping, ClaimValidationRule, ControlPlaneAuthentication, JwtAuthenticator, UserValidationRule,
} from './control-plane/kamaji/authentication';
export { KamajiComponent } from './control-plane/kamaji/components';
export { KamajiDataStoreOverride } from './control-plane/kamaji/data-store';
export { KamajiDeployment, KamajiRollingUpdateOptions, KamajiUpdateStrategy } from './control-plane/kamaji/deployment';
export { ControlPlaneEncryption } from './control-plane/kamaji/encryption';
export {
  KamajiClusterIpOptions, KamajiExposure, KamajiGatewayOptions, KamajiIngressOptions, KamajiLoadBalancerOptions, KamajiNodePortOptions,
  KamajiServiceOptions, KamajiServiceType,
} from './control-plane/kamaji/exposure';
export { KamajiControlPlane } from './control-plane/kamaji/kamaji-control-plane';
export { KamajiControlPlaneProps, KamajiKubeconfigKey } from './control-plane/kamaji/kamaji-control-plane-props';
export { KamajiKonnectivity, KamajiKonnectivityAgentMode, KamajiKonnectivityOptions } from './control-plane/kamaji/konnectivity';
export { KamajiKubelet, KamajiKubeletPatch, KamajiNodeAddressType, KamajiPatchOperation } from './control-plane/kamaji/kubelet';
export { KamajiServicePort, KamajiServiceProtocol } from './control-plane/kamaji/ports';
export { KamajiProbe, KamajiProbes } from './control-plane/kamaji/probes';
export { KamajiVolume, KamajiVolumeMount } from './control-plane/kamaji/volumes';

export { KubeadmCoreDns, KubeadmCoreDnsOptions } from './control-plane/kubeadm/addons';
export { KubeadmEncryptionAlgorithm } from './control-plane/kubeadm/certificates';
export { KubeadmComponent } from './control-plane/kubeadm/components';
export { KubeadmEtcd, KubeadmExternalEtcdOptions, KubeadmStackedEtcdOptions } from './control-plane/kubeadm/etcd';
export { KubeadmControlPlane } from './control-plane/kubeadm/kubeadm-control-plane';
export { KubeadmControlPlaneProps, KubeadmControlPlaneTimeouts } from './control-plane/kubeadm/kubeadm-control-plane-props';
export { KubeadmRemediation } from './control-plane/kubeadm/remediation';
export { KubeadmRollout } from './control-plane/kubeadm/rollout';
export { KubeadmHostPathType, KubeadmHostPathVolume } from './control-plane/kubeadm/volumes';

export { ForbiddenUserData, Infrastructure, InfrastructureCapabilities, InfrastructureConfig } from './infrastructure/infrastructure';
export { ExtendedResource, Machine, MachineCapacity, MachineConfig } from './infrastructure/machine';

export { ClonedDiskOptions, CustomDiskOptions, DataVolumeOptions, SnapshotDiskOptions } from './infrastructure/kubevirt/data-volume';
export { GpuDevice, HostDevice } from './infrastructure/kubevirt/devices';
export { BlockSize, DiskOptions } from './infrastructure/kubevirt/disk';
export {
  BlankDiskOptions, EphemeralDiskOptions, ExtraClonedDiskOptions, ExtraCustomDiskOptions, ExtraDisk, ExtraSnapshotDiskOptions,
} from './infrastructure/kubevirt/extra-disk';
export { Firmware, VirtualTpm } from './infrastructure/kubevirt/firmware';
export { InfraClusterSecretRef } from './infrastructure/kubevirt/infra-cluster-secret-ref';
export {
  ControlPlaneServiceOptions, ControlPlaneServiceType, KubevirtInfrastructure, KubevirtInfrastructureProps,
} from './infrastructure/kubevirt/kubevirt-infrastructure';
export {
  KubevirtCloudControllerManager, KubevirtCloudControllerManagerOptions,
} from './infrastructure/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
export { KubevirtLoadBalancerOptions, KubevirtLoadBalancers } from './infrastructure/kubevirt/cloud-controller-manager/kubevirt-load-balancers';
export { KubevirtCsiDriver, KubevirtCsiDriverOptions, KubevirtCsiNodeOptions } from './infrastructure/kubevirt/csi-driver/kubevirt-csi-driver';
export {
  KubevirtFileSystem, KubevirtSnapshotClass, KubevirtStorageClass, KubevirtVolumeBus,
} from './infrastructure/kubevirt/csi-driver/kubevirt-storage-class';
export { KubevirtMachine } from './infrastructure/kubevirt/kubevirt-machine';
export { KubevirtMachineProps } from './infrastructure/kubevirt/kubevirt-machine-props';
export { BootstrapCheck, EvictionStrategy, RunStrategy } from './infrastructure/kubevirt/life-cycle';
export { AdditionalNetwork, MultusPrimaryOptions, NetworkBinding, PrimaryNetwork } from './infrastructure/kubevirt/network';
export { HostSpread } from './infrastructure/kubevirt/placement';
export { ContainerDiskOptions, HttpDiskOptions, RegistryDiskOptions, RegistryPullMethod, RootDisk } from './infrastructure/kubevirt/root-disk';
export { HugePageSize, InstanceTypeCapacity, InstanceTypeKind, PreferenceKind } from './infrastructure/kubevirt/sizing';

export { CarriedVultrApiKeyOptions, VultrApiKey, VultrApiKeySecret } from './infrastructure/vultr/api-key';
export { VultrApiServerLoadBalancer } from './infrastructure/vultr/api-server-load-balancer';
export { VultrBalancingAlgorithm } from './infrastructure/vultr/balancing-algorithm';
export {
  VultrCloudControllerManager, VultrCloudControllerManagerOptions,
} from './infrastructure/vultr/cloud-controller-manager/vultr-cloud-controller-manager';
export { VultrCsiDriver, VultrCsiDriverOptions } from './infrastructure/vultr/csi-driver/vultr-csi-driver';
export { VultrStorage, VultrStorageClass } from './infrastructure/vultr/csi-driver/vultr-storage-class';
export { VultrHealthCheck } from './infrastructure/vultr/health-check';
export { VultrFirewallRule } from './infrastructure/vultr/load-balancer/firewall-rule';
export { VultrLoadBalancer } from './infrastructure/vultr/load-balancer/vultr-load-balancer';
export {
  VultrLoadBalancerOptions, VultrProtocol, VultrServiceHealthCheck,
} from './infrastructure/vultr/load-balancer/vultr-load-balancer-options';
export { VultrInfrastructure, VultrInfrastructureProps } from './infrastructure/vultr/vultr-infrastructure';
export { VultrMachine, VultrMachineProps } from './infrastructure/vultr/vultr-machine';

export { Bootstrap, BootstrapConfig } from './bootstrap/bootstrap';
export { BootstrapFile, FileContentFormat, FileEncoding } from './bootstrap/kubeadm/bootstrap-file';
export { BootstrapMount } from './bootstrap/kubeadm/bootstrap-mount';
export { BootstrapNtp } from './bootstrap/kubeadm/bootstrap-ntp';
export { BootstrapSecretRef } from './bootstrap/kubeadm/bootstrap-secret-ref';
export { BootstrapUser } from './bootstrap/kubeadm/bootstrap-user';
export { DiskFilesystem, DiskPartitioning, DiskSetup, DiskShare, PartitionTable } from './bootstrap/kubeadm/disk-setup';
export { JoinTimeouts } from './bootstrap/kubeadm/join-timeouts';
export { KubeadmBootstrap } from './bootstrap/kubeadm/kubeadm-bootstrap';
export { KubeadmBootstrapProps } from './bootstrap/kubeadm/kubeadm-bootstrap-props';
export { NodeHttpProxy } from './bootstrap/kubeadm/node-http-proxy';
export { NodeName } from './bootstrap/kubeadm/node-name';
export { PartitionType } from './bootstrap/kubeadm/partition-type';
export { MirrorCapability, RegistryMirror } from './bootstrap/kubeadm/registry-mirror';
export { TrustedCa } from './bootstrap/kubeadm/trusted-ca';

export { ControllerContainerOptions, TenantControllerOptions, TenantControllerPodOptions } from './controllers/tenant-controller-options';
export { AutoscalerExpander, ClusterAutoscaler, ClusterAutoscalerOptions, NodeArchitecture } from './controllers/cluster-autoscaler/cluster-autoscaler';

export { IsolationCidrOptions, IsolationPeer, IsolationPodsOptions, IsolationPort } from './isolation/isolation-peer';
export { KubevirtPodSizing } from './isolation/kubevirt-sizing';
export { TenantLimitRange } from './isolation/limit-range';
export { NetworkIsolation, NetworkIsolationOptions } from './isolation/network-isolation';
export { ServiceIsolation, ServiceIsolationOptions } from './isolation/service-isolation';
export { TenantAccess } from './isolation/tenant-access';
export { TenantIsolation, TenantIsolationConfig, TenantIsolationProps } from './isolation/tenant-isolation';
export { TenantSubject } from './isolation/tenant-subject';

export { KubeadmHost, KubeadmHostRole } from './kubeadm/hosts/host-bundle';
export { HostFile } from './kubeadm/hosts/host-file';
export { KubeadmCluster } from './kubeadm/kubeadm-cluster';
export { KubeadmClusterProps } from './kubeadm/kubeadm-cluster-props';
export { KubeadmNode } from './kubeadm/kubeadm-node';
export { KubeadmNodes, KubeadmPlatform, KubeadmPlatformConfig, RequiredSecret } from './kubeadm/kubeadm-platform';
export { HaproxyHostsOptions, KubeadmLoadBalancerHost } from './kubeadm/load-balancer/haproxy-hosts';
export { HaproxyPodsOptions } from './kubeadm/load-balancer/haproxy-pods';
export { KubeVipOptions } from './kubeadm/load-balancer/kube-vip';
export { KubeadmLoadBalancer } from './kubeadm/load-balancer/kubeadm-load-balancer';
export { KubeadmVirtualAddress } from './kubeadm/load-balancer/virtual-address';

export { NifcloudCredentials } from './nifcloud/credentials';
export { NifcloudNetworkInterfaces } from './nifcloud/guest-tools';
export { NifcloudNetworkInterface, NifcloudPrivateLanOptions } from './nifcloud/load-balancer/network-interface';
export { NifcloudLoadBalancer } from './nifcloud/load-balancer/nifcloud-load-balancer';
export {
  NifcloudAccountingType, NifcloudBalancingType, NifcloudHealthCheckProtocol, NifcloudLoadBalancerOptions, NifcloudLoadBalancerType,
  NifcloudPolicyType, NifcloudServiceHealthCheck,
} from './nifcloud/load-balancer/nifcloud-load-balancer-options';
export { NifcloudCloudControllerManager, NifcloudCloudControllerManagerProps } from './nifcloud/nifcloud-cloud-controller-manager';
export { NifcloudCsiDriver, NifcloudCsiDriverProps } from './nifcloud/nifcloud-csi-driver';
export { NifcloudPlatform, NifcloudPlatformProps } from './nifcloud/nifcloud-platform';
export { NifcloudDiskAccountingType, NifcloudDiskType, NifcloudFileSystem, NifcloudStorageClass } from './nifcloud/nifcloud-storage-class';

export { Addon, AddonConfig } from './addons/addon';
export { VolumeAccessMode, VolumeClass } from './csi/volume-class';
export { AddonCapability } from './addons/addon-capability';
export { BundledAddonProps } from './addons/bundled-addon-props';
export { HelmAddon, HelmAddonProps } from './addons/helm-addon';
export { GitManifests } from './addons/git-manifests';
export { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy } from './addons/helm-chart';
export { HelmChartImage } from './addons/helm-chart-image';
export { ManifestAddon, ManifestAddonProps } from './addons/manifest-addon';
export { ManifestFileAddon } from './addons/manifest-file-addon';

export { Calico, CalicoDataplane, CalicoProps } from './addons/cni/calico';
export { Cilium, CiliumProps, CiliumTunnel } from './addons/cni/cilium';
export { Cni } from './addons/cni/cni';
export { Flannel, FlannelProps } from './addons/cni/flannel';

export { CertManager, CertManagerProps } from './addons/catalogue/cert-manager';
export { CoreDns, CoreDnsProps } from './addons/catalogue/core-dns';
export { EnvoyGateway, EnvoyGatewayProps } from './addons/catalogue/envoy-gateway';
export { DnsRecordPolicy, ExternalDns, ExternalDnsProps } from './addons/catalogue/external-dns';
export { ExternalSecrets, ExternalSecretsProps } from './addons/catalogue/external-secrets';
export { FluentBit, FluentBitProps } from './addons/catalogue/fluent-bit';
export { GatewayApi, GatewayApiChannel, GatewayApiProps } from './addons/catalogue/gateway-api';
export { GpuOperator, GpuOperatorProps } from './addons/catalogue/gpu-operator';
export { IngressNginx, IngressNginxProps } from './addons/catalogue/ingress-nginx';
export { KubePrometheusStack, KubePrometheusStackProps } from './addons/catalogue/kube-prometheus-stack';
export { Kyverno, KyvernoProps } from './addons/catalogue/kyverno';
export { MetalLb, MetalLbProps } from './addons/catalogue/metal-lb';
export { MetricsServer, MetricsServerProps } from './addons/catalogue/metrics-server';
export { NodeFeatureDiscovery, NodeFeatureDiscoveryProps } from './addons/catalogue/node-feature-discovery';
export { NodeLocalDns, NodeLocalDnsProps } from './addons/catalogue/node-local-dns';
export { Reloader, ReloaderProps, ReloadStrategy } from './addons/catalogue/reloader';
export { SecretVariable } from './addons/catalogue/secret-variable';
export { SnapshotController, SnapshotControllerProps, SnapshotDeletionPolicy, TenantSnapshotClass } from './addons/catalogue/snapshot-controller';
export { Traefik, TraefikProps } from './addons/catalogue/traefik';
export { Vector, VectorProps } from './addons/catalogue/vector';
export { Velero, VeleroProps } from './addons/catalogue/velero';
export { VerticalPodAutoscaler, VerticalPodAutoscalerProps } from './addons/catalogue/vertical-pod-autoscaler';
export { RemoteWrite, VictoriaMetricsAgent, VictoriaMetricsAgentProps } from './addons/catalogue/victoria-metrics-agent';

export { ChartDelivery, Delivery, GitManifestsDelivery, ManifestDelivery } from './delivery/delivery';
export { DeliveryTarget } from './delivery/delivery-target';
export { ArgoCdDelivery } from './delivery/argo-cd/argo-cd-delivery';
export { ArgoCdDeliveryProps, ArgoCdManifestSource } from './delivery/argo-cd/argo-cd-delivery-props';
export { ArgoCdDestination } from './delivery/argo-cd/argo-cd-destination';
export {
  ClusterResourceSetDelivery, ClusterResourceSetDeliveryProps, ResourceSetStrategy,
} from './delivery/cluster-resource-set/cluster-resource-set-delivery';
export { FluxDelivery } from './delivery/flux/flux-delivery';
export {
  FluxDeliveryProps, FluxDriftDetection, FluxKubeconfig, FluxManifestCarrier, FluxManifestSource, FluxRepositoryAccess, FluxSourceKind,
} from './delivery/flux/flux-delivery-props';
export {
  HelmChartProxyDelivery, HelmChartProxyDeliveryProps, HelmChartProxyRepositoryAccess,
} from './delivery/helm-chart-proxy/helm-chart-proxy-delivery';

export { InfraClusterCapabilities, InfraInstanceType } from './management/capabilities/infra-cluster-capabilities';
export { ClaimPropertySet, InfraStorageClass } from './management/capabilities/infra-storage-class';
export { ManagementCapabilities } from './management/capabilities/management-capabilities';
export { ManagementNetworkPlugin } from './management/capabilities/management-network-plugin';
export { IManagementCluster, ImportedManagementCluster } from './management/capabilities/management-cluster';
export { CdiInstallation, CdiInstallationOptions } from './management/cdi-installation';
export { CertManagerInstallation, CertManagerInstallationOptions } from './management/cert-manager-installation';
export { ClusterApiFeatureGates, KamajiProviderFeatureGates } from './management/cluster-api-feature-gates';
export { ClusterApiInstallation, ClusterApiInstallationOptions, ClusterApiOperatorOptions } from './management/cluster-api-installation';
export { ComponentPlacement } from './management/component-placement';
export { EtcdBackup, EtcdBackupClaimOptions, EtcdBackupOptions, EtcdBackupS3Options } from './management/etcd-backup';
export { EtcdDataStoreOptions, ManagementIssuerRef } from './management/etcd-data-store';
export { DataStoreKeyPair, DataStoreSecretKey, ExternalDatabaseOptions, ExternalEtcdOptions } from './management/external-data-store';
export { KamajiDataStore } from './management/kamaji-data-store';
export { KamajiDataStoresOptions, KamajiInstallation, KamajiInstallationOptions } from './management/kamaji-installation';
export { ClusterEvictionStrategy, KubevirtInstallation, KubevirtInstallationOptions } from './management/kubevirt-installation';
export { ManagementChartOptions } from './management/management-chart';
export { ManagementCluster, ManagementClusterProps } from './management/management-cluster';
export { OperatorManifest } from './management/operator-manifest';
export { PermittedHostDevice, PermittedHostDeviceOptions } from './management/permitted-host-device';
export {
  FurtherProvider, KamajiProviderOptions, KubevirtProviderOptions, ManagementSecretRef, ProviderKind, ProviderOptions, VersionedProviderOptions,
} from './management/provider-options';

export { OperatorPodDisruptionBudget } from './operator/controller/disruption-budget';
export { OperatorNetworkPolicy } from './operator/controller/operator-network-policy';
export { Operator } from './operator/controller/operator';
export { ConfigMapVariable, OperatorContainer, OperatorContainerOptions } from './operator/controller/operator-container';
export { OperatorIssuerRef } from './operator/controller/operator-certificate';
export { OperatorHealth, OperatorLeaderElection } from './operator/controller/operator-features';
export { MetricsCertificate, OperatorMetrics, OperatorServiceMonitor } from './operator/controller/operator-metrics';
export { OperatorProps } from './operator/controller/operator-props';
export { EmptyDirOptions, OperatorVolume } from './operator/controller/operator-volume';
export {
  OperatorWebhook, OperatorWebhooks, WebhookCertificate, WebhookFailurePolicy, WebhookMatchPolicy, WebhookOperation,
  WebhookSideEffects,
} from './operator/controller/operator-webhook';
export { WebhookLabelExpression, WebhookLabelOperator, WebhookMatchCondition } from './operator/controller/webhook-filter';
export { Permission, PermissionOptions } from './operator/controller/permission';
export { CrdConversion, CrdServiceWebhookOptions, CrdWebhookOptions } from './operator/custom-resource/crd-conversion';
export { CustomResourceProps } from './operator/custom-resource/custom-resource';
export { CustomResourceType } from './operator/custom-resource/custom-resource-type';
export { CustomResourceScope, CustomResourceTypeProps } from './operator/custom-resource/custom-resource-type-props';
export { CustomResourceVersion, ScaleSubresource } from './operator/custom-resource/custom-resource-version';
export { PrinterColumn, PrinterColumnType } from './operator/custom-resource/printer-column';
export { CustomResourceUserRoles } from './operator/custom-resource/user-roles';
export { ResourceType, ResourceTypeOptions } from './operator/resource-type';
export { ListType, MapType } from './operator/schema/list-type';
export { Schema } from './operator/schema/schema';
export {
  ArraySchemaOptions, EmbeddedResourceSchemaOptions, IntOrStringSchemaOptions, MapSchemaOptions, NumberSchemaOptions, ObjectSchemaOptions,
  SchemaOptions, StringSchemaOptions,
} from './operator/schema/schema-options';
export { SchemaValidation, ValidationReason } from './operator/schema/schema-validation';

export { ImageLock } from './images/image-lock';
export { ImageSources, ImageSourcesProps } from './images/image-sources';

export { ComponentArgument } from './kubernetes/component-arguments';
export { KubernetesVersion } from './kubernetes/kubernetes-version';
export { ResourceRequirements } from './kubernetes/resource-requirements';
export { VolumeBindingMode, VolumeReclaimPolicy } from './kubernetes/storage-class';
export { Taint, TaintEffect } from './kubernetes/taints';
export { Toleration, TolerationOperator } from './kubernetes/tolerations';

export { Problem, Rule } from './validation/problem';
export { Problems } from './validation/problems';
export { ManifestReport, ManifestSeverity, ReportedFinding } from './validation/manifests/manifest-report';
export { ManifestValidation, ManifestValidationOptions } from './validation/manifests/manifest-validation';
export { ManifestSilence } from './validation/manifests/silences';
export { ManifestValidationPlugin, ManifestValidationPluginProps } from './cli/validate/manifest-validation-plugin';
export {
  IManifestValidationContext, IManifestValidationReport, ManifestViolatingResource, ManifestViolation,
} from './cli/validate/validation-plugin-context';

export * as extension from './extension/extension';

export * as argo from '../imports/argoproj.io';
export * as capi from '../imports/cluster.x-k8s.io';
export * as capi_addons from '../imports/addons.cluster.x-k8s.io';
export * as capi_bootstrap from '../imports/bootstrap.cluster.x-k8s.io';
export * as capi_controlplane from '../imports/controlplane.cluster.x-k8s.io';
export * as capi_infrastructure from '../imports/infrastructure.cluster.x-k8s.io';
export * as capi_operator from '../imports/operator.cluster.x-k8s.io';
export * as cert_manager_io from '../imports/cert-manager.io';
export * as flux_helm from '../imports/helm.toolkit.fluxcd.io';
export * as flux_kustomize from '../imports/kustomize.toolkit.fluxcd.io';
export * as flux_source from '../imports/source.toolkit.fluxcd.io';
export * as kamaji from '../imports/kamaji.clastix.io';
export * as kubevirt from '../imports/kubevirt.io';
export * as kubevirt_cdi from '../imports/cdi.kubevirt.io';
export * as kubevirt_instancetype from '../imports/instancetype.kubevirt.io';
export * as metallb from '../imports/metallb.io';
export * as snapshot from '../imports/snapshot.storage.k8s.io';
