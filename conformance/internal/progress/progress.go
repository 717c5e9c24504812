// Package progress lets the real controllers of Cluster API and of its KubeVirt provider work on the manifests of a tenant
// cluster and checks where they get: machines come up, changes roll through, machines of a host that is drained or lost are replaced,
// and nothing is left when the Cluster is deleted. What cannot run without containers is played by package standins.
package progress

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"conformance/internal/controllers"
	"conformance/internal/controlplane"
	"conformance/internal/live"
	"conformance/internal/process"
	"conformance/internal/standins"
)

// tenantTime bounds the check of one tenant.
const tenantTime = 6 * time.Minute

// Setup is what a check needs.
type Setup struct {
	controllers.Setup
	// Out takes the report.
	Out io.Writer
}

// checker checks one tenant.
type checker struct {
	*tenant
	client    *live.Client
	standIns  *standins.StandIns
	workload  *live.Client
	apiServer *controlplane.ControlPlane
	processes []*process.Process
	dir       string
	out       io.Writer
	started   time.Time
}

// Run starts the controllers, checks the tenants of the files one after the other and stops the controllers.
// A file without a tenant whose controllers are here is an error. Files of one tenant, separated by commas, put it to sleep: as it is awake,
// without machines, and without control plane.
func Run(ctx context.Context, setup *Setup, files []string) error {
	var tenants []*tenant
	for _, file := range files {
		t, reason, err := readTenants(strings.Split(file, ","))
		if err != nil {
			return err
		}
		if reason != "" {
			return fmt.Errorf("%s: no progress to check: %s", file, reason)
		}
		tenants = append(tenants, t)
	}
	// The provider looks at virtual machines only now and then; more often than by default saves minutes.
	kubevirt := controllers.Program{Name: "kubevirt", Args: []string{"--controllers", "--sync-period=5s"}}
	processes, err := controllers.Start(ctx, &setup.Setup, kubevirt)
	defer controllers.Stop(processes)
	if err != nil {
		return err
	}
	for i, t := range tenants {
		if err := checkTenant(ctx, setup, processes, t, fmt.Sprintf("tenant-%d", i)); err != nil {
			return fmt.Errorf("%s: %w", t.file, err)
		}
	}
	return nil
}

// checkTenant runs an API server and stand-ins for a tenant and checks it.
func checkTenant(ctx context.Context, setup *Setup, processes []*process.Process, t *tenant, id string) error {
	workload, err := setup.ControlPlane.StartTenant(ctx, setup.BinDir, setup.Dir, id)
	if err != nil {
		return err
	}
	defer workload.Stop()
	endpoint, err := newEndpoint(workload)
	if err != nil {
		return err
	}
	client, err := live.NewClient(setup.ControlPlane.Config, "conformance")
	if err != nil {
		return err
	}
	players, err := live.NewClient(setup.ControlPlane.Config, "stand-in")
	if err != nil {
		return err
	}
	c := &checker{
		tenant: t, client: client, workload: endpoint.Client, apiServer: workload, processes: processes, dir: setup.Dir, out: setup.Out, started: time.Now(),
		standIns: standins.New(standins.Options{Client: players, Tenant: endpoint, Namespace: t.namespace, Cluster: t.name}),
	}

	ctx, cancel := context.WithTimeoutCause(ctx, tenantTime, fmt.Errorf("the check of a tenant may take %s", tenantTime))
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		c.standIns.Run(ctx)
	}()
	defer func() {
		cancel()
		<-stopped
	}()
	fmt.Fprintf(c.out, "%s: Cluster %s/%s\n", t.file, t.namespace, t.name)
	return c.check(ctx)
}

// check takes the tenant through its life.
func (c *checker) check(ctx context.Context) error {
	steps := []func(context.Context) error{c.apply, c.firstControlPlaneMachine, c.remove}
	if c.hasKamaji() {
		steps = []func(context.Context) error{c.apply, c.grow, c.autoscale, c.loseHosts, c.rollOut, c.scale, c.remove}
	}
	if len(c.asleep) > 0 {
		steps = []func(context.Context) error{c.apply, c.grow, c.autoscale, c.sleep, c.remove}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// note reports something that is as it should be.
func (c *checker) note(format string, args ...any) {
	fmt.Fprintf(c.out, "  %6.1fs "+format+"\n", append([]any{time.Since(c.started).Seconds()}, args...)...)
}

// newEndpoint describes a tenant's API server for those who write its address.
func newEndpoint(workload *controlplane.ControlPlane) (*standins.Tenant, error) {
	client, err := live.NewClient(workload.Config, "stand-in")
	if err != nil {
		return nil, err
	}
	host, port, err := workload.Address()
	if err != nil {
		return nil, err
	}
	kubeconfig, err := os.ReadFile(workload.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of the tenant: %w", err)
	}
	return &standins.Tenant{
		Host: host, Port: port, Kubeconfig: kubeconfig, CA: workload.PKI.CA, CAKey: workload.PKI.CAKey, Client: client,
	}, nil
}
