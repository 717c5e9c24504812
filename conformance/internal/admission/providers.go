// Package admission runs the admission webhooks of providers and registers them with an API server.
package admission

import (
	"path/filepath"

	"conformance/internal/programs"
)

// HelmProviderName is the name of Cluster API's add-on provider for Helm, of its sources and of its executable.
const HelmProviderName = "cluster-api-addon-provider-helm"

// Provider is a program that serves webhooks, and where its release says which ones.
type Provider struct {
	// Name is the directory of the program below the webhooks directory, and the name of its executable.
	Name string
	// Module is the Go module the webhooks come from.
	Module string
	// Configurations are the files of that module with the webhook configurations.
	Configurations []string
	// Args are added to the command line, and Env to the environment.
	Args, Env []string
	// Definitions is the directory of that module with the definitions of its kinds, and Labels are those that its release gives them. Empty where
	// definitions come from elsewhere.
	Definitions string
	Labels      map[string]string
	// Changes are made to a copy of the module before the program is built.
	Changes []programs.Change
}

// Providers returns the providers whose webhooks exist as Go code that can run alone.
func Providers() []Provider {
	return []Provider{
		{
			Name:   "clusterapi",
			Module: "sigs.k8s.io/cluster-api",
			Configurations: []string{
				"core/config/webhook/manifests.yaml",
				"bootstrap/kubeadm/config/webhook/manifests.yaml",
				"controlplane/kubeadm/config/webhook/manifests.yaml",
			},
			// Fields behind a feature gate can only be checked with the gate on.
			Args: []string{
				"--feature-gates=ClusterTopology=true,MachinePool=true,RuntimeSDK=true,MachineTaintPropagation=true,KubeadmBootstrapFormatIgnition=true",
			},
		},
		{
			Name:           "kubevirt",
			Module:         "sigs.k8s.io/cluster-api-provider-kubevirt",
			Configurations: []string{"config/webhook/manifests.yaml"},
		},
	}
}

// Development returns Cluster API's development provider, whose machines are in memory.
func Development() Provider {
	return Provider{
		Name:           "dev",
		Module:         "sigs.k8s.io/cluster-api/test",
		Configurations: []string{"infrastructure/docker/config/webhook/manifests.yaml"},
		Args:           []string{"--feature-gates=ClusterTopology=true,MachinePool=true"},
		Definitions:    "infrastructure/docker/config/crd/bases",
		// infrastructure/docker/config/crd/kustomization.yaml
		Labels: map[string]string{
			"cluster.x-k8s.io/provider": "infrastructure-docker", "cluster.x-k8s.io/v1beta1": "v1beta1", "cluster.x-k8s.io/v1beta2": "v1beta2",
		},
		// The API servers of its clusters listen on all addresses of a machine.
		Changes: []programs.Change{{
			File: "infrastructure/inmemory/pkg/server/mux.go",
			From: `net.Listen("tcp", fmt.Sprintf(":%d"`,
			To:   `net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d"`,
		}},
	}
}

// HelmProvider returns Cluster API's add-on provider for Helm. Its files are in a directory that exists; authorities is the path of a file with
// the certificates that it trusts, in PEM.
func HelmProvider(directory, authorities string) Provider {
	// Arguments and environment of its manifest, less election, metrics and probes, which are those of a pod
	// (kubernetes-sigs/cluster-api-addon-provider-helm config/manager/manager.yaml).
	settings := filepath.Join(directory, "xdg")
	return Provider{
		Name:           HelmProviderName,
		Configurations: []string{"config/webhook/manifests.yaml"},
		Args:           []string{"--diagnostics-address=0", "--health-addr=0", "--sync-period=10m", "--v=2"},
		Env: []string{
			"XDG_DATA_HOME=" + settings + "/.data", "XDG_CONFIG_HOME=" + settings + "/.config", "XDG_STATE_HOME=" + settings + "/.state",
			"XDG_CACHE_HOME=" + settings + "/.cache", "XDG_CONFIG_DIRS=" + settings, "KUBECACHEDIR=" + directory + "/.kube/cache",
			"TMPDIR=" + directory, "SSL_CERT_FILE=" + authorities,
		},
	}
}
