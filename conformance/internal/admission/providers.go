// Package admission runs the admission webhooks of providers and registers them with an API server.
package admission

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
			// What is behind a gate can be looked at only with the gate on.
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
