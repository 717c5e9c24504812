package alive

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
	"conformance/internal/machines"
	"conformance/internal/standins"
)

var configMapKind = schema.GroupKind{Kind: "ConfigMap"}

// NodeVersions returns the versions of Kubernetes of the machines in pages.
func NodeVersions(folders []string) ([]string, error) {
	var versions []string
	for _, folder := range folders {
		p, err := readPage(folder)
		if err != nil {
			return nil, err
		}
		for _, pool := range p.ofKind(live.MachineDeployment) {
			versions = append(versions, live.String(pool.Object, "spec", "template", "spec", "version"))
		}
	}
	slices.Sort(versions)
	return slices.Compact(versions), nil
}

// joinMachines lets kubeadm join once more with the bootstrap data of a machine of each pool, and starts its kubelet.
func (t *tenant) joinMachines(ctx context.Context) error {
	all, err := t.client.List(ctx, live.Machine, t.namespace(), map[string]string{live.ClusterLabel: t.name()})
	if err != nil {
		return err
	}
	pools := map[string]bool{}
	for i := range all {
		pool := all[i].GetLabels()[live.PoolLabel]
		if pools[pool] || live.IsDeleting(&all[i]) {
			continue
		}
		pools[pool] = true
		if err := t.joinMachine(ctx, &all[i]); err != nil {
			return fmt.Errorf("machine %s: %w", all[i].GetName(), err)
		}
	}
	if len(pools) == 0 {
		return errors.New("there is no Machine")
	}
	return nil
}

func (t *tenant) joinMachine(ctx context.Context, object *live.Object) error {
	secret, err := t.client.Get(ctx, live.Secret, t.namespace(), live.String(object.Object, "spec", "bootstrap", "dataSecretName"))
	if err != nil {
		return err
	}
	if secret == nil {
		return errors.New("it has no bootstrap data")
	}
	data, err := live.SecretData(secret, "value")
	if err != nil {
		return err
	}
	if err := t.awaitSigned(ctx, data); err != nil {
		return err
	}
	files, err := standins.Files(data)
	if err != nil {
		return err
	}
	tools, err := t.Table.NodeTools(live.String(object.Object, "spec", "version"))
	if err != nil {
		return err
	}
	machine, err := machines.New(filepath.Join(t.Dir, "machines", object.GetName()), t.Bin, tools, files)
	if err != nil {
		return err
	}
	if err := machine.Validate(ctx, standins.JoinFile); err != nil {
		return err
	}
	return machine.Join(ctx, standins.JoinFile)
}

// awaitSigned waits until the tenant has signed its address with the token of a machine, as a machine does. A dry run of kubeadm takes a token of its own when
// that of the machine comes too early, and looks for it in vain (kubernetes/kubernetes cmd/kubeadm/app/discovery/token/token.go, getClusterInfo).
func (t *tenant) awaitSigned(ctx context.Context, data []byte) error {
	join, err := standins.ReadJoinConfig(data)
	if err != nil {
		return err
	}
	return t.awaitInTenant(ctx, machinesLimit, func(client *live.Client) (string, error) {
		info, err := client.Get(ctx, configMapKind, "kube-public", "cluster-info")
		if err != nil || info == nil {
			return "there is no ConfigMap cluster-info", err
		}
		if live.String(info.Object, "data", "jws-kubeconfig-"+join.TokenID) == "" {
			return "cluster-info has no signature by the token " + join.TokenID, nil
		}
		return "", nil
	})
}
