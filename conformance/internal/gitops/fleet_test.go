package gitops

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/controlplane"
	"conformance/internal/definitions"
	"conformance/internal/live"
	"conformance/internal/manifest"
)

// Tenants of the fleet that are well, and those that are not: two whose control plane does not come, two whose API server does not answer, and
// one whose pods do not become ready.
const livingTenants = 45

var sickTenants = []string{"absent-1", "absent-2", "silent-1", "silent-2", "unready"}

const (
	// entryInterval is the interval of the entry points (src/constructs/deliveries/flux/flux-entry-points.ts). Flux reads the repository every
	// minute: see Sync.
	entryInterval = 10 * time.Minute
	// installLimit is how long the first installation of all tenants may take.
	installLimit = 15 * time.Minute
)

var capiCluster = schema.GroupKind{Group: "cluster.x-k8s.io", Kind: "Cluster"}

// fleet is a Flux with many tenants.
type fleet struct {
	*flux
	// tenants is the API server of all tenants that have one.
	tenants *live.Client
	names   []string
	sick    []string
	// locked is true for a Flux with multi-tenancy lockdown, and a page for it.
	locked bool
}

// TestFleet commits a change to a fleet of which a tenth is sick, with the defaults of Flux and of the library: all other tenants have it after two intervals.
// One API server is that of all tenants, whose releases and workloads are in namespaces of their own.
func TestFleet(t *testing.T) {
	f := &fleet{sick: sickTenants}
	for i := range livingTenants {
		f.names = append(f.names, fmt.Sprintf("tenant-%02d", i+1))
	}
	f.start(t)
	f.page("one")
	started := time.Now()
	f.awaitRevision("one", installLimit)
	t.Logf("%d tenants are installed after %.0f s", livingTenants, time.Since(started).Seconds())
	f.awaitSick()

	asked := f.charts.Asked()
	f.page("two")
	committed := time.Now()
	f.awaitRevision("two", entryInterval/2)
	t.Logf("a change is in %d tenants after %.0f s", livingTenants, time.Since(committed).Seconds())
	if again := f.charts.Asked() - asked; again > 0 {
		t.Errorf("%d requests for charts that have not changed", again)
	}
}

// start starts Flux and the API servers.
func (f *fleet) start(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers, and takes minutes")
	}
	if _, err := os.Stat("../../../node_modules"); err != nil {
		t.Skip("the page is synthesized, which takes the packages of npm: ", err)
	}
	setup := Setup{Programs: executables(t), Dir: t.TempDir(), Address: "127.0.0.1", Locked: f.locked}
	management, other := startServer(t), startServer(t)
	f.flux, f.tenants = &flux{T: t, client: clientOf(t, management), repository: newRepository(t)}, clientOf(t, other)
	f.define(management)
	f.ensure(Namespace())
	f.createKubeconfigs(other)
	f.serveCharts(management)
	setup.Kubeconfig, setup.Authorities = management.Kubeconfig, filepath.Join(setup.Dir, "authorities.crt")
	write(t, setup.Dir, "authorities.crt", string(management.PKI.CA))
	processes, err := Start(t.Context(), setup)
	for _, p := range processes {
		t.Cleanup(p.Stop)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range f.repository.Sync() {
		if f.locked {
			f.lock(object)
		}
		f.ensure(object)
	}
	go f.bringControlPlanes()
}

func clientOf(t *testing.T, server *controlplane.ControlPlane) *live.Client {
	t.Helper()
	client, err := live.NewClient(server.Config, "test")
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// define creates the definitions of Cluster API and Flux.
func (f *fleet) define(server *controlplane.ControlPlane) {
	f.Helper()
	project := "../../.."
	known, err := definitions.Find(definitions.Places{
		Explicit: os.Getenv("CRDS_DIR"),
		Shared:   filepath.Join(project, "..", "shared", "crds"),
		Cache:    filepath.Join(project, ".crds-cache"),
		Sources:  filepath.Join(project, "scripts", "crds", "sources.json"),
	})
	if err != nil {
		f.Skip(err)
	}
	more, err := Definitions(known.Definitions, "../../upstream")
	if err != nil {
		f.Skip("run the program once, so that there are sources: ", err)
	}
	creator, err := cluster.NewClient(server.Config)
	if err != nil {
		f.Fatal(err)
	}
	if err := creator.CreateDefinitions(f.Context(), append(known.Definitions, more...)); err != nil {
		f.Fatal(err)
	}
}

// createKubeconfigs creates the Secrets that Kamaji makes. A silent API server accepts no connection.
func (f *fleet) createKubeconfigs(server *controlplane.ControlPlane) {
	f.Helper()
	kubeconfig, err := os.ReadFile(server.Kubeconfig)
	if err != nil {
		f.Fatal(err)
	}
	silent := strings.ReplaceAll(string(kubeconfig), server.Config.Host, "https://"+silentAddress(f.T))
	for _, name := range slices.Concat(f.names, f.sick) {
		content := string(kubeconfig)
		switch {
		case strings.HasPrefix(name, "absent"):
			continue
		case strings.HasPrefix(name, "silent"):
			content = silent
		}
		f.ensure(cluster.NewNamespace("tenant-" + name))
		f.ensure(&live.Object{Object: map[string]any{
			"apiVersion": "v1", "kind": "Secret",
			"metadata":   map[string]any{"name": name + "-admin-kubeconfig", "namespace": "tenant-" + name},
			"stringData": map[string]any{"super-admin.svc": content},
		}})
	}
}

// silentAddress returns an address at which connections are neither accepted nor refused, as those to a host that is gone: the queue of its
// socket is full.
func silentAddress(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(socket) })
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(socket, 0); err != nil {
		t.Fatal(err)
	}
	bound, err := syscall.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", bound.(*syscall.SockaddrInet4).Port)
	for range 8 {
		connection, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			return address
		}
		t.Cleanup(func() { _ = connection.Close() })
	}
	t.Skip("this system accepts connections beyond the queue of a socket")
	return ""
}

// serveCharts serves the charts of the page.
func (f *fleet) serveCharts(server *controlplane.ControlPlane) {
	f.Helper()
	var err error
	if _, f.port, err = net.SplitHostPort(freeAddress(f.T)); err != nil {
		f.Fatal(err)
	}
	files, err := manifest.Files([]string{f.synthesize("one")})
	if err != nil {
		f.Fatal(err)
	}
	var objects []*live.Object
	for _, file := range files {
		documents, err := manifest.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, document := range documents {
			objects = append(objects, document.Object)
		}
	}
	if f.charts, err = NewCharts(objects, nil); err != nil {
		f.Fatal(err)
	}
	charts, err := f.charts.Serve("127.0.0.1", server.PKI)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = charts.Close() })
}

// synthesize writes the page, which gives all tenants a revision, and returns its folder.
func (f *fleet) synthesize(revision string) string {
	f.Helper()
	folder := f.TempDir()
	command := exec.CommandContext(f.Context(), "node", "-r", "./scripts/esbuild-register.js", "scripts/conformance/fleet/main.ts",
		folder, "https://localhost:"+f.port+"/charts", strings.Join(slices.Concat(f.names, f.sick), ","), revision)
	command.Dir = "../../.."
	command.Env = append(os.Environ(), fmt.Sprintf("FLUX_FLEET_LOCKED=%t", f.locked))
	if output, err := command.CombinedOutput(); err != nil {
		f.Fatalf("%v\n%s", err, output)
	}
	return folder
}

// page commits the page. Flux finds the commit by itself.
func (f *fleet) page(revision string) {
	f.Helper()
	if _, err := f.repository.Commit(f.Context(), f.synthesize(revision), revision); err != nil {
		f.Fatal(err)
	}
}

// bringControlPlanes plays Cluster API: control planes become available, except those that do not come.
func (f *fleet) bringControlPlanes() {
	for f.Context().Err() == nil {
		clusters, err := f.client.List(f.Context(), capiCluster, "", nil)
		if err != nil && f.Context().Err() == nil {
			f.Log("list the clusters: ", err)
		}
		for i := range clusters {
			object := &clusters[i]
			if strings.HasPrefix(object.GetName(), "absent") || len(live.Maps(object.Object, "status", "conditions")) > 0 {
				continue
			}
			if err := f.client.Merge(f.Context(), object, map[string]any{"status": map[string]any{
				"observedGeneration": object.GetGeneration(),
				"conditions": []any{map[string]any{
					"type": "ControlPlaneAvailable", "status": "True", "reason": "Available", "message": "",
					"lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
				}},
			}}, "status"); err != nil && f.Context().Err() == nil {
				f.Log("change the status of a cluster: ", err)
			}
		}
		time.Sleep(time.Second)
	}
}

// awaitRevision waits until all tenants that are well have a revision by their chart and by their manifests.
func (f *fleet) awaitRevision(revision string, limit time.Duration) {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), limit)
	defer cancel()
	missing := "no answer"
	for ctx.Err() == nil {
		var err error
		if missing, err = f.missing(ctx, revision); err == nil && missing == "" {
			return
		}
		time.Sleep(time.Second)
	}
	f.Fatalf("after %s, revision %s is not in all tenants: %s", limit, revision, missing)
}

func (f *fleet) missing(ctx context.Context, revision string) (string, error) {
	got := map[string]string{}
	values, err := f.tenants.List(ctx, configMap, "", valuesLabels)
	if err != nil {
		return "", err
	}
	for _, object := range values {
		if strings.Contains(live.String(object.Object, "data", "values.json"), `"`+revision+`"`) {
			got[object.GetNamespace()] = revision
		}
	}
	settings, err := f.tenants.List(ctx, configMap, "", nil)
	if err != nil {
		return "", err
	}
	for _, object := range settings {
		if object.GetName() == "settings" {
			got[object.GetNamespace()] = live.String(object.Object, "data", "revision")
		}
	}
	var charts, manifests int
	for _, name := range f.names {
		if got["agent-"+name] != revision {
			charts++
		}
		if got["team-"+name] != revision {
			manifests++
		}
	}
	if charts+manifests == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d releases and %d Kustomizations of %d tenants are behind", charts, manifests, len(f.names)), nil
}

// awaitSick waits until Flux has found that each sick tenant is sick.
func (f *fleet) awaitSick() {
	f.Helper()
	for _, name := range []string{"absent-1", "absent-2"} {
		f.await(Kustomization, namespace, "tenant-"+name+"."+name, Failed("health check failed"))
	}
	for _, name := range []string{"silent-1", "silent-2"} {
		f.await(Kustomization, "tenant-"+name, name+"-workloads", Failed("timeout"))
	}
	f.await(HelmRelease, "tenant-unready", "unready-network", existing(func(*live.Object) string { return "" }))
}
