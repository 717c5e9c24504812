package controlplane

import (
	"path/filepath"

	"conformance/internal/process"
)

// StartControllerManager runs the executable kube-controller-manager of binDir with the controllers that delete what has lost its
// owner or its namespace, and no others. It serves nothing. The caller must stop it. On a machine of its own all controllers run already.
func (cp *ControlPlane) StartControllerManager(binDir, dir string) (*process.Process, error) {
	return process.Start("kube-controller-manager", dir, filepath.Join(binDir, "kube-controller-manager"),
		"--kubeconfig="+cp.Kubeconfig,
		"--controllers=garbage-collector-controller,namespace-controller",
		"--leader-elect=false",
		"--secure-port=0",
		"--kube-api-qps=200",
		"--kube-api-burst=400",
	)
}
