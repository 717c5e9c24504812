package alive

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/live"
	"conformance/internal/manifest"
)

var deploymentKind = schema.GroupKind{Group: "apps", Kind: "Deployment"}

// page is what a synthesized folder declares.
type page struct {
	folder string
	// objects are in the order in which they can be created.
	objects []*live.Object
	// cluster is the only one of the page.
	cluster *live.Object
}

// readPage reads the manifests of a folder.
func readPage(folder string) (*page, error) {
	files, err := manifest.Files([]string{folder})
	if err != nil {
		return nil, err
	}
	p := &page{folder: folder}
	for _, file := range files {
		documents, err := manifest.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			if document.Object.GetKind() == "Kustomization" && document.Object.GroupVersionKind().Group == "kustomize.config.k8s.io" {
				continue // It is for a program, not for the API server.
			}
			p.objects = append(p.objects, document.Object)
		}
	}
	slices.SortStableFunc(p.objects, func(a, b *live.Object) int { return cluster.Rank(a) - cluster.Rank(b) })
	clusters := p.ofKind(live.Cluster)
	if len(clusters) != 1 {
		return nil, fmt.Errorf("%s has %d Clusters, not one", folder, len(clusters))
	}
	p.cluster = clusters[0]
	return p, nil
}

func (p *page) ofKind(kind schema.GroupKind) []*live.Object {
	var found []*live.Object
	for _, object := range p.objects {
		if object.GroupVersionKind().GroupKind() == kind {
			found = append(found, object)
		}
	}
	return found
}

func (p *page) namespace() string { return p.cluster.GetNamespace() }
func (p *page) name() string      { return p.cluster.GetName() }

// applyLimit is how long the API server may take until it accepts an object: webhooks and namespaces come before others.
const applyLimit = 30 * time.Second

// apply applies the objects of a page as a GitOps tool does.
func (w *world) apply(ctx context.Context, p *page) error {
	for _, object := range p.objects {
		if err := await(ctx, applyLimit, func() (string, error) {
			_, err := w.client.Overwrite(ctx, object.DeepCopy())
			return "", err
		}); err != nil {
			return err
		}
	}
	w.note("%s is applied: %d objects.", p.folder, len(p.objects))
	return nil
}
