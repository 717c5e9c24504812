package programs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Table is what can be built: the programs of upstream sources, and the tools of the modules servers, sidecars, renderers and alerts.
type Table struct {
	// dir is the directory of the module conformance.
	dir     string
	recipes []recipe
	// nodes are the programs of machines, two for each minor of Kubernetes, and what only tests and pairs of manifests run.
	nodes []recipe
}

// recipe is how a program is built. All its fields are part of the key of the executable.
type recipe struct {
	Name, Version string
	// Directory has the Go module, seen from the directory of the table.
	Directory string
	Package   string
	// Flags are flags of `go build`, and LinkerFlags those of the linker.
	Flags       []string
	LinkerFlags string
	// Edits are flags of `go mod edit` for a copy of go.mod.
	Edits []string
	// Changes are texts in the files of the sources that were replaced, or of a copy of Dependency, where that is set.
	Changes    []Change `json:",omitempty"`
	Dependency string   `json:",omitempty"`
	// Sources are the upstream sources that must be unpacked.
	Sources []unpacked
	// Inputs are the files, seen from the directory of the table, on which the executable depends as well.
	Inputs []string
}

// unpacked are upstream sources in the directory upstream.
type unpacked struct{ Name, Commit string }

// source is an entry of sources.json; scripts/conformance/upstream.ts reads where its files are from.
type source struct {
	Name, Version, Commit string
	Added                 struct{ From string }
	// Changes are texts in files that scripts/conformance/upstream.ts replaces.
	Changes            []Change
	Needs              []string
	Directory, Package string
	Flags, Edits       []string
}

// tool is a program of a module of the Go module proxy.
type tool struct{ name, directory, module, pkg string }

const kubernetes = "k8s.io/kubernetes"

var tools = []tool{
	{"etcd", "servers", "go.etcd.io/etcd/server/v3", ""},
	{"kube-apiserver", "servers", kubernetes, "/cmd/kube-apiserver"},
	{"kube-controller-manager", "servers", kubernetes, "/cmd/kube-controller-manager"},
	{"kube-scheduler", "servers", kubernetes, "/cmd/kube-scheduler"},
	{"csi-attacher", "sidecars", "github.com/kubernetes-csi/external-attacher/v4", "/cmd/csi-attacher"},
	{"csi-provisioner", "sidecars", "github.com/kubernetes-csi/external-provisioner/v6", "/cmd/csi-provisioner"},
	{"csi-resizer", "sidecars", "github.com/kubernetes-csi/external-resizer/v2", "/cmd/csi-resizer"},
	{"csi-snapshotter", "sidecars", "github.com/kubernetes-csi/external-snapshotter/v8", "/cmd/csi-snapshotter"},
	{"snapshot-controller", "sidecars", "github.com/kubernetes-csi/external-snapshotter/v8", "/cmd/snapshot-controller"},
}

// ArgoCD is the name of the program with the controllers of Argo CD.
const ArgoCD = "argocd"

// argoCD is the program of the module argocd. Upstream's controller serves its metrics on all addresses of a machine.
func argoCD(dir string) (recipe, error) {
	const module = "github.com/argoproj/argo-cd/v3"
	version, err := requiredVersion(filepath.Join(dir, ArgoCD, "go.mod"), module)
	return recipe{
		Name: ArgoCD, Version: version, Directory: ArgoCD, Package: ".", Dependency: module,
		Changes: []Change{{File: "controller/appcontroller.go", From: "0.0.0.0:%d", To: "127.0.0.1:%d"}},
		Inputs:  []string{filepath.Join(ArgoCD, "go.mod"), filepath.Join(ArgoCD, "go.sum"), filepath.Join(ArgoCD, "main.go")},
	}, err
}

// renderers are what tests of the command line build and render with; no cluster runs them.
var renderers = []tool{
	{"helm", "renderers", "helm.sh/helm/v4", "/cmd/helm"},
	{"kustomize", "renderers", "sigs.k8s.io/kustomize/kustomize/v5", ""},
}

// promtool checks and tests the rules of Prometheus. The discovery of targets is left out: it needs the clients of all clouds.
var promtool = tool{"promtool", "alerts", "github.com/prometheus/prometheus", "/cmd/promtool"}

// wholeKubelet is what a test compares the program in nodes with.
var wholeKubelet = tool{"kubelet", "servers", kubernetes, "/cmd/kubelet"}

// Read reads the table of the module conformance, whose directory is dir.
func Read(dir string) (*Table, error) {
	path := filepath.Join(dir, "sources.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the table of sources: %w", err)
	}
	var sources []source
	if err := json.Unmarshal(text, &sources); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	table := &Table{dir: dir}
	for _, s := range sources {
		recipe, err := s.recipe(sources)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		table.recipes = append(table.recipes, recipe)
	}
	for _, tool := range tools {
		recipe, err := tool.recipe(dir)
		if err != nil {
			return nil, err
		}
		table.recipes = append(table.recipes, recipe)
	}
	if table.nodes, err = nodeRecipes(dir); err != nil {
		return nil, err
	}
	argo, err := argoCD(dir)
	if err != nil {
		return nil, err
	}
	table.nodes = append(table.nodes, argo)
	for _, tool := range append(renderers, wholeKubelet, promtool) {
		recipe, err := tool.recipe(dir)
		if err != nil {
			return nil, err
		}
		table.nodes = append(table.nodes, recipe)
	}
	return table, nil
}

// Names returns the names of all programs that can be built, without those of machines.
func (t *Table) Names() []string {
	names := make([]string, len(t.recipes))
	for i, recipe := range t.recipes {
		names[i] = recipe.Name
	}
	return names
}

// Version returns the version of a program.
func (t *Table) Version(name string) (string, error) {
	found, err := t.find(name)
	return found.Version, err
}

// find returns the recipe of a program.
func (t *Table) find(name string) (recipe, error) {
	all := slices.Concat(t.recipes, t.nodes)
	i := slices.IndexFunc(all, func(r recipe) bool { return r.Name == name })
	if i < 0 {
		return recipe{}, fmt.Errorf("no program %q can be built; known are %s", name, strings.Join(t.Names(), ", "))
	}
	return all[i], nil
}

func (s source) recipe(all []source) (recipe, error) {
	result := recipe{
		Name: s.Name, Version: s.Version,
		Directory: filepath.Join("upstream", s.Name, s.Directory), Package: s.Package,
		Flags: s.Flags, Edits: s.Edits, Changes: s.Changes,
	}
	for _, name := range append([]string{s.Name}, s.Needs...) {
		i := slices.IndexFunc(all, func(other source) bool { return other.Name == name })
		if i < 0 {
			return recipe{}, fmt.Errorf("%s needs the sources %q, which are not in the file", s.Name, name)
		}
		result.Sources = append(result.Sources, unpacked{name, all[i].Commit})
		if from := all[i].Added.From; from != "" {
			result.Inputs = append(result.Inputs, from)
		}
	}
	return result, nil
}

func (t tool) recipe(dir string) (recipe, error) {
	goMod, goSum := filepath.Join(t.directory, "go.mod"), filepath.Join(t.directory, "go.sum")
	version, err := requiredVersion(filepath.Join(dir, goMod), t.module)
	if err != nil {
		return recipe{}, err
	}
	result := recipe{Name: t.name, Version: version, Directory: t.directory, Package: t.module + t.pkg, Inputs: []string{goMod, goSum}}
	if t == promtool {
		result.Flags = []string{"-tags=remove_all_sd"}
	}
	if t.module == kubernetes {
		result.LinkerFlags = kubernetesVersionFlags(version)
	}
	return result, nil
}

// requiredVersion returns the version of a module that a go.mod file requires.
func requiredVersion(goMod, module string) (string, error) {
	text, err := os.ReadFile(goMod)
	if err != nil {
		return "", fmt.Errorf("read the version of %s: %w", module, err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == module {
			return fields[1], nil
		}
	}
	return "", fmt.Errorf("%s does not require %s: add it with `go get -tool`", goMod, module)
}

// kubernetesVersionFlags set the version that programs of Kubernetes tell, without which they are v0.0.0: kubeadm and charts go by it.
// The variables are those of hack/lib/version.sh in kubernetes/kubernetes.
func kubernetesVersionFlags(version string) string {
	numbers := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	var flags []string
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags = append(flags, "-X "+pkg+".gitVersion="+version, "-X "+pkg+".gitMajor="+numbers[0], "-X "+pkg+".gitMinor="+numbers[1])
	}
	return strings.Join(flags, " ")
}
