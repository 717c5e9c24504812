package progress

import (
	"fmt"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/labels"

	"conformance/internal/live"
	"conformance/internal/manifest"
)

// tenant is a tenant cluster as a file declares it.
type tenant struct {
	file      string
	objects   []*live.Object
	cluster   *live.Object
	pools     []*pool
	namespace string
	name      string
	// asleep are the states of the tenant on its way to sleep, none if it stays awake.
	asleep []*tenant
}

// pool is a MachineDeployment of a tenant with the templates it refers to.
type pool struct {
	deployment *live.Object
	machines   *live.Object
	bootstrap  *live.Object
}

// Annotations by which the cluster autoscaler knows a pool. Without replicas in the manifest, the minimum is the size at first.
const (
	minSizeAnnotation = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size"
	maxSizeAnnotation = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"
)

// readTenants reads a tenant from its first file, and the states in which it falls asleep from the others.
func readTenants(files []string) (*tenant, string, error) {
	var states []*tenant
	for _, file := range files {
		state, reason, err := readTenant(file)
		if err != nil || reason != "" {
			return nil, reason, err
		}
		states = append(states, state)
	}
	states[0].asleep = states[1:]
	return states[0], "", nil
}

// readTenant reads the tenant of a file. The reason says why the file is none to check, empty if it is one.
func readTenant(file string) (_ *tenant, reason string, err error) {
	documents, err := manifest.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	t := &tenant{file: file}
	for _, document := range documents {
		t.objects = append(t.objects, document.Object)
	}
	clusters := t.ofKind(live.Cluster.Kind)
	if len(clusters) != 1 {
		return nil, fmt.Sprintf("it has %d Clusters, not one", len(clusters)), nil
	}
	t.cluster = clusters[0]
	t.namespace, t.name = t.cluster.GetNamespace(), t.cluster.GetName()
	switch kind := live.String(t.cluster.Object, "spec", "controlPlaneRef", "kind"); kind {
	case live.KamajiControlPlane.Kind, live.KubeadmControlPlane.Kind:
	default:
		return nil, fmt.Sprintf("nothing runs here for its control plane, a %q", kind), nil
	}
	if kind := live.String(t.cluster.Object, "spec", "infrastructureRef", "kind"); kind != live.KubevirtCluster.Kind {
		return nil, fmt.Sprintf("nothing runs here for its infrastructure, a %q", kind), nil
	}
	for _, infrastructure := range t.ofKind(live.KubevirtCluster.Kind) {
		if name := live.String(infrastructure.Object, "spec", "infraClusterSecretRef", "name"); name != "" {
			return nil, fmt.Sprintf("its machines run in another cluster, for which Secret %s is not here", name), nil
		}
	}
	for _, deployment := range t.ofKind(live.MachineDeployment.Kind) {
		p := &pool{deployment: deployment}
		p.machines = t.referred(deployment, "infrastructureRef")
		p.bootstrap = t.referred(deployment, "bootstrap", "configRef")
		if p.machines == nil || p.bootstrap == nil {
			return nil, "", fmt.Errorf("%s: MachineDeployment %s refers to a template that the file does not have", file, deployment.GetName())
		}
		if p.machines.GetKind() != live.KubevirtMachineTemplate.Kind || p.bootstrap.GetKind() != live.KubeadmConfigTemplate.Kind {
			return nil, fmt.Sprintf("nothing runs here for a %s with a %s", p.machines.GetKind(), p.bootstrap.GetKind()), nil
		}
		t.pools = append(t.pools, p)
	}
	return t, "", nil
}

// namespaces returns the namespaces that the objects are in, each once.
func (t *tenant) namespaces() []string {
	var names []string
	for _, object := range t.objects {
		if name := object.GetNamespace(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// hasKamaji reports whether Kamaji runs the control plane of the tenant.
func (t *tenant) hasKamaji() bool {
	return live.String(t.cluster.Object, "spec", "controlPlaneRef", "kind") == live.KamajiControlPlane.Kind
}

// labels select the objects of the tenant.
func (t *tenant) labels() map[string]string { return map[string]string{live.ClusterLabel: t.name} }

// changedPool returns the pool that changes are made to, one whose size the manifest gives if there is one, or nil.
func (t *tenant) changedPool() *pool {
	if fixed := t.fixedPool(); fixed != nil || len(t.pools) == 0 {
		return fixed
	}
	return t.pools[0]
}

// fixedPool returns a pool whose size the manifest gives, or nil.
func (t *tenant) fixedPool() *pool {
	if i := slices.IndexFunc(t.pools, func(p *pool) bool { return !p.isScaled() }); i >= 0 {
		return t.pools[i]
	}
	return nil
}

// scaledPools returns the pools that leave their size to the autoscaler and may grow.
func (t *tenant) scaledPools() []*pool {
	var scaled []*pool
	for _, p := range t.pools {
		if p.isScaled() && p.bound(maxSizeAnnotation, 1) > p.size() {
			scaled = append(scaled, p)
		}
	}
	return scaled
}

// healthCheckOf returns the MachineHealthCheck that selects the machines of a pool, or nil.
func (t *tenant) healthCheckOf(p *pool) *live.Object {
	for _, check := range t.ofKind(live.MachineHealthCheck.Kind) {
		selector := labels.SelectorFromSet(live.Strings(check.Object, "spec", "selector", "matchLabels"))
		if !selector.Empty() && selector.Matches(labels.Set(p.machineLabels())) {
			return check
		}
	}
	return nil
}

func (t *tenant) ofKind(kind string) []*live.Object {
	var found []*live.Object
	for _, object := range t.objects {
		if object.GetKind() == kind {
			found = append(found, object)
		}
	}
	return found
}

// referred returns the object of the file that a reference in the machine template of a MachineDeployment names.
func (t *tenant) referred(deployment *live.Object, path ...string) *live.Object {
	path = append([]string{"spec", "template", "spec"}, path...)
	name := live.String(deployment.Object, append(slices.Clone(path), "name")...)
	for _, object := range t.ofKind(live.String(deployment.Object, append(slices.Clone(path), "kind")...)) {
		if object.GetName() == name && object.GetNamespace() == deployment.GetNamespace() {
			return object
		}
	}
	return nil
}

func (p *pool) name() string { return p.deployment.GetName() }

// labels select the machines of the pool.
func (p *pool) labels() map[string]string {
	return live.Strings(p.deployment.Object, "spec", "selector", "matchLabels")
}

// machineLabels are the labels that the pool gives its machines.
func (p *pool) machineLabels() map[string]string {
	return live.Strings(p.deployment.Object, "spec", "template", "metadata", "labels")
}

// isScaled reports whether the manifest leaves the number of machines to the autoscaler.
func (p *pool) isScaled() bool {
	_, found := p.deployment.Object["spec"].(map[string]any)["replicas"]
	return !found
}

// size is the number of machines the pool starts with.
func (p *pool) size() int64 {
	if p.isScaled() {
		return p.bound(minSizeAnnotation, 1)
	}
	return live.Int(p.deployment.Object, "spec", "replicas")
}

// bound returns a bound for the autoscaler, or what holds without one.
func (p *pool) bound(annotation string, otherwise int64) int64 {
	bound, err := strconv.ParseInt(p.deployment.GetAnnotations()[annotation], 10, 64)
	if err != nil {
		return otherwise
	}
	return bound
}
