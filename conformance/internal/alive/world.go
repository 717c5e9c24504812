// Package alive runs a whole tenant on one machine: the management cluster with its real controllers, and what pages ask for with exactly the commands,
// arguments, files, users, rights and probes that are written. What cannot run without containers or virtual machines is played by package standins.
package alive

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"conformance/internal/admission"
	"conformance/internal/cluster"
	"conformance/internal/controllers"
	"conformance/internal/controlplane"
	"conformance/internal/gitops"
	"conformance/internal/kubelet"
	"conformance/internal/live"
	"conformance/internal/network"
	"conformance/internal/process"
	"conformance/internal/programs"
	"conformance/internal/sandbox"
	"conformance/internal/standins"
)

// Resolver is the address of the DNS server of the management cluster.
var Resolver = netip.MustParseAddr("10.96.0.10")

// manager is the name under which the run writes fields.
const manager = "conformance"

// Setup is what a run needs. It runs in a sandbox.
type Setup struct {
	// Dir is for all files of the run.
	Dir string
	// Bin has the executables of the servers and providers, and those of Programs by name.
	Bin string
	// Table finds the programs of images.
	Table *programs.Table
	// Definitions are those of all kinds.
	Definitions []*live.Object
	// Modules are the directories of the modules of the providers.
	Modules map[string]string
	// Upstream has the unpacked sources of controllers.
	Upstream string
	// Usage collects what containers take.
	Usage *Usage
	// Out takes the report, Log what happens, and Outcomes what further states of pages made of machines, as JSON on a line each.
	Out, Log, Outcomes io.Writer
}

// world is a management cluster.
type world struct {
	*Setup
	controlPlane *controlplane.ControlPlane
	client       *live.Client
	kubelet      *kubelet.Kubelet
	// machineKubelet runs pods of the tenant. There is none before the tenant has an API server.
	machineKubelet atomic.Pointer[kubelet.Kubelet]
	// machineProblem is why there never will be one.
	machineProblem atomic.Pointer[error]
	network        *network.Network
	delivery       *delivery
	standIns       *standins.StandIns
	dialed         dialer
	processes      []*process.Process
	started        time.Time
	// background are the parts that run in this process.
	background sync.WaitGroup
}

// newWorld starts a management cluster, which lives until the context ends. Then the caller stops it, also after an error.
func newWorld(ctx context.Context, setup *Setup, pages []*page) (w *world, err error) {
	w = &world{Setup: setup, started: time.Now(), dialed: dialer{direct: map[network.Dialed]bool{}}}
	if w.delivery, err = newDelivery(setup, pages); err != nil {
		return w, err
	}
	for _, step := range []func(context.Context) error{w.startServers, w.startMachine, w.startProviders, w.startKamaji, w.startFlux} {
		if err := step(ctx); err != nil {
			return w, err
		}
	}
	w.note("The management cluster runs.")
	return w, nil
}

// stop ends everything that the end of the context leaves.
func (w *world) stop() {
	w.background.Wait()
	for i := len(w.processes) - 1; i >= 0; i-- {
		w.processes[i].Stop()
	}
	if w.controlPlane != nil {
		w.controlPlane.Stop()
	}
	if w.delivery != nil {
		w.delivery.stop()
	}
}

// note reports something that is as it should be.
func (w *world) note(format string, args ...any) {
	fmt.Fprintf(w.Out, "  %6.1fs "+format+"\n", append([]any{time.Since(w.started).Seconds()}, args...)...)
}

// startServers runs the API server with all definitions, the controllers of Kubernetes and the scheduler.
func (w *world) startServers(ctx context.Context) (err error) {
	if w.controlPlane, err = controlplane.StartMachine(ctx, w.Bin, w.Dir, controlplane.Machine{Address: sandbox.Node, Names: append(certificateNames, standins.HotplugNames...)}); err != nil {
		return err
	}
	creator, err := cluster.NewClient(w.controlPlane.Config)
	if err != nil {
		return err
	}
	ofFlux, err := gitops.Definitions(w.Definitions, w.Upstream)
	if err != nil {
		return err
	}
	if err := creator.CreateDefinitions(ctx, append(ofFlux, w.installed()...)); err != nil {
		return err
	}
	for _, provider := range admission.Providers() {
		server, err := admission.Start(ctx, provider, w.Modules[provider.Name], w.Bin, w.Dir, w.controlPlane, creator)
		if err != nil {
			return err
		}
		w.processes = append(w.processes, server)
	}
	w.client, err = live.NewClient(w.controlPlane.Config, manager)
	return err
}

// infrastructureGroup is the group in which all infrastructure providers have their kinds, each in versions of its own.
const infrastructureGroup = "infrastructure.cluster.x-k8s.io"

// installed are the definitions without those of infrastructure providers that do not run here: beside them, an autoscaler before 1.36 looks for the templates
// of machines in a wrong version (rule TC-AUTOSCALER-PROVIDERS).
func (w *world) installed() []*live.Object {
	return slices.DeleteFunc(slices.Clone(w.Definitions), func(definition *live.Object) bool {
		return live.String(definition.Object, "spec", "group") == infrastructureGroup && !strings.HasPrefix(live.String(definition.Object, "spec", "names", "kind"), "Kubevirt")
	})
}

// startMachine adds the nodes of the management cluster, its Services and its kubelet.
func (w *world) startMachine(ctx context.Context) (err error) {
	if w.network, err = network.New(network.Options{Config: w.controlPlane.Config, Resolver: Resolver, Hosts: w.delivery.hosts(), Log: w.Log}); err != nil {
		return err
	}
	w.background.Go(func() {
		if err := w.network.Run(ctx); err != nil {
			fmt.Fprintf(w.Log, "network: %v\n", err)
		}
	})
	dir := filepath.Join(w.Dir, "pods")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory of the pods: %w", err)
	}
	w.kubelet, err = kubelet.New(kubelet.Options{
		Config: w.controlPlane.Config, Dir: dir, Nodes: kubelet.OnNodes(nodes...), Resolver: Resolver, Image: w.image, Log: w.Log,
	})
	if err != nil {
		return err
	}
	if err := w.registerNodes(ctx); err != nil {
		return err
	}
	w.background.Go(func() { w.renewLeases(ctx) })
	w.background.Go(func() { w.kubelet.Run(ctx) })
	w.background.Go(func() { w.watchConnections(ctx) })
	return nil
}

// startProviders runs the controllers of Cluster API and of its KubeVirt provider.
func (w *world) startProviders(ctx context.Context) error {
	// The provider looks at virtual machines only now and then; more often than by default saves minutes.
	kubevirt := controllers.Program{Name: "kubevirt", Args: []string{"--controllers", "--sync-period=5s"}}
	started, err := controllers.Start(ctx, &controllers.Setup{ControlPlane: w.controlPlane, BinDir: w.Bin, Dir: w.Dir}, kubevirt)
	w.processes = append(w.processes, started...)
	return err
}

// image returns what a container of an image runs.
func (w *world) image(reference string) (kubelet.Image, error) {
	if reference == storeImage {
		return kubelet.Image{Program: filepath.Join(w.Bin, "etcd"), Path: "/etcd", Entrypoint: []string{"/etcd"}}, nil
	}
	found, err := w.Table.Find(reference)
	if err != nil {
		return kubelet.Image{}, err
	}
	switch found.Program {
	case programs.HostShell:
		return kubelet.Shell()
	case programs.HostSleep:
		return kubelet.Image{Idle: true, Entrypoint: found.Entrypoint, User: found.User}, nil
	default:
		return kubelet.Image{
			Program: filepath.Join(w.Bin, found.Program), Path: found.Path, Entrypoint: found.Entrypoint, User: found.User,
		}, nil
	}
}
