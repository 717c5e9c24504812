package gitops

import (
	"context"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"conformance/internal/cluster"
	"conformance/internal/controlplane"
	"conformance/internal/live"
)

// awaitLimit is how long a state may take: the time that Flux waits until it tries again, and some of a busy machine.
const awaitLimit = 90 * time.Second

// tenantObjects are those that other controllers make. The Secret gets a kubeconfig.
const tenantObjects = `
{apiVersion: v1, kind: Namespace, metadata: {name: tenant-acme}}
---
{apiVersion: v1, kind: Secret, metadata: {name: acme-admin-kubeconfig, namespace: tenant-acme}}
`

// flux is a running Flux with all it needs.
type flux struct {
	*testing.T
	client     *live.Client
	config     *rest.Config
	charts     *Charts
	repository *Repository
	port       string
}

// startFlux starts an API server and the controllers. It skips the test without their executables.
func startFlux(t *testing.T) *flux {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers")
	}
	setup := Setup{Programs: executables(t), Dir: t.TempDir(), Address: "127.0.0.1"}
	server := startServer(t)
	client, err := live.NewClient(server.Config, "test")
	if err != nil {
		t.Fatal(err)
	}
	f := &flux{T: t, client: client, config: server.Config}
	f.prepare(server)
	setup.Kubeconfig, setup.Authorities = server.Kubeconfig, filepath.Join(setup.Dir, "authorities.crt")
	write(t, setup.Dir, "authorities.crt", string(server.PKI.CA))
	started := time.Now()
	processes, err := Start(t.Context(), setup)
	for _, p := range processes {
		t.Cleanup(p.Stop)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the controllers are ready after %s", time.Since(started))
	for _, object := range f.repository.Sync() {
		f.ensure(object)
	}
	return f
}

// startServer starts an API server. It skips the test without its executables.
func startServer(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	bin, err := filepath.Abs("../../bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"etcd", "kube-apiserver"} {
		if _, err := os.Stat(filepath.Join(bin, name)); err != nil {
			t.Skip("run the program once, so that there are executables: ", err)
		}
	}
	server, err := controlplane.Start(t.Context(), bin, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

// prepare creates what the controllers look for, and serves the repository and the charts.
func (f *flux) prepare(server *controlplane.ControlPlane) {
	f.Helper()
	definitions, err := Definitions(nil, "../../upstream")
	if err != nil {
		f.Skip("run the program once, so that there are sources: ", err)
	}
	creator, err := cluster.NewClient(server.Config)
	if err != nil {
		f.Fatal(err)
	}
	if err := creator.CreateDefinitions(f.Context(), definitions); err != nil {
		f.Fatal(err)
	}
	kubeconfig, err := os.ReadFile(server.Kubeconfig)
	if err != nil {
		f.Fatal(err)
	}
	f.ensure(Namespace())
	for _, object := range parse(f.T, tenantObjects) {
		if object.GetKind() == "Secret" {
			object.Object["stringData"] = map[string]any{"super-admin.svc": string(kubeconfig)}
		}
		f.ensure(object)
	}
	f.repository = newRepository(f.T)
	if _, f.port, err = net.SplitHostPort(freeAddress(f.T)); err != nil {
		f.Fatal(err)
	}
	upgraded := f.releases("version: 1.20.0", "version: 1.21.0")
	if f.charts, err = NewCharts(append(f.releases(), upgraded...), snapshotDefinitions(f.T)); err != nil {
		f.Fatal(err)
	}
	charts, err := f.charts.Serve("127.0.0.1", server.PKI)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = charts.Close() })
}

// releases returns the objects of the page that ask for charts, with texts replaced.
func (f *flux) releases(replacements ...string) []*live.Object {
	f.Helper()
	text, err := os.ReadFile("testdata/page/clusters/acme/releases.yaml")
	if err != nil {
		f.Fatal(err)
	}
	return parse(f.T, f.replacer(replacements).Replace(string(text)))
}

func (f *flux) replacer(replacements []string) *strings.Replacer {
	return strings.NewReplacer(append([]string{"PORT", f.port}, replacements...)...)
}

// commit commits the page, with texts replaced, and lets Flux know.
func (f *flux) commit(message string, replacements ...string) (revision string) {
	f.Helper()
	folder, page := f.TempDir(), os.DirFS("testdata/page")
	if err := fs.WalkDir(page, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(page, path)
		write(f.T, folder, path, f.replacer(replacements).Replace(string(content)))
		return err
	}); err != nil {
		f.Fatal(err)
	}
	revision, err := f.repository.Commit(f.Context(), folder, message)
	if err != nil {
		f.Fatal(err)
	}
	if err := Reconcile(f.Context(), f.client, f.repository.Sync()[0]); err != nil {
		f.Fatal(err)
	}
	return revision
}

func (f *flux) ensure(object *live.Object) {
	f.Helper()
	if err := f.client.Ensure(f.Context(), object); err != nil {
		f.Fatal(err)
	}
}

func (f *flux) await(kind schema.GroupKind, namespace, name string, state State) {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), awaitLimit)
	defer cancel()
	started := time.Now()
	if err := Await(ctx, f.client, kind, namespace, name, state); err != nil {
		f.Fatal(err)
	}
	f.Logf("%s %s/%s after %.1f s", kind.Kind, namespace, name, time.Since(started).Seconds())
}

// wantValue compares a value of a release.
func (f *flux) wantValue(namespace, release, want string, path ...string) {
	f.Helper()
	values, err := Values(f.Context(), f.client, namespace, release)
	if err != nil {
		f.Fatal(err)
	}
	if got, _, _ := unstructured.NestedString(values, path...); got != want {
		f.Errorf("release %s has the value %q at %s, want %q", release, got, strings.Join(path, "."), want)
	}
}
