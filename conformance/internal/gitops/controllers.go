package gitops

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"conformance/internal/process"
)

// Setup is what the controllers of Flux need. The API server must have their definitions.
type Setup struct {
	// Kubeconfig is the path of a kubeconfig that may do everything.
	Kubeconfig string
	// Programs are the paths of the executables, by their names in ControllerNames.
	Programs map[string]string
	// Dir is for logs, artifacts and temporary files.
	Dir string
	// Address is the IP address that the controllers listen on.
	Address string
	// Authorities is the path of a file with the certificates that the controllers trust, in PEM.
	Authorities string
	// Progressive has Argo CD sync the Applications of a set one step after the other.
	Progressive bool
	// Locked starts the controllers with the flags of multi-tenancy lockdown.
	Locked bool
}

// lockdownArguments are the flags of multi-tenancy lockdown, by controller (fluxcd.io/flux/installation/configuration/multitenancy).
var lockdownArguments = map[string][]string{
	"kustomize-controller": {"--no-cross-namespace-refs=true", "--no-remote-bases=true", "--default-service-account=default"},
	"helm-controller":      {"--no-cross-namespace-refs=true", "--default-service-account=default"},
}

// commonArguments are those of every controller (fluxcd/source-controller config/manager/deployment.yaml, and likewise the others;
// the first one is written by fluxcd/flux2 pkg/manifestgen/install). No controller for notifications runs, and no leader is elected,
// which takes the files of a Pod. Dependencies are looked at more often than every 30 seconds, which changes no order.
var commonArguments = []string{
	"--events-addr=",
	"--watch-all-namespaces=true",
	"--log-level=info",
	"--log-encoding=json",
	"--requeue-dependency=5s",
}

// ControllerNames are the names of the controllers, of their executables and of their sources.
var ControllerNames = []string{"source-controller", "kustomize-controller", "helm-controller"}

// Start runs the three controllers and waits until they are ready. The caller stops those that are returned, also with an error.
func Start(ctx context.Context, setup Setup) (started []*process.Process, err error) {
	ports, err := process.FreePorts(2*len(ControllerNames) + 1)
	if err != nil {
		return nil, err
	}
	addresses := make([]string, len(ports))
	for i, port := range ports {
		addresses[i] = net.JoinHostPort(setup.Address, strconv.Itoa(port))
	}
	storage, addresses := addresses[0], addresses[1:]
	probes := make([]string, len(ControllerNames))
	for i, name := range ControllerNames {
		if setup.Programs[name] == "" {
			return started, fmt.Errorf("no executable of %s is known", name)
		}
		temporary := filepath.Join(setup.Dir, name)
		if err := os.MkdirAll(temporary, 0o700); err != nil {
			return started, fmt.Errorf("create the directory of %s: %w", name, err)
		}
		metrics, health := addresses[2*i], addresses[2*i+1]
		args := append([]string{"--metrics-addr=" + metrics, "--health-addr=" + health}, commonArguments...)
		if setup.Locked {
			args = append(args, lockdownArguments[name]...)
		}
		probes[i] = "http://" + health + "/readyz"
		if name == "source-controller" {
			args = append(args, "--storage-path="+temporary, "--storage-addr="+storage, "--storage-adv-addr="+storage)
			probes[i] = "http://" + storage + "/"
		}
		p, err := process.StartWith([]string{
			"KUBECONFIG=" + setup.Kubeconfig,
			"RUNTIME_NAMESPACE=" + namespace,
			"SSL_CERT_FILE=" + setup.Authorities,
			"HOME=" + temporary,
			"TMPDIR=" + temporary,
		}, name, setup.Dir, setup.Programs[name], args...)
		if err != nil {
			return started, err
		}
		started = append(started, p)
	}
	for i, p := range started {
		if err := p.WaitReady(ctx, func(ctx context.Context) error { return answers(ctx, probes[i]) }); err != nil {
			return started, err
		}
	}
	return started, nil
}

// answers succeeds when url answers with status 200.
func answers(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return nil
}
