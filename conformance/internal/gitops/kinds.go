// Package gitops plays what surrounds Flux, and runs its controllers: a Git repository, the repositories of charts that pages name,
// with tiny charts in place of the real ones, and what a test asks about the outcome.
package gitops

import "k8s.io/apimachinery/pkg/runtime/schema"

// Kinds of Flux.
var (
	GitRepository  = schema.GroupKind{Group: "source.toolkit.fluxcd.io", Kind: "GitRepository"}
	HelmChart      = schema.GroupKind{Group: "source.toolkit.fluxcd.io", Kind: "HelmChart"}
	HelmRepository = schema.GroupKind{Group: "source.toolkit.fluxcd.io", Kind: "HelmRepository"}
	OCIRepository  = schema.GroupKind{Group: "source.toolkit.fluxcd.io", Kind: "OCIRepository"}
	Kustomization  = schema.GroupKind{Group: "kustomize.toolkit.fluxcd.io", Kind: "Kustomization"}
	HelmRelease    = schema.GroupKind{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}
)

// Kinds of Cluster API's add-on provider for Helm: one names a chart, the other is its release in one cluster.
var (
	HelmChartProxy   = schema.GroupKind{Group: "addons.cluster.x-k8s.io", Kind: "HelmChartProxy"}
	HelmReleaseProxy = schema.GroupKind{Group: "addons.cluster.x-k8s.io", Kind: "HelmReleaseProxy"}
)
