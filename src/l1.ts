// The typed resources: one namespace for each API group, generated from its definitions. Their fields are those of the API.

export * as argo from '../imports/argoproj.io';
export * as capi from '../imports/cluster.x-k8s.io';
export * as capi_addons from '../imports/addons.cluster.x-k8s.io';
export * as capi_bootstrap from '../imports/bootstrap.cluster.x-k8s.io';
export * as capi_controlplane from '../imports/controlplane.cluster.x-k8s.io';
export * as capi_infrastructure from '../imports/infrastructure.cluster.x-k8s.io';
export * as capi_operator from '../imports/operator.cluster.x-k8s.io';
export * as cert_manager from '../imports/cert-manager.io';
export * as flux_helm from '../imports/helm.toolkit.fluxcd.io';
export * as flux_kustomize from '../imports/kustomize.toolkit.fluxcd.io';
export * as flux_source from '../imports/source.toolkit.fluxcd.io';
export * as kamaji from '../imports/kamaji.clastix.io';
export * as kubevirt from '../imports/kubevirt.io';
export * as kubevirt_cdi from '../imports/cdi.kubevirt.io';
export * as snapshot from '../imports/snapshot.storage.k8s.io';
