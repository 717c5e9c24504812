package admission

import (
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"

	"conformance/internal/cluster"
	"conformance/internal/controlplane"
	"conformance/internal/process"
)

// Start registers the webhooks of a provider and runs the program that serves them.
// moduleDir is the directory of the provider's module in the Go module cache.
func Start(
	ctx context.Context, provider Provider, moduleDir, binDir, dir string, cp *controlplane.ControlPlane, client *cluster.Client,
) (_ *process.Process, err error) {
	ports, err := process.FreePorts(1)
	if err != nil {
		return nil, err
	}
	server, err := process.StartWith(provider.Env, "webhooks-"+provider.Name, dir, filepath.Join(binDir, provider.Name), append([]string{
		"--kubeconfig=" + cp.Kubeconfig,
		fmt.Sprintf("--webhook-port=%d", ports[0]),
		"--webhook-cert-dir=" + cp.PKI.Dir,
	}, provider.Args...)...)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			server.Stop()
		}
	}()

	address := fmt.Sprintf("127.0.0.1:%d", ports[0])
	dialer := &tls.Dialer{Config: cp.PKI.TLSConfig()}
	if err := server.WaitReady(ctx, func(ctx context.Context) error {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		return conn.Close()
	}); err != nil {
		return nil, err
	}

	files := make([]string, 0, len(provider.Configurations))
	for _, file := range provider.Configurations {
		files = append(files, filepath.Join(moduleDir, file))
	}
	objects, err := configurations(files, provider.Name, "https://"+address, cp.PKI.CA)
	if err != nil {
		return nil, fmt.Errorf("read the webhook configurations of %s: %w", provider.Name, err)
	}
	for _, object := range objects {
		if err := client.Create(ctx, object); err != nil {
			return nil, err
		}
	}
	return server, nil
}
