package controlplane

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"conformance/internal/process"
)

// StartTenant runs one more API server, for a tenant cluster: with its own authority and its own part of the store of cp.
// name tells tenants apart. The caller must call Stop of the result before that of cp.
func (cp *ControlPlane) StartTenant(ctx context.Context, binDir, dir, name string) (_ *ControlPlane, err error) {
	dir = filepath.Join(dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of tenant %s: %w", name, err)
	}
	ports, err := process.FreePorts(1)
	if err != nil {
		return nil, err
	}
	pki, err := NewPKI(dir)
	if err != nil {
		return nil, err
	}
	tenant := &ControlPlane{PKI: pki, etcdURL: cp.etcdURL}
	if err := tenant.startAPIServer(ctx, binDir, dir, ports[0], "--etcd-prefix=/tenants/"+name); err != nil {
		tenant.Stop()
		return nil, fmt.Errorf("tenant %s: %w", name, err)
	}
	return tenant, nil
}

// StartAgain runs the API server of a tenant after Stop, where it was and with what it has stored.
func (cp *ControlPlane) StartAgain(ctx context.Context) error { return cp.runServer(ctx) }

// Address returns where the API server listens.
func (cp *ControlPlane) Address() (host string, port int64, err error) {
	address, err := url.Parse(cp.Config.Host)
	if err != nil {
		return "", 0, fmt.Errorf("read the address of the API server: %w", err)
	}
	port, err = strconv.ParseInt(address.Port(), 10, 32)
	if err != nil {
		return "", 0, fmt.Errorf("read the port of the API server: %w", err)
	}
	return address.Hostname(), port, nil
}
