package live

import "k8s.io/apimachinery/pkg/runtime/schema"

// Kinds that controllers and their stand-ins work on.
var (
	Cluster            = schema.GroupKind{Group: "cluster.x-k8s.io", Kind: "Cluster"}
	Machine            = schema.GroupKind{Group: "cluster.x-k8s.io", Kind: "Machine"}
	MachineDeployment  = schema.GroupKind{Group: "cluster.x-k8s.io", Kind: "MachineDeployment"}
	MachineHealthCheck = schema.GroupKind{Group: "cluster.x-k8s.io", Kind: "MachineHealthCheck"}
	MachineSet         = schema.GroupKind{Group: "cluster.x-k8s.io", Kind: "MachineSet"}

	KamajiControlPlane  = schema.GroupKind{Group: "controlplane.cluster.x-k8s.io", Kind: "KamajiControlPlane"}
	KubeadmControlPlane = schema.GroupKind{Group: "controlplane.cluster.x-k8s.io", Kind: "KubeadmControlPlane"}

	KubeadmConfig         = schema.GroupKind{Group: "bootstrap.cluster.x-k8s.io", Kind: "KubeadmConfig"}
	KubeadmConfigTemplate = schema.GroupKind{Group: "bootstrap.cluster.x-k8s.io", Kind: "KubeadmConfigTemplate"}

	DevCluster         = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "DevCluster"}
	DevMachineTemplate = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "DevMachineTemplate"}

	KubevirtCluster         = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "KubevirtCluster"}
	KubevirtMachine         = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "KubevirtMachine"}
	KubevirtMachineTemplate = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "KubevirtMachineTemplate"}

	DataVolume             = schema.GroupKind{Group: "cdi.kubevirt.io", Kind: "DataVolume"}
	VirtualMachine         = schema.GroupKind{Group: "kubevirt.io", Kind: "VirtualMachine"}
	VirtualMachineInstance = schema.GroupKind{Group: "kubevirt.io", Kind: "VirtualMachineInstance"}

	DaemonSet  = schema.GroupKind{Group: "apps", Kind: "DaemonSet"}
	Deployment = schema.GroupKind{Group: "apps", Kind: "Deployment"}

	Namespace = schema.GroupKind{Kind: "Namespace"}
	Node      = schema.GroupKind{Kind: "Node"}
	Secret    = schema.GroupKind{Kind: "Secret"}
	Service   = schema.GroupKind{Kind: "Service"}
)

// ClusterLabel is the label that every object of a Cluster has, with its name.
const ClusterLabel = "cluster.x-k8s.io/cluster-name"

// PoolLabel is the label of a Machine and its MachineSet with the name of their MachineDeployment.
const PoolLabel = "cluster.x-k8s.io/deployment-name"
