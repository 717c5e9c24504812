// Package standins plays what a tenant cluster needs and what cannot run without containers:
//
//   - Kamaji and its control plane provider: they report a control plane whose API server runs elsewhere,
//   - KubeVirt and its disk importer: they report virtual machines as running and disks as filled,
//   - a load balancer that answers on the loopback interface,
//   - the kubelet and the cloud controller manager of every virtual machine: a Node in the tenant cluster, as the bootstrap
//     data of the machine asks for.
//
// Each writes only what the original writes and others read. None of them checks anything.
package standins

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"conformance/internal/live"
)

// interval is the time between two looks at the objects.
const interval = 300 * time.Millisecond

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

// StandIns are all stand-ins for one tenant cluster.
type StandIns struct {
	client    *live.Client
	tenant    *Tenant
	namespace string
	cluster   string

	mutex   sync.Mutex
	problem error
}

// New returns stand-ins that work on the objects of a cluster.
func New(client *live.Client, tenant *Tenant, namespace, cluster string) *StandIns {
	return &StandIns{client: client, tenant: tenant, namespace: namespace, cluster: cluster}
}

// Run works until the context ends.
func (s *StandIns) Run(ctx context.Context) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		var problems []error
		for _, step := range []func(context.Context) error{
			s.stepControlPlane, s.stepLoadBalancers, s.stepMachines, s.stepNodes,
		} {
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

// labels select the objects of the cluster.
func (s *StandIns) labels() map[string]string { return map[string]string{live.ClusterLabel: s.cluster} }
