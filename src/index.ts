// The public API. Only re-exports: namespaces are loaded apart from the rest (scripts/bundle.ts).
//
// Tenant clusters, and the strategies and addons that most of them use, have no namespace. A system that few clusters use (`vultr`) and a task
// beside tenant clusters (`management`) have one of their own. Types that are generated from API definitions are below `l1` only.

export { HibernationSchedule, HibernationScheduleOptions } from './constructs/tenant/hibernation-schedule';
export { TenantCluster } from './constructs/tenant/tenant-cluster';
export { TenantClusterIdentity, TenantClusterOptions, TenantClusterProps, TenantClusterSettings } from './constructs/tenant/tenant-cluster-props';
export { ClusterEntry, ClusterList } from './constructs/repository/fleet/cluster-list';
export { FleetProps, IClusterProfile } from './constructs/repository/fleet/fleet-props';
export { Fleet } from './constructs/repository/fleet/fleet';
export {
  FleetCidrsOptions, FleetCluster, FleetFlagOptions, FleetIntegerOptions, FleetSizeOptions, FleetTextOptions, FleetTextsOptions,
} from './constructs/repository/fleet/fleet-cluster';
export { FleetRing } from './constructs/repository/fleet/fleet-ring';
export { RingGate } from './constructs/repository/fleet/ring-gate';
export { FleetManagementCluster, FleetManagementClusterOptions } from './constructs/repository/fleet/fleet-management-cluster';
export { FleetOverride, FleetSelector } from './constructs/repository/fleet/fleet-selector';
export { GitOpsApp, GitOpsAppProps } from './constructs/repository/gitops-app';
export { ManifestFileChart } from './constructs/repository/manifest-file-chart';
export { FileLayout } from './constructs/repository/output-folders';
export { Plan } from './constructs/testing/plan';
export { EntryCluster } from './constructs/contracts/delivery/entry-cluster';
export { EntryPoints, EntryTarget } from './constructs/contracts/delivery/entry-points';
export { EntryStep, EntryStepCluster, EntryTurn } from './constructs/contracts/delivery/entry-step';
export { TimeWindow, Weekday, WeeklyWindowOptions } from './constructs/contracts/delivery/time-window';
export { FluxWindowedSource } from './constructs/deliveries/flux/windowed-source';
export { FluxEntryPoints, FluxEntryPointsProps } from './constructs/deliveries/flux/flux-entry-points';
export { ArgoCdApplicationSet } from './constructs/deliveries/argo-cd/argo-cd-application-set';
export { ArgoCdEntryPoints } from './constructs/deliveries/argo-cd/argo-cd-entry-points';
export { ArgoCdEntryPointsProps } from './constructs/deliveries/argo-cd/argo-cd-entry-points-props';
export { ClusterContext, ClusterNetwork } from './constructs/contracts/cluster-context';

export { ClusterTopology, ClusterTopologyOptions } from './constructs/tenant/topology/cluster-topology';
export { IPoolOwner, NodePool } from './constructs/tenant/node-pool';
export { NodePoolProps, NodePoolSettings } from './constructs/contracts/node-pool/node-pool-props';
export { FormerTemplates, FormerTemplatesOptions } from './constructs/contracts/node-pool/former-templates';
export { AutoscalingOptions, PoolSize } from './constructs/contracts/node-pool/pool-size';
export { HealthCheck, HealthCheckOptions, UnhealthyCondition } from './constructs/contracts/node-pool/health-check';
export { KubeletOptions } from './constructs/contracts/node-pool/kubelet';
export { SoftEvictionThreshold } from './constructs/contracts/node-pool/kubelet-eviction';
export { MachineCount } from './constructs/contracts/node-pool/machine-count';
export {
  AddressPool, AddressPoolReference, ExistingAddressPoolOptions, InClusterAddressPoolOptions, MachineAddressPool,
} from './constructs/contracts/network/address-pool';
export { CniPort } from './constructs/contracts/network/cni-port';
export { PoolContext } from './constructs/contracts/node-pool/pool-context';
export { RollingUpdateOptions, RolloutStrategy } from './constructs/contracts/node-pool/rollout-strategy';

export { ControlPlane, ControlPlaneConfig, ControlPlaneMachines } from './constructs/contracts/control-plane';
export { ApiServerAddress } from './constructs/contracts/api-server-address';
export { ApiServerAddresses, ClusterIdentity } from './constructs/contracts/cluster-context';
export { ControlPlaneCapabilities } from './constructs/contracts/control-plane-capabilities';
export { Kubeconfigs } from './constructs/contracts/cluster-context';

export { KamajiAddonImage, KamajiCoreDns, KamajiKubeProxy } from './constructs/control-planes/kamaji/addons';
export { KamajiAdmissionPlugins } from './constructs/control-planes/kamaji/admission-plugins';
export { AuditLevel, AuditResources, AuditRule, AuditStage, AuditWebhook, ControlPlaneAudit } from './constructs/control-planes/kamaji/audit';
export {
  ClaimMapping, ClaimValidationRule, ControlPlaneAuthentication, JwtAuthenticator, UserValidationRule,
} from './constructs/control-planes/kamaji/authentication';
export { KamajiComponent } from './constructs/control-planes/kamaji/components';
export { KamajiDataStoreOverride } from './constructs/control-planes/kamaji/data-store';
export { SecretStoreKind } from './constructs/control-planes/external-keys';
export { ServiceAccountKey, ServiceAccountKeys } from './constructs/control-planes/service-account-keys';
export { KamajiDeployment, KamajiRollingUpdateOptions, KamajiUpdateStrategy } from './constructs/control-planes/kamaji/deployment';
export { ControlPlaneEncryption, EncryptionKey, EncryptionProvider, ExternalEncryptionKeys } from './constructs/control-planes/kamaji/encryption';
export {
  KamajiClusterIpOptions, KamajiExposure, KamajiGatewayOptions, KamajiIngressOptions, KamajiLoadBalancerOptions, KamajiNodePortOptions,
  KamajiServiceOptions, KamajiServiceType,
} from './constructs/control-planes/kamaji/exposure';
export { KamajiControlPlane } from './constructs/control-planes/kamaji/kamaji-control-plane';
export { KamajiControlPlaneProps, KamajiKubeconfigKey } from './constructs/control-planes/kamaji/kamaji-control-plane-props';
export { KamajiKonnectivity, KamajiKonnectivityAgentMode, KamajiKonnectivityOptions } from './constructs/control-planes/kamaji/konnectivity';
export { KamajiKubelet, KamajiKubeletPatch, KamajiNodeAddressType, KamajiPatchOperation } from './constructs/control-planes/kamaji/kubelet';
export { KamajiServicePort, KamajiServiceProtocol } from './constructs/control-planes/kamaji/ports';
export { KamajiProbe, KamajiProbes } from './constructs/control-planes/kamaji/probes';
export { KamajiSize } from './constructs/control-planes/kamaji/size';
export { KamajiVolume, KamajiVolumeMount } from './constructs/control-planes/kamaji/volumes';

export { KubeadmCoreDns, KubeadmCoreDnsOptions } from './constructs/control-planes/kubeadm/control-plane/addons';
export { KubeadmEncryptionAlgorithm } from './constructs/control-planes/kubeadm/control-plane/certificates';
export { KubeadmComponent } from './constructs/control-planes/kubeadm/control-plane/components';
export { ControlPlaneEndpoint, ExternalEndpointOptions, KubeVipEndpointOptions } from './constructs/control-planes/kubeadm/control-plane/endpoint';
export { KubeVipBgpOptions, KubeVipMode, KubeVipPeer } from './constructs/control-planes/kubeadm/kube-vip/kube-vip-mode';
export { KubeadmEtcd, KubeadmExternalEtcdOptions, KubeadmStackedEtcdOptions } from './constructs/control-planes/kubeadm/control-plane/etcd';
export { KubeadmControlPlane } from './constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
export { KubeadmControlPlaneProps, KubeadmControlPlaneTimeouts } from './constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
export { KubeadmRemediation, KubeadmRollout } from './constructs/control-planes/kubeadm/control-plane/rollout';
export { KubeadmHostPathType, KubeadmHostPathVolume } from './constructs/control-planes/kubeadm/control-plane/volumes';

export { Infrastructure, InfrastructureConfig } from './constructs/contracts/infrastructure';
export { ForbiddenUserData, InfrastructureCapabilities, MachinePodLabels } from './constructs/contracts/infrastructure-capabilities';
export { Machine, MachineConfig, ProviderMachine } from './constructs/contracts/machine';
export { ManifestPartProps } from './constructs/contracts/manifest-part';
export { ManifestInfrastructure, ManifestInfrastructureProps } from './constructs/infrastructures/manifest-infrastructure';
export { ManifestMachine, ManifestMachineProps } from './constructs/infrastructures/manifest-machine';
export { ManifestControlPlane, ManifestControlPlaneProps } from './constructs/control-planes/manifest-control-plane';
export { ManifestBootstrap, ManifestBootstrapProps } from './constructs/control-planes/manifest-bootstrap';
export { ExtendedResource, MachineCapacity, StatedCapacity } from './constructs/contracts/machine-capacity';

export {
  BlockSize, ClonedDiskOptions, CustomDiskOptions, DataVolumeOptions, DiskOptions, SnapshotDiskOptions,
} from './constructs/infrastructures/kubevirt/disk';
export { Firmware, GpuDevice, HostDevice, VirtualTpm } from './constructs/infrastructures/kubevirt/devices';
export {
  BlankDiskOptions, EphemeralDiskOptions, ExtraClonedDiskOptions, ExtraCustomDiskOptions, ExtraDisk, ExtraSnapshotDiskOptions,
} from './constructs/infrastructures/kubevirt/extra-disk';
export {
  ControlPlaneServiceOptions, ControlPlaneServiceType, KubevirtInfrastructure, KubevirtInfrastructureProps,
} from './constructs/infrastructures/kubevirt/kubevirt-infrastructure';
export {
  KubevirtCloudControllerManager, KubevirtCloudControllerManagerOptions, KubevirtLoadBalancerOptions, KubevirtLoadBalancers,
  KubevirtLocalTrafficOptions,
} from './constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
export {
  KubevirtCsiDriver, KubevirtCsiDriverOptions, KubevirtCsiNodeOptions,
} from './constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
export {
  KubevirtFileSystem, KubevirtSnapshotClass, KubevirtStorageClass, KubevirtVolumeBus,
} from './constructs/infrastructures/kubevirt/csi-driver/kubevirt-storage-class';
export { KubevirtMachine } from './constructs/infrastructures/kubevirt/kubevirt-machine';
export {
  HostSpread, HugePageSize, InstanceTypeKind, KubevirtMachineProps, PreferenceKind,
} from './constructs/infrastructures/kubevirt/kubevirt-machine-props';
export { BootstrapCheck, EvictionStrategy, RunStrategy } from './constructs/infrastructures/kubevirt/machine-life-cycle';
export { AdditionalNetwork, MultusPrimaryOptions, NetworkBinding, PrimaryNetwork } from './constructs/infrastructures/kubevirt/network';
export {
  ContainerDiskOptions, HttpDiskOptions, RegistryDiskOptions, RegistryPullMethod, RootDisk,
} from './constructs/infrastructures/kubevirt/root-disk';
export {
  InfraClusterCapabilities, InfraInstanceType, InstanceTypeCapacity, KubevirtPodSizing,
} from './constructs/contracts/capabilities/infra-cluster-capabilities';

export { Bootstrap, BootstrapConfig } from './constructs/contracts/bootstrap';
export { CompanyNetwork, CompanyNetworkProps, PrivateChartRepository, PrivateRegistry } from './constructs/contracts/company-network/company-network';
export { BootstrapNtp, MirrorCapability, NodeHttpProxy, RegistryMirror, TrustedCa } from './constructs/contracts/company-network/node-network';
export { BootstrapFile, FileContentFormat, FileEncoding } from './constructs/contracts/bootstrap-file';
export {
  BootstrapMount, DiskFilesystem, DiskPartitioning, DiskSetup, DiskShare, PartitionTable, PartitionType,
} from './constructs/control-planes/kubeadm/bootstrap/disk-setup';
export { BootstrapFormat } from './constructs/control-planes/kubeadm/bootstrap/bootstrap-format';
export { BootstrapUser } from './constructs/contracts/bootstrap-user';
export { JoinTimeouts } from './constructs/control-planes/kubeadm/bootstrap/join-timeouts';
export { KubeadmBootstrap } from './constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
export { KubeadmBootstrapProps } from './constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
export { NodeName } from './constructs/contracts/node-name';
export { IgnitionSetup, NodeSetup, NodeSetupPart } from './constructs/contracts/node-setup';

export {
  ControllerContainerOptions, TenantControllerOptions, TenantControllerPodOptions,
} from './constructs/addons/controllers/tenant-controller-options';
export {
  AutoscalerExpander, ClusterAutoscaler, ClusterAutoscalerOptions, NodeArchitecture,
} from './constructs/addons/cluster-autoscaler/cluster-autoscaler';

export { IsolationCidrOptions, IsolationPeer, IsolationPodsOptions, IsolationPort } from './constructs/contracts/capabilities/isolation-peer';
export { InfraClusterIsolation, TenantIsolation, TenantIsolationConfig, TenantIsolationProps } from './constructs/tenant/isolation/tenant-isolation';
export { TenantLimitRange } from './constructs/tenant/isolation/limit-range';
export { NetworkIsolation, NetworkIsolationOptions } from './constructs/tenant/isolation/network-isolation';
export { ServiceIsolation, ServiceIsolationOptions } from './constructs/tenant/isolation/service-isolation';
export { TenantAccess, TenantSubject } from './constructs/tenant/isolation/tenant-access';

export { ClusterMonitoring, ClusterMonitoringConfig, ClusterMonitoringProps } from './constructs/monitoring/cluster-monitoring';
export { CustomResourceMetrics, CustomResourceMetricsProps } from './constructs/monitoring/custom-resource-metrics';

export { Addon, AddonConfig } from './constructs/contracts/addon';
export { DeliveredAddon } from './constructs/addons/addon-set';
export { VolumeAccessMode, VolumeClass } from './constructs/contracts/addon';
export { AddonCapability } from './constructs/contracts/addon';
export { BundledAddonProps } from './constructs/addons/bundled-addon';
export { HelmAddon, HelmAddonProps } from './constructs/addons/helm-addon';
export { GitManifests } from './constructs/contracts/git-manifests';
export { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy } from './constructs/contracts/helm-chart';
export { HelmValuesSource, HelmValuesSourceOptions } from './constructs/contracts/helm-chart';
export { HelmChartImage } from './manifests/images/helm-chart-image';
export { EncryptionRewrite, EncryptionRewriteProps } from './constructs/addons/encryption-rewrite';
export { ManifestAddon, ManifestAddonProps, ManifestFileAddon } from './constructs/addons/manifest-addon';

export { Calico, CalicoDataplane, CalicoProps } from './constructs/addons/cni/calico';
export { Cilium, CiliumProps, CiliumTunnel } from './constructs/addons/cni/cilium';
export { Cni } from './constructs/addons/cni/cni';
export { Flannel, FlannelProps } from './constructs/addons/cni/flannel';

export { CertManager, CertManagerProps } from './constructs/addons/catalog/cert-manager';
export { CoreDns, CoreDnsProps } from './constructs/addons/catalog/core-dns';
export { EnvoyGateway, EnvoyGatewayProps } from './constructs/addons/catalog/envoy-gateway';
export { DnsRecordPolicy, ExternalDns, ExternalDnsProps } from './constructs/addons/catalog/external-dns';
export { ExternalSecrets, ExternalSecretsProps } from './constructs/addons/catalog/external-secrets';
export { FluentBit, FluentBitProps } from './constructs/addons/catalog/fluent-bit';
export { GatewayApi, GatewayApiChannel, GatewayApiProps } from './constructs/addons/catalog/gateway-api';
export { GpuOperator, GpuOperatorProps } from './constructs/addons/catalog/gpu-operator';
export { IngressNginx, IngressNginxProps } from './constructs/addons/catalog/ingress-nginx';
export { KubePrometheusStack, KubePrometheusStackProps } from './constructs/addons/catalog/kube-prometheus-stack';
export { Kyverno, KyvernoProps } from './constructs/addons/catalog/kyverno';
export { MetalLb, MetalLbProps } from './constructs/addons/catalog/metal-lb';
export { MetricsServer, MetricsServerProps } from './constructs/addons/catalog/metrics-server';
export { NodeFeatureDiscovery, NodeFeatureDiscoveryProps } from './constructs/addons/catalog/node-feature-discovery';
export { NodeLocalDns, NodeLocalDnsProps } from './constructs/addons/catalog/node-local-dns';
export { Reloader, ReloaderProps, ReloadStrategy } from './constructs/addons/catalog/reloader';
export { SecretVariable } from './constructs/addons/catalog/catalogue-addon';
export {
  SnapshotController, SnapshotControllerProps, SnapshotDeletionPolicy, TenantSnapshotClass,
} from './constructs/addons/catalog/snapshot-controller';
export { Traefik, TraefikProps } from './constructs/addons/catalog/traefik';
export { Vector, VectorProps } from './constructs/addons/catalog/vector';
export { Velero, VeleroProps } from './constructs/addons/catalog/velero';
export { VerticalPodAutoscaler, VerticalPodAutoscalerProps } from './constructs/addons/catalog/vertical-pod-autoscaler';
export { RemoteWrite, VictoriaMetricsAgent, VictoriaMetricsAgentProps } from './constructs/addons/catalog/victoria-metrics-agent';

export {
  ProviderChart, ProviderChartOptions, ProviderPrograms, ProviderStorageClass, ProviderStorageClassOptions,
} from './constructs/addons/provider-chart';
export { CarriedSecretOptions, TenantSecret } from './constructs/addons/tenant-secret';

export { ChartDelivery, Delivery, GitManifestsDelivery, ManifestDelivery } from './constructs/contracts/delivery/delivery';
export { IEarlierDeliveries } from './constructs/contracts/delivery/cluster-deliveries';
export { Hibernation } from './constructs/contracts/cluster-context';
export { DeliveryTarget } from './constructs/contracts/delivery/delivery-target';
export { ArgoCdDelivery } from './constructs/deliveries/argo-cd/argo-cd-delivery';
export { ArgoCdDeliveryProps, ArgoCdManifestSource } from './constructs/deliveries/argo-cd/argo-cd-delivery-props';
export { ArgoCdDestination } from './constructs/deliveries/argo-cd/argo-cd-destination';
export {
  ClusterResourceSetDelivery, ClusterResourceSetDeliveryProps, ResourceSetStrategy,
} from './constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
export { FluxDelivery } from './constructs/deliveries/flux/flux-delivery';
export { FluxLockdownOptions, FluxMode } from './constructs/deliveries/flux/flux-mode';
export {
  FluxDeliveryProps, FluxDriftDetection, FluxKubeconfig, FluxManifestCarrier, FluxManifestSource, FluxRepositoryAccess, FluxSourceKind,
} from './constructs/deliveries/flux/flux-delivery-props';
export {
  HelmChartProxyDelivery, HelmChartProxyDeliveryProps, HelmChartProxyRepositoryAccess,
} from './constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
export { ClaimPropertySet, InfraStorageClass } from './constructs/contracts/capabilities/infra-cluster-capabilities';
export { HostFencing, InfraHosts } from './constructs/contracts/capabilities/infra-hosts';
export { ManagementCapabilities } from './constructs/contracts/capabilities/management-cluster';
export { ManagementNetworkPlugin } from './constructs/contracts/capabilities/management-cluster';
export {
  IManagementCluster, ImportedManagementCluster, ImportedManagementClusterProps,
} from './constructs/contracts/capabilities/management-cluster';

export { ImageLock } from './constructs/images/image-lock';
export { ImageSources, ImageSourcesProps } from './constructs/images/image-sources';

export { Versions } from './constructs/contracts/versions';
export { ComponentArgument } from './manifests/values/component-arguments';
export { KubernetesVersion } from './manifests/values/kubernetes-version';
export { ResourceRequirements } from './manifests/values/resource-requirements';
export { SecretKeyRef, SecretRef } from './manifests/values/secret-ref';
export { VolumeBindingMode, VolumeReclaimPolicy } from './manifests/values/storage-class';
export { Taint, TaintEffect } from './manifests/values/taints';
export { Toleration, TolerationOperator } from './manifests/values/taints';

// cdk8s-cli looks for the plug-in among the names of the package itself.
export {
  IManifestValidationContext, IManifestValidationReport, ManifestValidationPlugin, ManifestValidationPluginProps, ManifestViolatingResource,
  ManifestViolation,
} from './constructs/validation-plugin/manifest-validation-plugin';

export * as blueprints from './constructs/blueprints';
export * as dev from './constructs/infrastructures/dev';
export * as extension from './constructs/extension';
export * as hosts from './constructs/hosts';
export * as l1 from './l1';
export * as management from './constructs/management';
export * as metal3 from './constructs/infrastructures/metal3';
export * as nifcloud from './constructs/hosts/nifcloud';
export * as openstack from './constructs/infrastructures/openstack';
export * as operators from './constructs/operators';
export * as proxmox from './constructs/infrastructures/proxmox';
export * as testing from './constructs/testing';
export * as validation from './constructs/app/validation';
export * as vsphere from './constructs/infrastructures/vsphere';
export * as vultr from './constructs/infrastructures/vultr';
