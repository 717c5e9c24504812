package alive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
	"conformance/internal/manifest"
)

// deliveredFolder is where a GitOps app writes what another cluster gets.
const deliveredFolder = "/delivered/"

// page is what a synthesized folder declares.
type page struct {
	folder string
	// objects are those for the management cluster.
	objects []*live.Object
	// cluster is the only one of the page, or that of the former state of a page that has it no more.
	cluster *live.Object
}

// readPages reads the states of a page in their order.
func readPages(folders []string) ([]*page, error) {
	var pages []*page
	for i, folder := range folders {
		p, err := readPage(folder)
		if err != nil {
			return nil, err
		}
		switch clusters := p.ofKind(live.Cluster); {
		case len(clusters) == 1:
			p.cluster = clusters[0]
		case len(clusters) == 0 && i > 0:
			p.cluster = pages[0].cluster
		default:
			return nil, fmt.Errorf("%s has %d Clusters, not one", folder, len(clusters))
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// readPage reads the manifests of a folder.
func readPage(folder string) (*page, error) {
	files, err := manifest.Files([]string{folder})
	if err != nil {
		return nil, err
	}
	// Files in a folder for the tenant are delivered by an object of the management cluster.
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
	return p, nil
}

// hasCluster reports whether the tenant is to live.
func (p *page) hasCluster() bool { return len(p.ofKind(live.Cluster)) > 0 }

// find returns the object of the page, or nil.
func (p *page) find(kind schema.GroupKind, namespace, name string) *live.Object {
	for _, object := range p.ofKind(kind) {
		if object.GetNamespace() == namespace && object.GetName() == name {
			return object
		}
	}
	return nil
}

// controlPlaneObject is the one that the Cluster refers to, or nil.
func (p *page) controlPlaneObject() *live.Object {
	reference := live.Strings(p.cluster.Object, "spec", "controlPlaneRef")
	return p.find(schema.GroupKind{Group: reference["apiGroup"], Kind: reference["kind"]}, p.namespace(), reference["name"])
}

// hasNoMachines reports whether all pools have the size zero.
func (p *page) hasNoMachines() bool {
	return !slices.ContainsFunc(p.ofKind(live.MachineDeployment), func(pool *live.Object) bool { return sizeOf(pool) > 0 })
}

// isStopped reports whether the control plane has no replicas.
func (p *page) isStopped() bool { return sizeOf(p.controlPlaneObject()) == 0 }

// sizeOf is the number of replicas that an object asks for: one if it leaves that to others.
func sizeOf(object *live.Object) int64 {
	if size, stated := statedSize(object); stated {
		return size
	}
	return 1
}

func statedSize(object *live.Object) (size int64, stated bool) {
	size, stated, _ = unstructured.NestedInt64(object.Object, "spec", "replicas")
	return size, stated
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
