// Package standins plays what a tenant cluster needs and what cannot run without containers. Parts says what, and by whom it is played.
//
// Each writes only what the original writes and others read. None of them checks anything.
package standins

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"conformance/internal/live"
)

// interval is the time between two looks at the objects.
const interval = 300 * time.Millisecond

// Parts are what is played.
var Parts = []string{
	"Kamaji and its provider, unless they run: they report a control plane whose API server runs elsewhere.",
	"KubeVirt: virtual machines run at once, and have addresses on which nothing answers. Volumes are plugged in and out by a real aggregated API.",
	"Hosts: of one that dies, nothing is heard, and its virtual machines stay until it is out of service.",
	"CDI: disks are filled at once, and have claims with volumes that nobody can mount. A greater request of a claim is met at once.",
	"The snapshot controller of the management cluster: snapshots are ready at once.",
	"Load balancers: Services get addresses, from a range or that of the loopback interface.",
	"The kubelet of each virtual machine: a Node as the bootstrap data asks for, its lease, its CSI drivers and volumes in use. Pods are ready at once, but for those whose programs run.",
	"The cloud controller manager of the tenant, unless it runs.",
}

// Tenant is the API server that a control plane is said to run.
type Tenant struct {
	// Host and Port are where the API server listens.
	Host string
	Port int64
	// Kubeconfig connects with all rights.
	Kubeconfig []byte
	// CA and CAKey are the authority of the tenant cluster in PEM.
	CA, CAKey []byte
	// Client connects to the API server.
	Client *live.Client
}

// Options say what is played, and for whom.
type Options struct {
	// Client reaches the management cluster.
	Client *live.Client
	// Namespace and Cluster are those of the Cluster.
	Namespace, Cluster string
	// Tenant is the API server that the control plane is said to run. If it is nil, control plane and cloud controller manager are real, and the tenant
	// is reached by the kubeconfig that Cluster API's contract names.
	Tenant *Tenant
	// Machines and LoadBalancers are the ranges of addresses; those of the loopback interface if they are empty.
	Machines, LoadBalancers netip.Prefix
	// Host is the node of the management cluster on which machines run.
	Host string
	// IsReal says which pods of the tenant are run by somebody else. Nil: none.
	IsReal func(pod *live.Object) bool
}

// StandIns are all stand-ins for one tenant cluster.
type StandIns struct {
	Options
	tenant *Tenant
	// kubeconfig is the version of the Secret by which the tenant is reached.
	kubeconfig string
	// renewed is when the lease of a node was renewed.
	renewed map[string]time.Time

	mutex   sync.Mutex
	problem error
	// lost are the hosts that are down and not yet out of service.
	lost map[string]bool
}

// New returns stand-ins that work on the objects of a cluster.
func New(options Options) *StandIns {
	return &StandIns{Options: options, tenant: options.Tenant, renewed: map[string]time.Time{}, lost: map[string]bool{}}
}

// steps are what is played at each look.
func (s *StandIns) steps() []func(context.Context) error {
	if s.Tenant != nil {
		return []func(context.Context) error{s.stepControlPlane, s.stepLoadBalancers, s.stepMachines, s.stepNodes}
	}
	return []func(context.Context) error{
		s.stepLoadBalancers, s.stepMachines, s.stepDisks, s.stepClaims, s.stepSnapshots, s.stepTenant, s.stepNodes, s.stepPods, s.stepVolumesInUse,
	}
}

// Run works until the context ends.
func (s *StandIns) Run(ctx context.Context) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		var problems []error
		for _, step := range s.steps() {
			// A conflict is a controller that was faster; the next look sees its work.
			if err := step(ctx); err != nil && !apierrors.IsConflict(err) {
				problems = append(problems, err)
			}
		}
		s.mutex.Lock()
		s.problem = errors.Join(problems...)
		s.mutex.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Problem is what failed at the last look, nil if nothing did.
func (s *StandIns) Problem() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.problem
}

// LoseHost lets a host of the management cluster die: the kubelets of its machines are silent, and its instances stay, also when their machines are
// deleted.
func (s *StandIns) LoseHost(name string) { s.setLost(name, true) }

// FreeHost marks a host that has died as out of service.
func (s *StandIns) FreeHost(name string) { s.setLost(name, false) }

func (s *StandIns) setLost(name string, lost bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.lost[name] = lost
}

// isLost reports whether the host of an instance is down.
func (s *StandIns) isLost(instance *live.Object) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.lost[live.String(instance.Object, "status", "nodeName")]
}

// labels select the objects of the cluster.
func (s *StandIns) labels() map[string]string { return map[string]string{live.ClusterLabel: s.Cluster} }
