package gitops

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/live"
	"conformance/internal/process"
	"conformance/internal/programs"
)

// Kinds of Argo CD.
var (
	Application    = schema.GroupKind{Group: "argoproj.io", Kind: "Application"}
	ApplicationSet = schema.GroupKind{Group: "argoproj.io", Kind: "ApplicationSet"}
)

// refresh is the annotation that has Argo CD look at the source of an Application. It removes it afterwards.
const refresh = "argocd.argoproj.io/refresh"

// argoNamespace is where Argo CD runs.
const argoNamespace = "argocd"

// ArgoCDSettings are the objects that Argo CD needs (argoproj/argo-cd manifests/base). Applications of any namespace may deliver anywhere.
func ArgoCDSettings() []*live.Object {
	return []*live.Object{
		cluster.NewNamespace(argoNamespace),
		argoObject("v1", "ConfigMap", "argocd-cm", "data", map[string]any{"timeout.reconciliation": "60s", "timeout.reconciliation.jitter": "0s"}),
		argoObject("v1", "Secret", "argocd-secret", "stringData", map[string]any{"server.secretkey": "conformance"}),
		argoObject("argoproj.io/v1alpha1", "AppProject", "default", "spec", map[string]any{
			"sourceRepos": []any{"*"}, "sourceNamespaces": []any{"*"},
			"destinations":             []any{map[string]any{"namespace": "*", "server": "*"}},
			"clusterResourceWhitelist": []any{map[string]any{"group": "*", "kind": "*"}},
		}),
	}
}

func argoObject(apiVersion, kind, name, field string, content map[string]any) *live.Object {
	object := &live.Object{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, field: content}}
	object.SetName(name)
	object.SetNamespace(argoNamespace)
	object.SetLabels(map[string]string{"app.kubernetes.io/part-of": "argocd"})
	return object
}

// StartArgoCD runs the controllers of Argo CD for Applications and ApplicationSets, its server of manifests, and a store in place of Redis.
// The caller stops those that are returned, also with an error. Settings are not checked: they are those of ArgoCDSettings.
func StartArgoCD(ctx context.Context, setup Setup) (started []*process.Process, err error) {
	ports, err := process.FreePorts(7)
	if err != nil {
		return nil, err
	}
	at := func(i int) string { return net.JoinHostPort(setup.Address, strconv.Itoa(ports[i])) }
	temporary := filepath.Join(setup.Dir, programs.ArgoCD)
	if err := os.MkdirAll(temporary, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of Argo CD: %w", err)
	}
	// A script of the image of Argo CD, which is called for every commit: none is signed.
	if err := os.WriteFile(filepath.Join(temporary, "git-verify-wrapper.sh"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		return nil, fmt.Errorf("write a script of Argo CD: %w", err)
	}
	env := []string{
		"PATH=" + temporary + string(os.PathListSeparator) + os.Getenv("PATH"),
		"KUBECONFIG=" + setup.Kubeconfig, "ARGOCD_FAKE_IN_CLUSTER=true", "ARGOCD_GPG_ENABLED=false", "ARGOCD_TLS_DATA_PATH=" + temporary,
		"ARGOCD_SSH_DATA_PATH=" + temporary, "HOME=" + temporary, "TMPDIR=" + temporary,
	}
	anywhere := []string{"--kubeconfig=" + setup.Kubeconfig, "--namespace=" + argoNamespace}
	for _, program := range []struct {
		name string
		args []string
		// probe is the address that the program listens on when others may use it.
		probe string
	}{
		{"redis", []string{at(0)}, at(0)},
		{"argocd-repo-server", []string{
			"--address=" + setup.Address, fmt.Sprintf("--port=%d", ports[1]), "--metrics-address=" + setup.Address, fmt.Sprintf("--metrics-port=%d", ports[2]),
			"--redis=" + at(0), "--disable-tls", "--client-ca-path=",
		}, at(1)},
		{"argocd-application-controller", append([]string{
			"--repo-server=" + at(1), "--repo-server-plaintext", "--redis=" + at(0), fmt.Sprintf("--metrics-port=%d", ports[3]), "--application-namespaces=*",
		}, anywhere...), at(3)},
		{"argocd-applicationset-controller", append([]string{
			"--argocd-repo-server=" + at(1), "--repo-server-plaintext", "--metrics-addr=" + at(4), "--probe-addr=" + at(5), "--webhook-addr=" + at(6),
			"--applicationset-namespaces=*", "--enable-scm-providers=false", fmt.Sprintf("--enable-progressive-syncs=%t", setup.Progressive),
		}, anywhere...), at(5)},
	} {
		p, err := process.StartWith(env, program.name, setup.Dir, setup.Programs[programs.ArgoCD], append([]string{program.name}, program.args...)...)
		if err != nil {
			return started, err
		}
		started = append(started, p)
		if err := p.WaitReady(ctx, func(ctx context.Context) error {
			connection, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", program.probe)
			if err != nil {
				return err
			}
			return connection.Close()
		}); err != nil {
			return started, err
		}
	}
	return started, nil
}

// Refresh has Argo CD look at the source of an Application, as a webhook of a Git server does.
func Refresh(ctx context.Context, client *live.Client, application *live.Object) error {
	return client.Merge(ctx, application, map[string]any{"metadata": map[string]any{"annotations": map[string]any{refresh: "hard"}}})
}

// Synced is the state of an Application that has compared a revision of a repository, and has applied it if it syncs by itself.
func Synced(repository, revision string) State {
	return existing(func(object *live.Object) string {
		if _, isAsked := object.GetAnnotations()[refresh]; isAsked {
			return "it is being refreshed"
		}
		status := object.Object["status"]
		compared, _ := status.(map[string]any)
		if live.String(compared, "sync", "comparedTo", "source", "repoURL") == repository {
			if missing := expect("status.sync.revision", live.String(compared, "sync", "revision"), revision); missing != "" {
				return missing
			}
		}
		if phase := live.String(compared, "operationState", "phase"); phase == "Running" || phase == "Terminating" {
			return "its operation is " + phase + ": " + live.String(compared, "operationState", "message")
		}
		if !syncsByItself(object) {
			return ""
		}
		if found := live.String(compared, "sync", "status"); found != "Synced" {
			return "status.sync.status is " + found + ": " + live.String(compared, "operationState", "message")
		}
		return ""
	})
}

func syncsByItself(application *live.Object) bool {
	_, isAutomated := syncPolicy(application)["automated"]
	return isAutomated
}

func syncPolicy(application *live.Object) map[string]any {
	spec, _ := application.Object["spec"].(map[string]any)
	policy, _ := spec["syncPolicy"].(map[string]any)
	return policy
}

// SyncOptions returns the options of an Application, which a sync by hand has, too.
func SyncOptions(application *live.Object) []any {
	options, _ := syncPolicy(application)["syncOptions"].([]any)
	return options
}

// WaitsForFirstSync reports whether an Application does not sync by itself, was compared and was never synced.
func WaitsForFirstSync(application *live.Object) bool {
	status, _ := application.Object["status"].(map[string]any)
	_, isAsked := application.Object["operation"]
	return !syncsByItself(application) && !isAsked && live.String(status, "sync", "revision") != "" && status["operationState"] == nil
}
