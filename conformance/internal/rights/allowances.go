package rights

// Allowance is a right that is granted for a reason although no run uses it.
type Allowance struct {
	// Right is what it is for. Role is a pattern of path.Match, such as "Role */*-csi-driver", since names of roles have those of tenants.
	Right Right
	// Reason says why the right is granted.
	Reason string
	// Sometimes is set if some runs use the right. Such an allowance is unneeded only when the right is not granted any more.
	Sometimes bool
}

// ExpectedRefusal is a request that a program makes although the right is left out for a reason.
type ExpectedRefusal struct {
	// User is a pattern of path.Match.
	User string
	// Group, Resource and Verb are those of the request.
	Group, Resource, Verb string
	// Reason says why the right is left out.
	Reason string
}

// Allowances returns all rights that may be unused. Every other unused right is a disagreement, and so is an allowance that nothing needs.
func Allowances() []Allowance {
	allowances := []Allowance{{
		Right: Right{Role: "Role */*-csi-driver", Group: "subresources.kubevirt.io", Resource: "virtualmachineinstances/removevolume", Verb: "update"},
		Reason: "the driver detaches a volume from the instance only if the VirtualMachine is gone, or does not have the volume any more, " +
			"and the instance still holds it (kubevirt/csi-driver pkg/service/controller.go, removeVolumeFromVm)",
		Sometimes: true,
	}}
	const (
		autoscaler = "Role */*-cluster-autoscaler"
		clusterAPI = "cluster.x-k8s.io"
		shrinking  = "the autoscaler reads and marks a machine before it takes it away, after minutes without need; the page life waits for that"
		streaming  = "from 1.35 on, the autoscaler watches from the beginning instead of listing, if the API server can (client-go, feature WatchListClient)"
	)
	for _, verb := range []string{"get", "update"} {
		right := Right{Role: autoscaler, Group: clusterAPI, Resource: "machines", Verb: verb}
		allowances = append(allowances, Allowance{Right: right, Reason: shrinking, Sometimes: true})
	}
	for _, resource := range []string{"machinedeployments", "machinepools", "machines", "machinesets"} {
		right := Right{Role: autoscaler, Group: clusterAPI, Resource: resource, Verb: "list"}
		allowances = append(allowances, Allowance{Right: right, Reason: streaming, Sometimes: true})
	}
	templates := Right{Role: autoscaler, Group: "infrastructure." + clusterAPI, Resource: "kubevirtmachinetemplates", Verb: "list"}
	return append(allowances, Allowance{Right: templates, Reason: streaming, Sometimes: true})
}

// ExpectedRefusals returns all refusals that are no disagreement.
func ExpectedRefusals() []ExpectedRefusal {
	return []ExpectedRefusal{
		{
			User: "system:serviceaccount:*:*-cloud-controller-manager", Group: "kubevirt.io", Resource: "virtualmachineinstances", Verb: "list",
			Reason: "if no instance has the name of a node, the manager looks for one by spec.hostname (kubevirt/cloud-provider-kubevirt " +
				"pkg/provider/instances_getter.go), a field that the API server cannot select by: with the right the request fails, too",
		},
	}
}
