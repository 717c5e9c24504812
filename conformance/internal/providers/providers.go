// Package providers lets the real Cluster API Operator install the providers of pages, from manifests that are built from upstream's sources.
package providers

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"conformance/internal/admission"
	"conformance/internal/cluster"
	"conformance/internal/controlplane"
	"conformance/internal/live"
	"conformance/internal/manifest"
)

const (
	// Operator is the name of the executable.
	Operator = "cluster-api-operator"
	group    = "operator.cluster.x-k8s.io"
	// limit is enough for all providers of a page: those that are not the core one are tried again until that is ready.
	limit    = 3 * time.Minute
	interval = 500 * time.Millisecond
)

// Setup is what a run needs. The API server has all definitions.
type Setup struct {
	ControlPlane *controlplane.ControlPlane
	BinDir, Dir  string
	// Module is the directory of the operator's Go module.
	Module string
	// Sources are those of the providers, by project.
	Sources map[string]Sources
	Out     io.Writer
}

// Run lets the operator install the providers of files, one file after the other into the same cluster: what the next one has in other words is a change.
func Run(ctx context.Context, setup *Setup, files []string) error {
	creator, err := cluster.NewClient(setup.ControlPlane.Config)
	if err != nil {
		return err
	}
	client, err := live.NewClient(setup.ControlPlane.Config, "conformance")
	if err != nil {
		return err
	}
	// The arguments of its chart, less election, metrics, probes and profiles, which are those of a pod.
	operator, err := admission.Start(ctx, admission.Provider{
		Name: Operator, Configurations: []string{"config/webhook/manifests.yaml"},
		Args: []string{"--v=2", "--diagnostics-address=0", "--health-addr=0", "--profiler-address="},
	}, setup.Module, setup.BinDir, setup.Dir, setup.ControlPlane, creator)
	if err != nil {
		return err
	}
	defer operator.Stop()
	for _, file := range files {
		if err := (&installation{Setup: setup, client: client}).install(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// installation is that of the providers of one page.
type installation struct {
	*Setup
	client    *live.Client
	providers []*live.Object
}

func (i *installation) install(ctx context.Context, file string) error {
	documents, err := manifest.ReadFile(file)
	if err != nil {
		return err
	}
	for _, document := range documents {
		object := document.Object
		if object.GroupVersionKind().Group == group {
			i.providers = append(i.providers, object)
		}
	}
	if len(i.providers) == 0 {
		return fmt.Errorf("%s has no providers", file)
	}
	fmt.Fprintln(i.Out, file)
	for _, provider := range i.providers {
		if err := i.add(ctx, provider); err != nil {
			return err
		}
	}
	if missing := i.await(ctx); missing != "" {
		return fmt.Errorf("the Cluster API Operator does not install what is written, after %s:\n    %s", limit, missing)
	}
	fmt.Fprintf(i.Out, "  %d providers are installed in the version, with the options and arguments that are written.\n", len(i.providers))
	return nil
}

// add applies a provider, after what is there before it: its Namespace, the Secret with variables, and the manifests of its release.
func (i *installation) add(ctx context.Context, provider *live.Object) error {
	before := []*live.Object{cluster.NewNamespace(provider.GetNamespace())}
	if secret := live.Strings(provider.Object, "spec", "configSecret"); secret["name"] != "" {
		variables := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "Secret"}}
		variables.SetName(secret["name"])
		variables.SetNamespace(secret["namespace"])
		before = append(before, cluster.NewNamespace(secret["namespace"]), variables)
	}
	manifests, err := downloaded(provider, i.Sources)
	if err != nil {
		return err
	}
	for _, object := range append(before, manifests) {
		if err := i.client.Ensure(ctx, object); err != nil {
			return err
		}
	}
	_, err = i.client.Overwrite(ctx, provider)
	return err
}

// await waits until all providers are as they are written, and returns what is missing at last.
func (i *installation) await(ctx context.Context) (missing string) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		found, err := i.look(ctx)
		if err == nil && len(found) == 0 {
			return ""
		}
		// At the limit, the last look ends early.
		if ctx.Err() == nil {
			missing = strings.Join(found, "\n    ")
			if err != nil {
				missing = err.Error()
			}
		}
		select {
		case <-ctx.Done():
			return missing
		case <-time.After(interval):
		}
	}
}

// look plays the controllers that make Deployments available, and returns what is missing.
func (i *installation) look(ctx context.Context) (missing []string, err error) {
	for _, wanted := range i.providers {
		provider, err := i.client.Get(ctx, wanted.GroupVersionKind().GroupKind(), wanted.GetNamespace(), wanted.GetName())
		if err != nil || provider == nil {
			return []string{"there is no " + wanted.GetName()}, err
		}
		name := wanted.GetKind() + " " + wanted.GetName()
		if version := live.String(wanted.Object, "spec", "version"); live.String(provider.Object, "status", "installedVersion") != version {
			missing = append(missing, fmt.Sprintf("%s is not installed in version %s: %s", name, version, live.Describe(provider)))
			continue
		}
		deployment, err := i.deployment(ctx, provider)
		if err != nil || deployment == nil {
			return []string{name + " has no Deployment"}, err
		}
		for _, fault := range compare(wanted, deployment) {
			missing = append(missing, name+": "+fault)
		}
		if live.MissingCondition(provider, "Ready") != "" {
			missing = append(missing, live.Describe(provider))
		}
	}
	return missing, nil
}

// deployment returns the Deployment of a provider, which it makes available.
func (i *installation) deployment(ctx context.Context, provider *live.Object) (*live.Object, error) {
	all, err := i.client.List(ctx, live.Deployment, provider.GetNamespace(), nil)
	if err != nil {
		return nil, err
	}
	for index := range all {
		deployment := &all[index]
		if !live.HasOwner(deployment, provider.GetKind()) {
			continue
		}
		if live.MissingCondition(deployment, "Available") == "" {
			return deployment, nil
		}
		now := time.Now().UTC().Format(time.RFC3339)
		return deployment, i.client.Merge(ctx, deployment, map[string]any{"status": map[string]any{"conditions": []any{map[string]any{
			"type": "Available", "status": "True", "reason": "Played", "message": "", "lastUpdateTime": now, "lastTransitionTime": now,
		}}}}, "status")
	}
	return nil, nil
}
