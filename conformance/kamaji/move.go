package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/clastix/kamaji/api/v1alpha1"
	"github.com/clastix/kamaji/cmd/migrate"
	"github.com/clastix/kamaji/controllers/utils"
	"github.com/clastix/kamaji/internal/datastore"
	kamajierrors "github.com/clastix/kamaji/internal/errors"
	"github.com/clastix/kamaji/internal/resources"
	stores "github.com/clastix/kamaji/internal/resources/datastore"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// certificateThreshold is how long before its end a certificate is made anew, by Kamaji's default.
const certificateThreshold = 24 * time.Hour

// runCommand runs a command at the API server of KUBECONFIG: "migrate", which is that of Kamaji's Job, or "store NAMESPACE/NAME", which does what
// Kamaji does for the data store of a control plane when it reconciles it once.
func runCommand(scheme *runtime.Scheme, arguments []string) error {
	if arguments[0] == "migrate" {
		command := migrate.NewCmd(scheme)
		command.SetArgs(arguments[1:])
		return command.Execute()
	}
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{Scheme: scheme})
	if err != nil {
		return fmt.Errorf("connect to the API server: %w", err)
	}
	namespace, name, _ := strings.Cut(arguments[1], "/")
	return reconcileStore(context.Background(), c, types.NamespacedName{Namespace: namespace, Name: name})
}

// reconcileStore handles what concerns data stores among Kamaji's resources (controllers/resources.go GetResources, GetDeletableResources), as its
// controller does (controllers/tenantcontrolplane_controller.go), and the authority if there is one. It prints how far it got: "paused", "deleted",
// "waits", or "done".
func reconcileStore(ctx context.Context, c client.Client, key types.NamespacedName) error {
	tenant, store := &v1alpha1.TenantControlPlane{}, &v1alpha1.DataStore{}
	if err := c.Get(ctx, key, tenant); err != nil {
		return fmt.Errorf("read the control plane: %w", err)
	}
	if utils.IsPaused(tenant) {
		fmt.Fprintln(os.Stdout, "paused")
		return nil
	}
	if err := c.Get(ctx, types.NamespacedName{Name: tenant.Spec.DataStore}, store); err != nil {
		return fmt.Errorf("read the data store: %w", err)
	}
	connection, err := datastore.NewStorageConnection(ctx, c, *store)
	if err != nil {
		return fmt.Errorf("connect to the data store: %w", err)
	}
	defer connection.Close()
	config := &stores.Config{Client: c, ConnString: connection.GetConnectionString(), DataStore: *store}
	if !tenant.DeletionTimestamp.IsZero() {
		for _, resource := range []resources.DeletableResource{&stores.Setup{Client: c, Connection: connection}, config} {
			if err := resources.HandleDeletion(ctx, resource, tenant); err != nil {
				return fmt.Errorf("delete %s: %w", resource.GetName(), err)
			}
		}
		fmt.Fprintln(os.Stdout, "deleted")
		return nil
	}
	handled := []resources.Resource{
		&stores.Migrate{
			Client: c, MigrateImage: "kamaji", KamajiNamespace: "kamaji-system", KamajiServiceAccount: "kamaji-controller-manager", KamajiServiceName: "kamaji-webhook-service",
		},
		&stores.MultiTenancy{DataStore: *store},
		config,
		&stores.Setup{Client: c, Connection: connection, DataStore: *store},
		&stores.Certificate{Client: c, DataStore: *store, CertExpirationThreshold: certificateThreshold},
		&stores.Migrate{Client: c, KamajiNamespace: "kamaji-system", ShouldCleanUp: true},
	}
	// A new one needs kubeadm's configuration, which nothing here makes.
	if err := c.Get(ctx, types.NamespacedName{Namespace: key.Namespace, Name: key.Name + "-ca"}, &corev1.Secret{}); err == nil {
		// The certificate of a test lasts a day.
		handled = append(handled, &resources.CACertificate{Client: c, TmpDirectory: os.TempDir(), CertExpirationThreshold: time.Hour})
	}
	for _, resource := range handled {
		result, err := resources.Handle(ctx, resource, tenant)
		if errors.As(err, &kamajierrors.MigrationInProcessError{}) {
			fmt.Fprintln(os.Stdout, "waits")
			return nil
		}
		if err != nil {
			return fmt.Errorf("handle %s: %w", resource.GetName(), err)
		}
		if result == controllerutil.OperationResultNone {
			continue
		}
		if err := utils.UpdateStatus(ctx, c, tenant, resource); err != nil {
			return fmt.Errorf("store the status of %s: %w", resource.GetName(), err)
		}
		if result == resources.OperationResultEnqueueBack {
			fmt.Fprintln(os.Stdout, "waits")
			return nil
		}
	}
	fmt.Fprintln(os.Stdout, "done")
	return nil
}
