package alive

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"

	"conformance/internal/gitops"
	"conformance/internal/live"
	"conformance/internal/process"
	"conformance/internal/sandbox"
)

// snapshotGroup is the group of the definitions that the chart of the snapshot controller brings.
const snapshotGroup = "snapshot.storage.k8s.io"

// delivery is Flux, with a repository and charts of its own.
type delivery struct {
	charts     *gitops.Charts
	repository *gitops.Repository
	servers    []*gitops.Server
}

// newDelivery makes the charts that the pages ask for.
func newDelivery(setup *Setup, pages []*page) (*delivery, error) {
	var objects, definitions []*live.Object
	for _, p := range pages {
		objects = append(objects, p.objects...)
	}
	for _, definition := range setup.Definitions {
		if live.String(definition.Object, "spec", "group") == snapshotGroup {
			definitions = append(definitions, definition)
		}
	}
	charts, err := gitops.NewCharts(objects, definitions)
	return &delivery{charts: charts}, err
}

// hosts are the names that charts are asked for.
func (d *delivery) hosts() map[string]netip.Addr {
	hosts := map[string]netip.Addr{}
	for _, host := range d.charts.Hosts() {
		hosts[host] = sandbox.Node
	}
	return hosts
}

func (d *delivery) stop() {
	for _, server := range d.servers {
		_ = server.Close()
	}
}

// startFlux runs the controllers of Flux beside a repository without commits.
func (w *world) startFlux(ctx context.Context) error {
	ports, err := process.FreePorts(1)
	if err != nil {
		return err
	}
	dir := filepath.Join(w.Dir, "flux")
	repositoryDir := filepath.Join(dir, "repository")
	if err := os.MkdirAll(repositoryDir, 0o700); err != nil {
		return fmt.Errorf("make the directory of the repository: %w", err)
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0]))
	if w.delivery.repository, err = gitops.NewRepository(ctx, repositoryDir, address, "tenants"); err != nil {
		return err
	}
	for _, serve := range []func() (*gitops.Server, error){
		func() (*gitops.Server, error) { return w.delivery.repository.Serve(ctx) },
		func() (*gitops.Server, error) {
			return w.delivery.charts.Serve(sandbox.Node.String(), w.controlPlane.PKI)
		},
	} {
		server, err := serve()
		if err != nil {
			return err
		}
		w.delivery.servers = append(w.delivery.servers, server)
	}
	setup := gitops.Setup{
		Kubeconfig: w.controlPlane.Kubeconfig, Programs: map[string]string{}, Dir: dir, Address: "127.0.0.1", Authorities: filepath.Join(w.Dir, "ca.crt"),
	}
	for _, name := range gitops.ControllerNames {
		setup.Programs[name] = filepath.Join(w.Bin, name)
	}
	started, err := gitops.Start(ctx, setup)
	w.processes = append(w.processes, started...)
	if err != nil {
		return err
	}
	return w.client.Ensure(ctx, gitops.Namespace())
}

// commit makes the repository hold the folder of a page, and lets Flux know.
func (w *world) commit(ctx context.Context, p *page, message string) (revision string, err error) {
	revision, err = w.delivery.repository.Commit(ctx, p.folder, message)
	if err != nil {
		return "", err
	}
	sync := w.delivery.repository.Sync()
	for _, object := range sync {
		if err := w.client.Ensure(ctx, object); err != nil {
			return "", err
		}
	}
	return revision, gitops.Reconcile(ctx, w.client, sync[0])
}
