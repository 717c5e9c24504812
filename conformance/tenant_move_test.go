package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"conformance/internal/admission"
	"conformance/internal/cluster"
	"conformance/internal/controllers"
	"conformance/internal/controlplane"
	"conformance/internal/definitions"
	"conformance/internal/live"
	"conformance/internal/manifest"
	"conformance/internal/programs"
)

const (
	// movedNamespace and movedName are the cluster that moves, of the pair dev-page-machines.
	movedNamespace, movedName = "tenant-trial", "trial"
	// movedMachines is how many machines it has.
	movedMachines = 3
	// moveLimit is how long controllers may take for a state.
	moveLimit = 3 * time.Minute
	// quietAfterMove is how long nothing may happen to machines after the move, while all controllers run.
	quietAfterMove = 20 * time.Second
	// movingTool is the name under which the tool of the repository writes fields.
	movingTool = "kustomize-controller"
)

var devMachineKind = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "DevMachine"}

// hall is a management cluster with its own etcd, API server, webhooks and controllers.
type hall struct {
	name   string
	server *controlplane.ControlPlane
	client *live.Client
}

// TestTenantMoves moves a tenant between two management clusters by the command that `cdk8s-cluster-api move` prints, with the real clusterctl. The
// infrastructure is that of the former development provider, which runs on: its API server has the nodes, as machines elsewhere would.
func TestTenantMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	requireExecutables(t)
	clusterctl := buildClusterctl(t)
	from, to := startHall(t, "hall-a"), startHall(t, "hall-b")
	documents, err := manifest.ReadFile(filepath.Join("plan", "dev-page-machines", "old.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := from.client.Ensure(t.Context(), cluster.NewNamespace(movedNamespace)); err != nil {
		t.Fatal(err)
	}
	from.deliver(t, documents)
	from.awaitMachines(t)
	for _, name := range []string{"labelled", "forgotten"} {
		secret := parseObject(t, fmt.Sprintf(`{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": %q, "namespace": %q}, "stringData": {"key": "value"}}`, name, movedNamespace))
		if name == "labelled" {
			secret.SetLabels(map[string]string{"clusterctl.cluster.x-k8s.io/move": ""})
		}
		if err := from.client.Ensure(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
	}
	machines, authority := from.machines(t), from.authority(t)

	move := func() (string, error) { return runClusterctl(t, clusterctl, from, to) }
	from.pause(t, true)
	if output, err := move(); err == nil || !strings.Contains(output, "paused") {
		t.Errorf("a paused cluster moves: %v\n%s", err, output)
	}
	from.pause(t, nil)
	if output, err := move(); err != nil {
		t.Fatalf("clusterctl move: %v\n%s", err, output)
	}

	for _, kind := range []schema.GroupKind{live.Cluster, live.Machine, live.MachineDeployment, live.KubeadmControlPlane, live.DevCluster, devMachineKind} {
		left, err := from.client.List(t.Context(), kind, movedNamespace, nil)
		if err != nil || len(left) > 0 {
			t.Errorf("%d objects of %s are left in %s: %v", len(left), kind.Kind, from.name, err)
		}
	}
	for name, want := range map[string]bool{"labelled": true, "forgotten": false} {
		found, err := to.client.Get(t.Context(), live.Secret, movedNamespace, name)
		if err != nil || (found != nil) != want {
			t.Errorf("the Secret %s is in %s: %t, and should be: %t, %v", name, to.name, found != nil, want, err)
		}
	}
	to.awaitMachines(t)
	if got := to.authority(t); got != authority {
		t.Error("the authority of the cluster is another one")
	}
	to.deliverAgain(t, documents)
	for end := time.Now().Add(quietAfterMove); time.Now().Before(end); time.Sleep(time.Second) {
		if got := to.machines(t); !maps.Equal(got, machines) {
			t.Fatalf("machines are %v, and were %v", got, machines)
		}
	}
}

// buildClusterctl builds clusterctl, in the release of the controllers.
func buildClusterctl(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "clusterctl")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-C", "move", "-o", out, "sigs.k8s.io/cluster-api/cmd/clusterctl").CombinedOutput(); err != nil {
		t.Fatalf("build clusterctl: %v\n%s", err, output)
	}
	return out
}

func startHall(t *testing.T, name string) *hall {
	t.Helper()
	bin, err := filepath.Abs("bin")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	server, err := controlplane.Start(t.Context(), bin, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	createMoveDefinitions(t, server)
	objects, err := cluster.NewClient(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	for _, provider := range []admission.Provider{admission.Providers()[0], admission.Development()} {
		module, _, err := programs.Module(t.Context(), filepath.Join("webhooks", provider.Name), provider.Module)
		if err != nil {
			t.Fatal(err)
		}
		webhooks, err := admission.Start(t.Context(), provider, module, bin, dir, server, objects)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(webhooks.Stop)
	}
	tenants, err := controllers.Tenants()
	if err != nil {
		t.Fatal(err)
	}
	// The last one is the development provider; the others play what this cluster has not.
	started, err := controllers.Start(t.Context(), &controllers.Setup{ControlPlane: server, BinDir: bin, Dir: dir}, tenants[len(tenants)-1])
	t.Cleanup(func() { controllers.Stop(started) })
	if err != nil {
		t.Fatal(err)
	}
	client, err := live.NewClient(server.Config, movingTool)
	if err != nil {
		t.Fatal(err)
	}
	return &hall{name: name, server: server, client: client}
}

// createMoveDefinitions creates the definitions of the cluster's kinds as clusterctl and the Cluster API Operator do: with the label that they look for.
func createMoveDefinitions(t *testing.T, server *controlplane.ControlPlane) {
	t.Helper()
	known, err := definitions.Find((&options{dir: "."}).places())
	if err != nil {
		t.Skip(err)
	}
	provider := admission.Development()
	module, _, err := programs.Module(t.Context(), filepath.Join("webhooks", provider.Name), provider.Module)
	if err != nil {
		t.Fatal(err)
	}
	if err := known.Replace(filepath.Join(module, provider.Definitions), provider.Labels); err != nil {
		t.Fatal(err)
	}
	wanted := slices.DeleteFunc(known.Definitions, func(definition *unstructured.Unstructured) bool {
		return !strings.HasSuffix(live.String(definition.Object, "spec", "group"), "cluster.x-k8s.io")
	})
	for _, definition := range wanted {
		labels := definition.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels["clusterctl.cluster.x-k8s.io"] = ""
		definition.SetLabels(labels)
	}
	client, err := cluster.NewClient(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.CreateDefinitions(t.Context(), wanted); err != nil {
		t.Fatal(err)
	}
}

// runClusterctl runs the command that src/manifests/move/move-steps.ts prints.
func runClusterctl(t *testing.T, program string, from, to *hall) (string, error) {
	t.Helper()
	config := api.NewConfig()
	for _, h := range []*hall{from, to} {
		one, err := clientcmd.LoadFromFile(h.server.Kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		config.Clusters[h.name] = &api.Cluster{Server: released(t, h.server), InsecureSkipTLSVerify: true}
		config.AuthInfos[h.name] = one.AuthInfos[one.Contexts[one.CurrentContext].AuthInfo]
		config.Contexts[h.name] = &api.Context{Cluster: h.name, AuthInfo: h.name}
	}
	home := t.TempDir()
	path := filepath.Join(home, "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "move",
		"--kubeconfig-context", from.name, "--to-kubeconfig", path, "--to-kubeconfig-context", to.name, "--namespace", movedNamespace)
	command.Env = append(os.Environ(), "KUBECONFIG="+path, "HOME="+home, "XDG_CONFIG_HOME="+home, "CLUSTERCTL_DISABLE_VERSIONCHECK=true")
	output, err := command.CombinedOutput()
	return string(output), err
}

// released serves an API server that was built without its version, which clusterctl reads, with one.
func released(t *testing.T, server *controlplane.ControlPlane) string {
	t.Helper()
	target, err := url.Parse(server.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	if proxy.Transport, err = rest.TransportFor(&rest.Config{TLSClientConfig: server.Config.TLSClientConfig}); err != nil {
		t.Fatal(err)
	}
	front := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/version" {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"major": "1", "minor": "36", "gitVersion": "v1.36.0"}`)
			return
		}
		proxy.ServeHTTP(w, request)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

func (h *hall) deliver(t *testing.T, documents []manifest.Document) map[string]int64 {
	t.Helper()
	generations := map[string]int64{}
	for _, document := range documents {
		stored, err := h.client.Apply(t.Context(), document.Object)
		if err != nil {
			t.Fatalf("%s: %v", h.name, err)
		}
		generations[stored.GetKind()+"/"+stored.GetName()] = stored.GetGeneration()
	}
	return generations
}

// deliverAgain applies what the repository has, which the cluster has brought along already.
func (h *hall) deliverAgain(t *testing.T, documents []manifest.Document) {
	t.Helper()
	for _, document := range documents {
		gvk := document.Object.GroupVersionKind().GroupKind()
		before, err := h.client.Get(t.Context(), gvk, document.Object.GetNamespace(), document.Object.GetName())
		if err != nil {
			t.Fatal(err)
		}
		if before == nil {
			t.Errorf("%s %s has not moved", gvk.Kind, document.Object.GetName())
			continue
		}
		after, err := h.client.Apply(t.Context(), document.Object)
		if err != nil {
			t.Fatal(err)
		}
		if before.GetGeneration() != after.GetGeneration() {
			t.Errorf("the delivery changes %s %s", gvk.Kind, document.Object.GetName())
		}
	}
}

func (h *hall) pause(t *testing.T, value any) {
	t.Helper()
	found, err := h.client.Get(t.Context(), live.Cluster, movedNamespace, movedName)
	if err != nil || found == nil {
		t.Fatalf("%s: no Cluster: %v", h.name, err)
	}
	if err := h.client.Merge(t.Context(), found, map[string]any{"spec": map[string]any{"paused": value}}); err != nil {
		t.Fatal(err)
	}
}

// machines returns the machines with what stands for them: the machine of the infrastructure, and the node.
func (h *hall) machines(t *testing.T) map[string]string {
	t.Helper()
	list, err := h.client.List(t.Context(), live.Machine, movedNamespace, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for i := range list {
		machine := list[i].Object
		found[list[i].GetName()] = live.String(machine, "spec", "providerID") + " " + live.String(machine, "spec", "infrastructureRef", "name") + " " +
			live.String(machine, "status", "nodeRef", "name")
	}
	return found
}

// awaitMachines waits until the cluster has all its machines, each with its node.
func (h *hall) awaitMachines(t *testing.T) {
	t.Helper()
	state := ""
	for end := time.Now().Add(moveLimit); time.Now().Before(end); time.Sleep(time.Second) {
		found, err := h.client.Get(t.Context(), live.Cluster, movedNamespace, movedName)
		if err != nil {
			t.Fatal(err)
		}
		machines := h.machines(t)
		ready := found != nil && live.Bool(found.Object, "status", "initialization", "controlPlaneInitialized") &&
			live.Bool(found.Object, "status", "initialization", "infrastructureProvisioned")
		for _, words := range machines {
			ready = ready && !strings.HasSuffix(words, " ") && !strings.HasPrefix(words, " ")
		}
		if ready && len(machines) == movedMachines {
			return
		}
		state = fmt.Sprint(machines)
		if found != nil {
			state += "\n" + live.Describe(found)
		}
	}
	t.Fatalf("%s does not get its machines: %s", h.name, state)
}

// authority returns the certificate of the cluster's authority.
func (h *hall) authority(t *testing.T) string {
	t.Helper()
	secret, err := h.client.Get(t.Context(), live.Secret, movedNamespace, movedName+"-ca")
	if err != nil || secret == nil {
		t.Fatalf("%s: no authority: %v", h.name, err)
	}
	content, err := live.SecretData(secret, "tls.crt")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
