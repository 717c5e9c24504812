// Package controllers runs the controllers of Cluster API and of Kubernetes, and of what else makes machines.
package controllers

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"path/filepath"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/controlplane"
	"conformance/internal/live"
	"conformance/internal/process"
)

// definition is the kind of definitions of kinds.
var definition = schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}

// providerLabel names the provider that a definition comes from.
const providerLabel = "cluster.x-k8s.io/provider"

// Setup is what controllers need.
type Setup struct {
	// ControlPlane is the API server, with the definitions and webhooks of the providers.
	ControlPlane *controlplane.ControlPlane
	// BinDir has the executables.
	BinDir string
	// Dir is for logs and temporary files.
	Dir string
}

// Program is an executable with controllers, and its arguments.
type Program struct {
	Name string
	Args []string
}

// Tenants are the programs with which tenants live in memory: what is played, and Cluster API's development provider.
func Tenants() ([]Program, error) {
	port, err := tenantPorts()
	if err != nil {
		return nil, err
	}
	return []Program{{Name: "tenants"}, {Name: "dev", Args: []string{"--controllers", fmt.Sprintf("--tenant-ports=%d", port)}}}, nil
}

// Ports below those that the kernel gives connections. A run listens on the first of its ports as long as it lasts.
const firstPort, lastPort, portsOfRun = 20000, 32000, 500

// tenantPorts returns the first of the ports for the tenants of a run, which no other run has.
func tenantPorts() (int, error) {
	for port := firstPort; port < lastPort; port += portsOfRun {
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		return port, listener.Close()
	}
	return 0, fmt.Errorf("no port from %d to %d is free for tenants", firstPort, lastPort)
}

// Start runs the controllers of Cluster API and of Kubernetes, and other programs.
// The caller stops those that are returned, also with an error.
func Start(ctx context.Context, setup *Setup, others ...Program) (started []*process.Process, err error) {
	ports, err := process.FreePorts(1)
	if err != nil {
		return nil, err
	}
	for _, program := range append([]Program{
		{"clusterapi", []string{
			"--controllers",
			"--feature-gates=ClusterTopology=true,MachinePool=true,MachineTaintPropagation=true",
			fmt.Sprintf("--webhook-port=%d", ports[0]),
			"--webhook-cert-dir=" + setup.ControlPlane.PKI.Dir,
		}},
	}, others...) {
		p, err := process.Start("controllers-"+program.Name, setup.Dir, filepath.Join(setup.BinDir, program.Name),
			append([]string{"--kubeconfig=" + setup.ControlPlane.Kubeconfig}, program.Args...)...)
		if err != nil {
			return started, err
		}
		started = append(started, p)
	}
	if !setup.ControlPlane.IsMachine() {
		manager, err := setup.ControlPlane.StartControllerManager(setup.BinDir, setup.Dir)
		if err != nil {
			return started, err
		}
		started = append(started, manager)
	}
	return started, convertBy(ctx, setup, started[0], fmt.Sprintf("127.0.0.1:%d", ports[0]))
}

// convertBy lets a program convert the versions of Cluster API's kinds: the KubeVirt provider reads an older one than is stored.
func convertBy(ctx context.Context, setup *Setup, converter *process.Process, address string) error {
	dialer := &tls.Dialer{Config: setup.ControlPlane.PKI.TLSConfig()}
	if err := converter.WaitReady(ctx, func(ctx context.Context) error {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		return conn.Close()
	}); err != nil {
		return err
	}
	client, err := live.NewClient(setup.ControlPlane.Config, "conformance")
	if err != nil {
		return err
	}
	conversion := map[string]any{"spec": map[string]any{"conversion": map[string]any{
		"strategy": "Webhook",
		"webhook": map[string]any{
			"conversionReviewVersions": []any{"v1"},
			"clientConfig": map[string]any{
				"url":      "https://" + address + "/convert",
				"caBundle": base64.StdEncoding.EncodeToString(setup.ControlPlane.PKI.CA),
			},
		},
	}}}
	for _, provider := range []string{"cluster-api", "bootstrap-kubeadm", "control-plane-kubeadm"} {
		definitions, err := client.List(ctx, definition, "", map[string]string{providerLabel: provider})
		if err != nil {
			return err
		}
		for i := range definitions {
			if err := client.Merge(ctx, &definitions[i], conversion); err != nil {
				return err
			}
		}
	}
	return nil
}

// Stop ends what Start has started.
func Stop(processes []*process.Process) {
	for _, p := range processes {
		p.Stop()
	}
}
