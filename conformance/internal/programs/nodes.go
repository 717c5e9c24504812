package programs

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// nodesDirectory has the program that checks kubelet configurations, and a module file for each minor of Kubernetes but the newest, which is that of the servers.
const nodesDirectory = "nodes"

// NodeTools are the names of the programs of one minor of Kubernetes that make a node of a machine.
type NodeTools struct {
	// Kubeadm is kubeadm itself.
	Kubeadm string
	// Kubelet is the first part of the kubelet: it reads and validates flags and configuration.
	Kubelet string
}

// Names are the names of both.
func (n NodeTools) Names() []string { return []string{n.Kubeadm, n.Kubelet} }

// NodeTools returns the programs of the minor of a version, such as v1.36.3.
func (t *Table) NodeTools(version string) (NodeTools, error) {
	minor := minorOf(version)
	found := NodeTools{"kubeadm-" + minor, "kubelet-config-" + minor}
	for _, name := range found.Names() {
		if _, err := t.find(name); err != nil {
			return NodeTools{}, fmt.Errorf("nodes of Kubernetes %s: %w", version, err)
		}
	}
	return found, nil
}

// nodeRecipes returns how the programs of all minors are built.
func nodeRecipes(dir string) ([]recipe, error) {
	files, err := filepath.Glob(filepath.Join(dir, nodesDirectory, "*.*.mod"))
	if err != nil {
		return nil, err
	}
	modules := []string{filepath.Join("..", "servers", "go.mod")}
	for _, file := range files {
		modules = append(modules, filepath.Base(file))
	}
	slices.Sort(modules)
	var recipes []recipe
	for _, module := range modules {
		goMod := filepath.Join(nodesDirectory, module)
		version, err := requiredVersion(filepath.Join(dir, goMod), kubernetes)
		if err != nil {
			return nil, err
		}
		base := recipe{
			Version: version, Directory: nodesDirectory, Flags: []string{"-modfile=" + module}, LinkerFlags: kubernetesVersionFlags(version),
			Inputs: []string{goMod, strings.TrimSuffix(goMod, ".mod") + ".sum"},
		}
		kubeadm, kubelet := base, base
		kubeadm.Name, kubeadm.Package = "kubeadm-"+minorOf(version), kubernetes+"/cmd/kubeadm"
		kubelet.Name, kubelet.Package = "kubelet-config-"+minorOf(version), "."
		kubelet.Inputs = append(slices.Clone(base.Inputs), filepath.Join(nodesDirectory, "main.go"))
		recipes = append(recipes, kubeadm, kubelet)
	}
	return recipes, nil
}

// minorOf returns 1.36 of v1.36.3.
func minorOf(version string) string {
	numbers := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	return strings.Join(numbers[:min(2, len(numbers))], ".")
}
