package alive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
	"conformance/internal/manifest"
)

var deploymentKind = schema.GroupKind{Group: "apps", Kind: "Deployment"}

// deliveredFolder is where a GitOps app writes what another cluster gets.
const deliveredFolder = "/delivered/"

// page is what a synthesized folder declares.
type page struct {
	folder string
	// objects are those for the management cluster.
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
	// What is in a folder for the tenant is delivered by an object of the management cluster.
	files = slices.DeleteFunc(files, func(file string) bool { return strings.Contains(file, deliveredFolder) })
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

// applyLimit is how long Flux may take until it has fetched a page and begun with it.
const applyLimit = time.Minute
