// The public API. Only re-exports: namespaces are loaded apart from the rest (scripts/bundle.ts).

export { TenantCluster } from './tenant-cluster/tenant-cluster';
export { TenantClusterIdentity, TenantClusterOptions, TenantClusterProps, TenantClusterSettings } from './tenant-cluster/tenant-cluster-props';
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
export { FileLayout } from './gitops/file-layout';
export { Plan } from './plan/plan';
export { EntryCluster, EntryPoints, EntryTarget } from './cluster/delivery/entry-points';
export { FluxEntryPoints, FluxEntryPointsProps } from './flux/flux-entry-points';
export { ArgoCdApplicationSet } from './argo-cd/argo-cd-application-set';
export { ArgoCdEntryPoints } from './argo-cd/argo-cd-entry-points';
export { ArgoCdEntryPointsProps } from './argo-cd/argo-cd-entry-points-props';
export { ClusterContext, ClusterNetwork } from './cluster/cluster-context';

export { NodePool } from './tenant-cluster/node-pool';
export { IPoolOwner } from './tenant-cluster/pool-owner';
export { NodePoolProps, NodePoolSettings } from './cluster/node-pool/node-pool-props';
export { AutoscalingOptions, PoolSize } from './cluster/node-pool/pool-size';
export { HealthCheck, HealthCheckOptions, UnhealthyCondition } from './cluster/node-pool/health-check';
export { KubeletOptions, SoftEvictionThreshold } from './cluster/node-pool/kubelet';
export { MachineCount } from './cluster/node-pool/machine-count';
export { PoolContext } from './cluster/node-pool/pool-context';
export { RollingUpdateOptions, RolloutStrategy } from './cluster/node-pool/rollout-strategy';

export { ControlPlane, ControlPlaneConfig, ControlPlaneMachines } from './cluster/control-plane';
export { ApiServerAddress, ApiServerAddresses, ClusterIdentity } from './cluster/api-server-address';
export { ControlPlaneCapabilities } from './cluster/control-plane-capabilities';
export { Kubeconfigs } from './cluster/kubeconfig';

export { KamajiAddonImage, KamajiCoreDns, KamajiKubeProxy } from './kamaji/addons';
export { KamajiAdmissionPlugins } from './kamaji/admission-plugins';
export { AuditLevel, AuditResources, AuditRule, AuditStage, AuditWebhook, ControlPlaneAudit } from './kamaji/audit';
export {
  ClaimMapping, ClaimValidationRule, ControlPlaneAuthentication, JwtAuthenticator, UserValidationRule,
} from './kamaji/authentication';
export { KamajiComponent } from './kamaji/components';
export { KamajiDataStoreOverride } from './kamaji/data-store';
export { KamajiDeployment, KamajiRollingUpdateOptions, KamajiUpdateStrategy } from './kamaji/deployment';
export { ControlPlaneEncryption } from './kamaji/encryption';
export {
  KamajiClusterIpOptions, KamajiExposure, KamajiGatewayOptions, KamajiIngressOptions, KamajiLoadBalancerOptions, KamajiNodePortOptions,
  KamajiServiceOptions, KamajiServiceType,
} from './kamaji/exposure';
export { KamajiControlPlane } from './kamaji/kamaji-control-plane';
export { KamajiControlPlaneProps, KamajiKubeconfigKey } from './kamaji/kamaji-control-plane-props';
export { KamajiKonnectivity, KamajiKonnectivityAgentMode, KamajiKonnectivityOptions } from './kamaji/konnectivity';
export { KamajiKubelet, KamajiKubeletPatch, KamajiNodeAddressType, KamajiPatchOperation } from './kamaji/kubelet';
export { KamajiServicePort, KamajiServiceProtocol } from './kamaji/ports';
export { KamajiProbe, KamajiProbes } from './kamaji/probes';
export { KamajiVolume, KamajiVolumeMount } from './kamaji/volumes';

export { KubeadmCoreDns, KubeadmCoreDnsOptions } from './kubeadm/control-plane/addons';
export { KubeadmEncryptionAlgorithm } from './kubeadm/control-plane/certificates';
export { KubeadmComponent } from './kubeadm/control-plane/components';
export { KubeadmEtcd, KubeadmExternalEtcdOptions, KubeadmStackedEtcdOptions } from './kubeadm/control-plane/etcd';
export { KubeadmControlPlane } from './kubeadm/control-plane/kubeadm-control-plane';
export { KubeadmControlPlaneProps, KubeadmControlPlaneTimeouts } from './kubeadm/control-plane/kubeadm-control-plane-props';
export { KubeadmRemediation } from './kubeadm/control-plane/remediation';
export { KubeadmRollout } from './kubeadm/control-plane/rollout';
export { KubeadmHostPathType, KubeadmHostPathVolume } from './kubeadm/control-plane/volumes';

export { Infrastructure, InfrastructureConfig } from './cluster/infrastructure';
export { ForbiddenUserData, InfrastructureCapabilities, MachinePodLabels } from './cluster/infrastructure-capabilities';
export { Machine, MachineConfig } from './cluster/machine';
export { ExtendedResource, MachineCapacity } from './cluster/machine-capacity';

export { ClonedDiskOptions, CustomDiskOptions, DataVolumeOptions, SnapshotDiskOptions } from './kubevirt/data-volume';
export { GpuDevice, HostDevice } from './kubevirt/devices';
export { BlockSize, DiskOptions } from './kubevirt/disk';
export {
  BlankDiskOptions, EphemeralDiskOptions, ExtraClonedDiskOptions, ExtraCustomDiskOptions, ExtraDisk, ExtraSnapshotDiskOptions,
} from './kubevirt/extra-disk';
export { Firmware, VirtualTpm } from './kubevirt/firmware';
export {
  ControlPlaneServiceOptions, ControlPlaneServiceType, KubevirtInfrastructure, KubevirtInfrastructureProps,
} from './kubevirt/kubevirt-infrastructure';
export {
  KubevirtCloudControllerManager, KubevirtCloudControllerManagerOptions,
} from './kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
export { KubevirtLoadBalancerOptions, KubevirtLoadBalancers, KubevirtLocalTrafficOptions } from './kubevirt/cloud-controller-manager/kubevirt-load-balancers';
export { KubevirtCsiDriver, KubevirtCsiDriverOptions, KubevirtCsiNodeOptions } from './kubevirt/csi-driver/kubevirt-csi-driver';
export {
  KubevirtFileSystem, KubevirtSnapshotClass, KubevirtStorageClass, KubevirtVolumeBus,
} from './kubevirt/csi-driver/kubevirt-storage-class';
export { KubevirtMachine } from './kubevirt/kubevirt-machine';
export { HugePageSize, InstanceTypeKind, KubevirtMachineProps, PreferenceKind } from './kubevirt/kubevirt-machine-props';
export { BootstrapCheck, EvictionStrategy, RunStrategy } from './kubevirt/life-cycle';
export { AdditionalNetwork, MultusPrimaryOptions, NetworkBinding, PrimaryNetwork } from './kubevirt/network';
export { HostSpread } from './kubevirt/placement';
export { ContainerDiskOptions, HttpDiskOptions, RegistryDiskOptions, RegistryPullMethod, RootDisk } from './kubevirt/root-disk';
export { InstanceTypeCapacity } from './cluster/capabilities/infra-cluster-capabilities';

export { Bootstrap, BootstrapConfig } from './cluster/bootstrap';
export { CompanyNetwork, CompanyNetworkProps, PrivateChartRepository, PrivateRegistry } from './cluster/company-network/company-network';
export { BootstrapNtp, MirrorCapability, NodeHttpProxy, RegistryMirror, TrustedCa } from './cluster/company-network/node-network';
export { BootstrapFile, FileContentFormat, FileEncoding } from './kubeadm/bootstrap/bootstrap-file';
export { BootstrapMount } from './kubeadm/bootstrap/bootstrap-mount';
export { BootstrapUser } from './kubeadm/bootstrap/bootstrap-user';
export { DiskFilesystem, DiskPartitioning, DiskSetup, DiskShare, PartitionTable } from './kubeadm/bootstrap/disk-setup';
export { JoinTimeouts } from './kubeadm/bootstrap/join-timeouts';
export { KubeadmBootstrap } from './kubeadm/bootstrap/kubeadm-bootstrap';
export { KubeadmBootstrapProps } from './kubeadm/bootstrap/kubeadm-bootstrap-props';
export { NodeName } from './kubeadm/bootstrap/node-name';
export { PartitionType } from './kubeadm/bootstrap/partition-type';

export { ControllerContainerOptions, TenantControllerOptions, TenantControllerPodOptions } from './controllers/tenant-controller-options';
export { AutoscalerExpander, ClusterAutoscaler, ClusterAutoscalerOptions, NodeArchitecture } from './cluster-autoscaler/cluster-autoscaler';

export { IsolationCidrOptions, IsolationPeer, IsolationPodsOptions, IsolationPort } from './cluster/capabilities/isolation-peer';
export { KubevirtPodSizing } from './cluster/capabilities/infra-cluster-capabilities';
export { InfraClusterIsolation } from './isolation/infra-cluster-isolation';
export { TenantLimitRange } from './isolation/limit-range';
export { NetworkIsolation, NetworkIsolationOptions } from './isolation/network-isolation';
export { ServiceIsolation, ServiceIsolationOptions } from './isolation/service-isolation';
export { TenantAccess } from './isolation/tenant-access';
export { TenantIsolation, TenantIsolationConfig, TenantIsolationProps } from './isolation/tenant-isolation';
export { TenantSubject } from './isolation/tenant-subject';

export { Addon, AddonConfig } from './cluster/addon';
export { DeliveredAddon } from './addons/addon-set';
export { VolumeAccessMode, VolumeClass } from './cluster/volume-class';
export { AddonCapability } from './cluster/addon-capability';
export { BundledAddonProps } from './addons/bundled-addon-props';
export { HelmAddon, HelmAddonProps } from './addons/helm-addon';
export { GitManifests } from './cluster/git-manifests';
export { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy } from './cluster/helm-chart';
export { HelmValuesSource, HelmValuesSourceOptions } from './cluster/helm-values-source';
export { HelmChartImage } from './cluster/helm-chart-image';
export { ManifestAddon, ManifestAddonProps } from './addons/manifest-addon';
export { ManifestFileAddon } from './addons/manifest-file-addon';

export { Calico, CalicoDataplane, CalicoProps } from './addons/cni/calico';
export { Cilium, CiliumProps, CiliumTunnel } from './addons/cni/cilium';
export { Cni } from './addons/cni/cni';
export { Flannel, FlannelProps } from './addons/cni/flannel';

export { CertManager, CertManagerProps } from './addons/catalog/cert-manager';
export { CoreDns, CoreDnsProps } from './addons/catalog/core-dns';
export { EnvoyGateway, EnvoyGatewayProps } from './addons/catalog/envoy-gateway';
export { DnsRecordPolicy, ExternalDns, ExternalDnsProps } from './addons/catalog/external-dns';
export { ExternalSecrets, ExternalSecretsProps } from './addons/catalog/external-secrets';
export { FluentBit, FluentBitProps } from './addons/catalog/fluent-bit';
export { GatewayApi, GatewayApiChannel, GatewayApiProps } from './addons/catalog/gateway-api';
export { GpuOperator, GpuOperatorProps } from './addons/catalog/gpu-operator';
export { IngressNginx, IngressNginxProps } from './addons/catalog/ingress-nginx';
export { KubePrometheusStack, KubePrometheusStackProps } from './addons/catalog/kube-prometheus-stack';
export { Kyverno, KyvernoProps } from './addons/catalog/kyverno';
export { MetalLb, MetalLbProps } from './addons/catalog/metal-lb';
export { MetricsServer, MetricsServerProps } from './addons/catalog/metrics-server';
export { NodeFeatureDiscovery, NodeFeatureDiscoveryProps } from './addons/catalog/node-feature-discovery';
export { NodeLocalDns, NodeLocalDnsProps } from './addons/catalog/node-local-dns';
export { Reloader, ReloaderProps, ReloadStrategy } from './addons/catalog/reloader';
export { SecretVariable } from './addons/catalog/secret-variable';
export { SnapshotController, SnapshotControllerProps, SnapshotDeletionPolicy, TenantSnapshotClass } from './addons/catalog/snapshot-controller';
export { Traefik, TraefikProps } from './addons/catalog/traefik';
export { Vector, VectorProps } from './addons/catalog/vector';
export { Velero, VeleroProps } from './addons/catalog/velero';
export { VerticalPodAutoscaler, VerticalPodAutoscalerProps } from './addons/catalog/vertical-pod-autoscaler';
export { RemoteWrite, VictoriaMetricsAgent, VictoriaMetricsAgentProps } from './addons/catalog/victoria-metrics-agent';

export { ChartDelivery, Delivery, GitManifestsDelivery, ManifestDelivery } from './cluster/delivery/delivery';
export { IEarlierDeliveries } from './cluster/delivery/cluster-deliveries';
export { Hibernation } from './cluster/hibernation';
export { DeliveryTarget } from './cluster/delivery/delivery-target';
export { ArgoCdDelivery } from './argo-cd/argo-cd-delivery';
export { ArgoCdDeliveryProps, ArgoCdManifestSource } from './argo-cd/argo-cd-delivery-props';
export { ArgoCdDestination } from './argo-cd/argo-cd-destination';
export {
  ClusterResourceSetDelivery, ClusterResourceSetDeliveryProps, ResourceSetStrategy,
} from './cluster-resource-set/cluster-resource-set-delivery';
export { FluxDelivery } from './flux/flux-delivery';
export {
  FluxDeliveryProps, FluxDriftDetection, FluxKubeconfig, FluxManifestCarrier, FluxManifestSource, FluxRepositoryAccess, FluxSourceKind,
} from './flux/flux-delivery-props';
export {
  HelmChartProxyDelivery, HelmChartProxyDeliveryProps, HelmChartProxyRepositoryAccess,
} from './helm-chart-proxy/helm-chart-proxy-delivery';

export { InfraClusterCapabilities, InfraInstanceType } from './cluster/capabilities/infra-cluster-capabilities';
export { ClaimPropertySet, InfraStorageClass } from './cluster/capabilities/infra-storage-class';
export { ManagementCapabilities } from './cluster/capabilities/management-capabilities';
export { ManagementNetworkPlugin } from './cluster/capabilities/management-network-plugin';
export { IManagementCluster, ImportedManagementCluster, ImportedManagementClusterProps } from './cluster/capabilities/management-cluster';

export { ImageLock } from './images/image-lock';
export { ImageSources, ImageSourcesProps } from './images/image-sources';

export { Versions } from './cluster/versions';
export { ComponentArgument } from './values/component-arguments';
export { KubernetesVersion } from './values/kubernetes-version';
export { ResourceRequirements } from './values/resource-requirements';
export { SecretKeyRef, SecretRef } from './values/secret-ref';
export { VolumeBindingMode, VolumeReclaimPolicy } from './values/storage-class';
export { Taint, TaintEffect } from './values/taints';
export { Toleration, TolerationOperator } from './values/tolerations';

export { Problem, Rule } from './problems/problem';
export { Problems } from './problems/problems';
// cdk8s-cli looks for the plug-in among the names of the package itself.
export { ManifestValidationPlugin, ManifestValidationPluginProps } from './cli/validate/manifest-validation-plugin';
export {
  IManifestValidationContext, IManifestValidationReport, ManifestViolatingResource, ManifestViolation,
} from './cli/validate/validation-plugin-context';

export * as blueprints from './blueprints';
export * as extension from './extension/extension';
export * as hosts from './hosts';
export * as management from './management';
export * as nifcloud from './nifcloud';
export * as operators from './operators';
export * as testing from './testing';
export * as validation from './validation';
export * as vultr from './vultr';

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
