package providers

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"conformance/internal/live"
)

// Sources are those of one release of a project.
type Sources struct{ Dir, Version string }

// release is where the sources of a project have the manifests of a provider, which its release process builds.
type release struct{ project, overlay, metadata string }

// Names of projects in Setup.Sources.
const (
	ClusterAPI     = "cluster-api"
	KubeVirt       = "cluster-api-provider-kubevirt"
	KamajiProvider = "cluster-api-control-plane-provider-kamaji"
	HelmProvider   = "cluster-api-addon-provider-helm"
)

// releases are those of the providers, by kind and name of the object that asks for one.
var releases = map[string]release{
	"CoreProvider cluster-api":        {ClusterAPI, "core/config/default", "metadata.yaml"},
	"BootstrapProvider kubeadm":       {ClusterAPI, "bootstrap/kubeadm/config/default", "metadata.yaml"},
	"ControlPlaneProvider kubeadm":    {ClusterAPI, "controlplane/kubeadm/config/default", "metadata.yaml"},
	"ControlPlaneProvider kamaji":     {KamajiProvider, "config/default", "config/metadata.yaml"},
	"InfrastructureProvider kubevirt": {KubeVirt, "config/default", "metadata.yaml"},
	"AddonProvider helm":              {HelmProvider, "config/default", "metadata.yaml"},
}

// types are the words of the operator for kinds (kubernetes-sigs/cluster-api-operator api/v1alpha2/*_wrapper.go, GetType).
var types = map[string]string{
	"CoreProvider": "core", "BootstrapProvider": "bootstrap", "ControlPlaneProvider": "control-plane", "InfrastructureProvider": "infrastructure", "AddonProvider": "addon",
}

// downloaded returns the ConfigMap in which the operator keeps what it has downloaded for a provider: if there is one, it downloads nothing
// (kubernetes-sigs/cluster-api-operator internal/controller/manifests_downloader.go). Its version is that of the sources.
func downloaded(provider *live.Object, sources map[string]Sources) (*live.Object, error) {
	found, known := releases[provider.GetKind()+" "+provider.GetName()]
	if !known {
		return nil, fmt.Errorf("%s %s: say in releases.go where its manifests are", provider.GetKind(), provider.GetName())
	}
	source := sources[found.project]
	metadata, err := os.ReadFile(filepath.Join(source.Dir, found.metadata))
	if err != nil {
		return nil, fmt.Errorf("read the metadata of %s: %w", found.project, err)
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(source.Dir, found.overlay))
	if err != nil {
		return nil, fmt.Errorf("build the manifests of %s: %w", provider.GetName(), err)
	}
	components, err := built.AsYaml()
	if err != nil {
		return nil, fmt.Errorf("encode the manifests of %s: %w", provider.GetName(), err)
	}
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write(components); err != nil {
		return nil, fmt.Errorf("pack the manifests of %s: %w", provider.GetName(), err)
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("pack the manifests of %s: %w", provider.GetName(), err)
	}
	configMap := &live.Object{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"data":       map[string]any{"metadata": string(metadata)},
		"binaryData": map[string]any{"components": base64.StdEncoding.EncodeToString(packed.Bytes())},
	}}
	configMap.SetName(strings.ToLower(types[provider.GetKind()] + "-" + provider.GetName() + "-" + source.Version))
	configMap.SetNamespace(provider.GetNamespace())
	configMap.SetAnnotations(map[string]string{"provider.cluster.x-k8s.io/compressed": "true"})
	configMap.SetLabels(map[string]string{
		"provider.cluster.x-k8s.io/version": source.Version, "provider.cluster.x-k8s.io/type": types[provider.GetKind()],
		"provider.cluster.x-k8s.io/name": provider.GetName(), "managed-by.operator.cluster.x-k8s.io": "true",
	})
	return configMap, nil
}
