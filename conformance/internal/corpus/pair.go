// Package corpus applies folders of manifests as their owners do, one state after another, while the real controllers work on them, and
// writes down what became of clusters, machines and releases. Many pairs are worked on side by side, each in namespaces of its own.
package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"conformance/internal/live"
	"conformance/internal/rollouts"
)

// Pair is two states of a folder.
type Pair struct {
	ID string `json:"id"`
	// Old and New are folders, or files.
	Old string `json:"old"`
	New string `json:"new"`
	// Targets are the folders in these that are applied, each in namespaces of its own as if to a management cluster of its own.
	Targets []string `json:"targets"`
	// Flux tells that Flux applies them, from a repository that has the folder.
	Flux bool `json:"flux"`
	// HelmProvider tells that Cluster API's add-on provider for Helm installs charts.
	HelmProvider bool `json:"helmProvider"`
	// ArgoCD tells that Argo CD applies them, from a repository that has the folder.
	ArgoCD bool `json:"argoCd"`
	// Now stands for the time at which the new state is applied.
	Now string `json:"now"`
}

// Outcome is what became of a pair.
type Outcome struct {
	ID    string `json:"id"`
	Error string `json:"error,omitempty"`
	// Refused are the objects of the new state that the server does not accept.
	Refused []Refusal `json:"refused,omitempty"`
	// Waits says what controllers did not reach.
	Waits    string             `json:"waits,omitempty"`
	Clusters map[string]Cluster `json:"clusters,omitempty"`
	// Releases say what became of releases of Helm, by namespace and name.
	Releases map[string]string `json:"releases,omitempty"`
	// Topologies are what the topology controller made, before and after.
	Topologies [2][]live.Object `json:"topologies"`
	Seconds    float64          `json:"seconds"`
}

// Refusal is what a server said to an object.
type Refusal struct {
	Object  string `json:"object"`
	Message string `json:"message"`
}

// Cluster is what became of a cluster.
type Cluster struct {
	// Change is created, removed, replaced or kept.
	Change       string                  `json:"change"`
	ControlPlane rollouts.Set            `json:"controlPlane"`
	Pools        map[string]rollouts.Set `json:"pools,omitempty"`
}

// namespaces are those of the manifests, of which each pair gets its own.
var namespaces = regexp.MustCompile(`\b(tenant-[a-z0-9]+|flux-system|kube-system|namespace: argocd)\b`)

// names tells the namespaces of one target of a pair from those of others.
type names struct{ suffix string }

func newNames(pair, target int) names { return names{fmt.Sprintf("-p%dt%d", pair, target)} }

func (n names) own(text string) string { return namespaces.ReplaceAllString(text, "${1}"+n.suffix) }

func (n names) written(text string) string { return strings.ReplaceAll(text, n.suffix, "") }

func (n names) has(namespace string) bool { return strings.HasSuffix(namespace, n.suffix) }

// copyFolder copies a folder, or a file into a folder, with texts replaced.
func copyFolder(from, to string, replace func(string) string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if relative == "." && !entry.IsDir() {
			target = filepath.Join(to, filepath.Base(from))
		}
		if entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, []byte(replace(string(content))), 0o600)
	})
}

// at writes the time of the apply in place of what stands for it.
func (p *Pair) at(text string, now time.Time) string {
	if p.Now == "" {
		return text
	}
	return strings.ReplaceAll(text, p.Now, now.UTC().Format(time.RFC3339))
}
