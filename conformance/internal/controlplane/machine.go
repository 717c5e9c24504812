package controlplane

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"

	"conformance/internal/process"
)

// machinePort is the port of the API server of a machine, as kubeadm has it.
const machinePort = 6443

// auditPolicy records who asked for what. Requests that watch are recorded when they begin, others when they end.
const auditPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
`

// Machine is a machine of its own with a whole control plane: all controllers, a scheduler, ServiceAccounts, aggregated API servers and an audit log.
type Machine struct {
	// Address is that of the machine, on which the API server listens.
	Address netip.Addr
	// Names are further addresses and names of what the authority's certificate is used for.
	Names []string
}

// StartMachine is Start for a machine of its own. AuditLog is where it says who has asked for what.
func StartMachine(ctx context.Context, binDir, dir string, machine Machine) (*ControlPlane, error) {
	names := append([]string{machine.Address.String(), "10.96.0.1", "kubernetes.default.svc", "localhost"}, machine.Names...)
	pki, err := NewPKI(dir, names...)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"ca.crt": pki.CA, "audit-policy.yaml": []byte(auditPolicy)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
	}
	cp, err := (&ControlPlane{PKI: pki, machine: &machine}).start(ctx, binDir, dir)
	if err != nil {
		return nil, err
	}
	if err := cp.startMachineControllers(binDir, dir); err != nil {
		cp.Stop()
		return nil, err
	}
	return cp, nil
}

// IsMachine reports whether all controllers of Kubernetes run already.
func (cp *ControlPlane) IsMachine() bool { return cp.machine != nil }

// AuditLog is the file in which the API server of a machine in dir says who has asked for what.
func AuditLog(dir string) string { return filepath.Join(dir, "audit.log") }

// serverArgs are the arguments of the API server that those for tests do without.
func (m *Machine) serverArgs(pki *PKI, dir string) []string {
	authority := filepath.Join(dir, "ca.crt")
	return []string{
		"--bind-address=" + m.Address.String(),
		"--advertise-address=" + m.Address.String(),
		"--audit-policy-file=" + filepath.Join(dir, "audit-policy.yaml"),
		"--audit-log-path=" + AuditLog(dir),
		"--proxy-client-cert-file=" + pki.CertFile(),
		"--proxy-client-key-file=" + pki.KeyFile(),
		"--requestheader-client-ca-file=" + authority,
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--enable-aggregator-routing=false", // By the address of the Service, as kubeadm has it.
	}
}

// startMachineControllers runs all controllers of Kubernetes, each with its own ServiceAccount, and the scheduler.
func (cp *ControlPlane) startMachineControllers(binDir, dir string) error {
	for name, args := range map[string][]string{
		"kube-controller-manager": {
			"--use-service-account-credentials",
			"--root-ca-file=" + filepath.Join(dir, "ca.crt"),
			"--service-account-private-key-file=" + cp.PKI.KeyFile(),
			"--leader-elect=false",
			"--secure-port=0",
			"--kube-api-qps=200",
			"--kube-api-burst=400",
		},
		"kube-scheduler": {"--leader-elect=false", "--secure-port=0", "--authentication-skip-lookup", "--kube-api-qps=200", "--kube-api-burst=400"},
	} {
		p, err := process.Start(name, dir, filepath.Join(binDir, name), append([]string{"--kubeconfig=" + cp.Kubeconfig}, args...)...)
		if err != nil {
			return err
		}
		cp.processes = append(cp.processes, p)
	}
	return nil
}
