package alive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"

	"conformance/internal/live"
	"conformance/internal/manifest"
	"conformance/internal/sandbox"
	"conformance/internal/standins"
)

// hotplugPort is where the stand-in of KubeVirt's aggregated API listens.
const hotplugPort = 18443

// startStandIns plays what cannot run for the tenant of a page.
func (w *world) startStandIns(ctx context.Context, p *page) error {
	client, err := live.NewClient(w.controlPlane.Config, "stand-in")
	if err != nil {
		return err
	}
	classes, err := storageClasses(p.folder)
	if err != nil {
		return err
	}
	address := netip.AddrPortFrom(sandbox.Node, hotplugPort)
	for _, object := range append(classes, standins.HotplugObjects(address, w.controlPlane.PKI.CA)...) {
		if err := w.client.Ensure(ctx, object); err != nil {
			return err
		}
	}
	server := &http.Server{Addr: address.String(), Handler: &standins.Hotplug{Client: client}}
	w.background.Go(func() {
		if err := server.ListenAndServeTLS(w.controlPlane.PKI.CertFile(), w.controlPlane.PKI.KeyFile()); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintf(w.Log, "hot plug: %v\n", err)
		}
	})
	context.AfterFunc(ctx, func() { _ = server.Close() })
	w.standIns = standins.New(standins.Options{
		Client: client, Namespace: p.namespace(), Cluster: p.name(), Machines: sandbox.Machines, LoadBalancers: sandbox.LoadBalancers, Host: nodes[0],
		IsReal: w.isReal,
	})
	w.background.Go(func() { w.standIns.Run(ctx) })
	w.startMachinePods(ctx, p)
	return nil
}

// storageClasses returns the classes of the management cluster that the manifests of a folder name: of volumes, and of snapshots.
func storageClasses(folder string) ([]*live.Object, error) {
	files, err := manifest.Files([]string{folder})
	if err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for _, file := range files {
		documents, err := manifest.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("look for storage classes: %w", err)
		}
		for _, document := range documents {
			collect(document.Object.Object, names)
		}
	}
	var classes []*live.Object
	for _, name := range append(names["storageClassName"], names["infraStorageClassName"]...) {
		classes = append(classes, &live.Object{Object: map[string]any{
			"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": map[string]any{"name": name},
			"provisioner": "conformance/played", "allowVolumeExpansion": true,
		}})
	}
	for _, name := range names["infraSnapshotClassName"] {
		classes = append(classes, &live.Object{Object: map[string]any{
			"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": map[string]any{"name": name},
			"driver": "conformance/played", "deletionPolicy": "Delete",
		}})
	}
	return classes, nil
}

// collect adds the texts of all fields, by their names.
func collect(value any, texts map[string][]string) {
	switch typed := value.(type) {
	case map[string]any:
		for name, field := range typed {
			if text, ok := field.(string); ok && !slices.Contains(texts[name], text) {
				texts[name] = append(texts[name], text)
			}
			collect(field, texts)
		}
	case []any:
		for _, item := range typed {
			collect(item, texts)
		}
	}
}
