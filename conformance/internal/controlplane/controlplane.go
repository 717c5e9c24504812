// Package controlplane runs an etcd and a kube-apiserver on the loopback interface.
package controlplane

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"conformance/internal/process"
)

// ControlPlane is a running API server with its store.
type ControlPlane struct {
	// Config connects as a user who may do everything.
	Config *rest.Config
	// Kubeconfig is the path of a file with the same connection, for other processes.
	Kubeconfig string
	// PKI is the authority the API server trusts webhooks by.
	PKI *PKI

	etcdURL string
	// machine is set if the control plane is that of a whole machine.
	machine   *Machine
	processes []*process.Process
	// runServer starts the API server and waits until it answers.
	runServer func(ctx context.Context) error
}

// Start runs the executables etcd and kube-apiserver of binDir with all their files in dir.
// The caller must call Stop, unless an error is returned.
func Start(ctx context.Context, binDir, dir string) (*ControlPlane, error) {
	pki, err := NewPKI(dir)
	if err != nil {
		return nil, err
	}
	return (&ControlPlane{PKI: pki}).start(ctx, binDir, dir)
}

func (cp *ControlPlane) start(ctx context.Context, binDir, dir string) (_ *ControlPlane, err error) {
	ports, err := process.FreePorts(3)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			cp.Stop()
		}
	}()

	cp.etcdURL = fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	peerURL := fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	if err := cp.startEtcd(ctx, binDir, dir, cp.etcdURL, peerURL); err != nil {
		return nil, err
	}
	if err := cp.startAPIServer(ctx, binDir, dir, ports[2]); err != nil {
		return nil, err
	}
	return cp, nil
}

// Stop ends the processes, the last one started first.
func (cp *ControlPlane) Stop() {
	for i := len(cp.processes) - 1; i >= 0; i-- {
		cp.processes[i].Stop()
	}
	cp.processes = nil
}

func (cp *ControlPlane) startEtcd(ctx context.Context, binDir, dir, clientURL, peerURL string) error {
	etcd, err := process.Start("etcd", dir, filepath.Join(binDir, "etcd"),
		"--name=conformance",
		"--data-dir="+filepath.Join(dir, "etcd"),
		"--listen-client-urls="+clientURL,
		"--advertise-client-urls="+clientURL,
		"--listen-peer-urls="+peerURL,
		"--initial-advertise-peer-urls="+peerURL,
		"--initial-cluster=conformance="+peerURL,
		"--unsafe-no-fsync",
	)
	if err != nil {
		return err
	}
	cp.processes = append(cp.processes, etcd)
	return etcd.WaitReady(ctx, func(ctx context.Context) error {
		return get(ctx, http.DefaultClient, clientURL+"/health")
	})
}

func (cp *ControlPlane) startAPIServer(ctx context.Context, binDir, dir string, port int, args ...string) error {
	token := rand.Text()
	tokenFile := filepath.Join(dir, "tokens.csv")
	if err := os.WriteFile(tokenFile, []byte(token+",conformance,conformance,system:masters\n"), 0o600); err != nil {
		return fmt.Errorf("write the token file: %w", err)
	}
	host := "127.0.0.1"
	if cp.machine == nil {
		args = append(args,
			"--bind-address=127.0.0.1",
			"--advertise-address=127.0.0.1",
			"--endpoint-reconciler-type=none",
			// Nothing creates the default service accounts that this plugin looks for.
			"--disable-admission-plugins=ServiceAccount",
		)
	} else {
		host, port = cp.machine.Address.String(), machinePort
		args = append(args, cp.machine.serverArgs(cp.PKI, dir)...)
	}
	args = append([]string{
		"--etcd-servers=" + cp.etcdURL,
		fmt.Sprintf("--secure-port=%d", port),
		"--cert-dir=" + dir,
		"--tls-cert-file=" + cp.PKI.CertFile(),
		"--tls-private-key-file=" + cp.PKI.KeyFile(),
		"--service-cluster-ip-range=10.96.0.0/16", // As kubeadm has it, in which examples fix addresses.
		"--allow-privileged=true",                 // As every distribution has it.
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + cp.PKI.KeyFile(),
		"--service-account-signing-key-file=" + cp.PKI.KeyFile(),
		"--token-auth-file=" + tokenFile,
		"--authorization-mode=RBAC",
		"--anonymous-auth=false",
	}, args...)

	cp.Config = &rest.Config{
		Host:            fmt.Sprintf("https://%s:%d", host, port),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: cp.PKI.CA},
		QPS:             -1, // No limit: the server is ours alone.
	}
	cp.Kubeconfig = filepath.Join(dir, "kubeconfig")
	if err := clientcmd.WriteToFile(kubeconfig(cp.Config), cp.Kubeconfig); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	client, err := rest.HTTPClientFor(cp.Config)
	if err != nil {
		return fmt.Errorf("create an HTTP client: %w", err)
	}
	cp.runServer = func(ctx context.Context) error {
		server, err := process.Start("kube-apiserver", dir, filepath.Join(binDir, "kube-apiserver"), args...)
		if err != nil {
			return err
		}
		cp.processes = append(cp.processes, server)
		return server.WaitReady(ctx, func(ctx context.Context) error {
			return get(ctx, client, cp.Config.Host+"/readyz")
		})
	}
	return cp.runServer(ctx)
}

// get succeeds when url answers with status 200.
func get(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return nil
}

func kubeconfig(config *rest.Config) api.Config {
	const name = "conformance"
	result := *api.NewConfig()
	result.Clusters[name] = &api.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	result.AuthInfos[name] = &api.AuthInfo{Token: config.BearerToken}
	result.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	result.CurrentContext = name
	return result
}
