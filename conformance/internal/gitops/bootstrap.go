package gitops

import (
	"path"

	"conformance/internal/cluster"
	"conformance/internal/live"
)

const (
	// namespace is where Flux runs, and the name of its source.
	namespace = "flux-system"
	// entryFolder is the folder of the entry points in the output of a GitOps app.
	entryFolder = "flux"
)

// Namespace returns the namespace of Flux.
func Namespace() *live.Object { return cluster.NewNamespace(namespace) }

// Sync returns the objects by which Flux finds the repository and its entry points (fluxcd/flux2 pkg/manifestgen/sync/sync.go).
func (r *Repository) Sync() []*live.Object {
	return []*live.Object{
		{Object: map[string]any{
			"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": GitRepository.Kind,
			"metadata": map[string]any{"name": namespace, "namespace": namespace},
			"spec": map[string]any{
				"interval": "1m0s",
				"ref":      map[string]any{"branch": branch},
				"url":      r.URL(),
			},
		}},
		{Object: map[string]any{
			"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": Kustomization.Kind,
			"metadata": map[string]any{"name": namespace, "namespace": namespace},
			"spec": map[string]any{
				"interval":  "10m0s",
				"path":      "./" + r.entryPoints(),
				"prune":     true,
				"sourceRef": map[string]any{"kind": GitRepository.Kind, "name": namespace},
			},
		}},
	}
}

// entryPoints is the folder of the repository that Flux applies.
func (r *Repository) entryPoints() string { return path.Join(r.path, entryFolder) }

// bootstrapFiles are the files that a bootstrap commits beside the entry points, without the manifests of the controllers.
func (r *Repository) bootstrapFiles() map[string]any {
	const syncFile = "gotk-sync.yaml"
	sync := r.Sync()
	return map[string]any{
		syncFile: map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{sync[0].Object, sync[1].Object}},
		"kustomization.yaml": map[string]any{
			"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": []any{syncFile},
		},
	}
}
