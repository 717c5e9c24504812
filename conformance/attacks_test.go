package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"conformance/internal/cluster"
	"conformance/internal/golden"
	"conformance/internal/manifest"
)

// publishing is the account that publishes the Services of the tenant.
const publishing = "acme-cloud-controller-manager"

// victim is the namespace of another tenant.
const victim = "tenant-victim"

// attack is something that an account of a tenant must not be able to do in the management cluster.
type attack struct {
	name string
	// resource is "group/version/resource", without a group in the core group, and "/subresource" behind it.
	resource string
	// verb is create, get, list, patch or delete.
	verb string
	// namespace is that of the tenant by default, victim for another tenant's, and "-" for resources without one.
	namespace string
	object    string
	// body is what is created, or a merge patch.
	body map[string]any
}

// account is a user that manifests give rights to.
type account struct {
	name   string
	user   string
	groups []string
}

type object = map[string]any

func named(name string, fields object) object {
	body := object{"metadata": object{"name": name}}
	maps.Copy(body, fields)
	return body
}

func loadBalancer(name string, spec object, annotations object) object {
	fields := object{"type": "LoadBalancer", "ports": []any{object{"port": int64(80), "nodePort": int64(0)}}, "selector": object{"a": "b"}}
	maps.Copy(fields, spec)
	return object{"metadata": object{"name": name, "annotations": annotations}, "spec": fields}
}

var privileged = object{"spec": object{"hostPID": true, "hostNetwork": true, "containers": []any{object{
	"name": "a", "image": "a", "securityContext": object{"privileged": true}, "volumeMounts": []any{object{"name": "host", "mountPath": "/host"}},
}}, "volumes": []any{object{"name": "host", "hostPath": object{"path": "/"}}}}}

var anyRule = []any{object{"apiGroups": []any{"*"}, "resources": []any{"*"}, "verbs": []any{"*"}}}

func roleRef(kind, name string) object {
	return object{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name}
}

// attacks are tried with the rights of every account.
var attacks = []attack{
	// Credentials.
	{name: "read a Secret of the tenant's namespace", resource: "v1/secrets", verb: "get", object: "acme-admin-kubeconfig"},
	{name: "list Secrets of the tenant's namespace", resource: "v1/secrets", verb: "list"},
	{name: "list Secrets of another tenant", resource: "v1/secrets", verb: "list", namespace: victim},
	{name: "list Secrets of the system", resource: "v1/secrets", verb: "list", namespace: "kube-system"},
	{name: "list all Secrets", resource: "v1/secrets", verb: "list", namespace: "-"},
	{name: "create a token of a ServiceAccount by a Secret", resource: "v1/secrets", verb: "create", body: object{
		"metadata": object{"name": "token", "annotations": object{"kubernetes.io/service-account.name": "default"}}, "type": "kubernetes.io/service-account-token",
	}},
	{name: "replace the credentials of the tenant", resource: "v1/secrets", verb: "patch", object: "acme-admin-kubeconfig", body: object{"data": object{"a": "YQ=="}}},
	{name: "issue a token of a ServiceAccount", resource: "v1/serviceaccounts/token", verb: "create", object: "default", body: object{"spec": object{}}},
	{name: "issue a token of the system", resource: "v1/serviceaccounts/token", verb: "create", namespace: "kube-system", object: "default", body: object{"spec": object{}}},
	{name: "approve a certificate", resource: "certificates.k8s.io/v1/certificatesigningrequests/approval", verb: "patch", namespace: "-", object: "a", body: object{}},

	// Rights.
	{name: "give itself all of its namespace", resource: "rbac.authorization.k8s.io/v1/rolebindings", verb: "create", body: named("mine", object{
		"roleRef": roleRef("ClusterRole", "cluster-admin"), "subjects": []any{object{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "system:authenticated"}},
	})},
	{name: "write a role", resource: "rbac.authorization.k8s.io/v1/roles", verb: "create", body: named("mine", object{"rules": anyRule})},
	{name: "widen a role", resource: "rbac.authorization.k8s.io/v1/roles", verb: "patch", object: "acme-cloud-controller-manager", body: object{"rules": anyRule}},
	{name: "give itself the cluster", resource: "rbac.authorization.k8s.io/v1/clusterrolebindings", verb: "create", namespace: "-", body: named("mine", object{
		"roleRef": roleRef("ClusterRole", "cluster-admin"), "subjects": []any{object{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "system:authenticated"}},
	})},
	{name: "write a role of the cluster", resource: "rbac.authorization.k8s.io/v1/clusterroles", verb: "create", namespace: "-", body: named("mine", object{"rules": anyRule})},
	{name: "make a ServiceAccount", resource: "v1/serviceaccounts", verb: "create", body: named("mine", nil)},

	// Pods, and through them nodes.
	{name: "run a pod with the host's files", resource: "v1/pods", verb: "create", body: named("mine", privileged)},
	{name: "run a pod of another tenant", resource: "v1/pods", verb: "create", namespace: victim, body: named("mine", privileged)},
	{name: "run a Deployment", resource: "apps/v1/deployments", verb: "create", body: named("mine", object{"spec": object{}})},
	{name: "run a Job", resource: "batch/v1/jobs", verb: "create", body: named("mine", object{"spec": object{}})},
	{name: "change the controllers of the tenant", resource: "apps/v1/deployments", verb: "patch", object: "acme-cloud-controller-manager", body: object{"spec": object{"paused": true}}},
	{name: "delete a pod of another tenant", resource: "v1/pods", verb: "delete", namespace: victim, object: "a"},
	{name: "evict a control plane", resource: "v1/pods/eviction", verb: "create", object: "a", body: named("a", nil)},
	{name: "add a container to a pod", resource: "v1/pods/ephemeralcontainers", verb: "patch", object: "a", body: object{}},
	{name: "read the log of another tenant", resource: "v1/pods/log", verb: "get", namespace: victim, object: "a"},
	{name: "cordon a node", resource: "v1/nodes", verb: "patch", namespace: "-", object: "host", body: object{"spec": object{"unschedulable": true}}},
	{name: "reach the kubelet of a node", resource: "v1/nodes/proxy", verb: "get", namespace: "-", object: "host"},
	{name: "list nodes", resource: "v1/nodes", verb: "list", namespace: "-"},

	// Volumes.
	{name: "make a volume of the host's files", resource: "v1/persistentvolumes", verb: "create", namespace: "-", body: named("mine", object{"spec": object{
		"capacity": object{"storage": "1Gi"}, "accessModes": []any{"ReadWriteOnce"}, "hostPath": object{"path": "/"},
	}})},
	{name: "delete a volume", resource: "v1/persistentvolumes", verb: "delete", namespace: "-", object: "pvc-a"},
	{name: "list all volumes", resource: "v1/persistentvolumes", verb: "list", namespace: "-"},
	{name: "read a claim of another tenant", resource: "v1/persistentvolumeclaims", verb: "get", namespace: victim, object: "a"},
	{name: "copy the disk of another tenant", resource: "cdi.kubevirt.io/v1beta1/datavolumes", verb: "create", body: named("mine", object{"spec": object{
		"source": object{"pvc": object{"namespace": victim, "name": "a"}},
	}})},
	{name: "delete a disk of another tenant", resource: "cdi.kubevirt.io/v1beta1/datavolumes", verb: "delete", namespace: victim, object: "a"},

	// Services.
	{name: "publish a Service of another type", resource: "v1/services", verb: "create", body: loadBalancer("mine", object{"type": "NodePort"}, nil)},
	{name: "publish a name of another domain", resource: "v1/services", verb: "create", body: named("mine", object{"spec": object{"type": "ExternalName", "externalName": "a.example.com"}})},
	{name: "take an address with externalIPs", resource: "v1/services", verb: "create", body: loadBalancer("mine", object{"externalIPs": []any{"192.0.2.7"}}, nil)},
	{name: "take the address of another load balancer", resource: "v1/services", verb: "create", body: loadBalancer("mine", object{"loadBalancerIP": "192.0.2.7"}, nil)},
	{name: "take an address by an annotation", resource: "v1/services", verb: "create", body: loadBalancer("mine", nil, object{"metallb.io/loadBalancerIPs": "192.0.2.7"})},
	{name: "take a name in DNS by an annotation", resource: "v1/services", verb: "create", body: loadBalancer("mine", nil, object{"external-dns.alpha.kubernetes.io/hostname": "a.example.com"})},
	{name: "pose as part of an Application", resource: "v1/services", verb: "create", body: loadBalancer("mine", nil, object{"argocd.argoproj.io/tracking-id": "platform:/Service:a/b"})},
	{name: "take all node ports", resource: "v1/services", verb: "create", body: loadBalancer("mine", object{"ports": manyPortsOf(900)}, nil)},
	{name: "squat a port for health checks", resource: "v1/services", verb: "create", body: loadBalancer("mine", object{
		"externalTrafficPolicy": "Local", "healthCheckNodePort": int64(30001),
	}, nil)},
	{name: "publish a Service of another tenant", resource: "v1/services", verb: "create", namespace: victim, body: loadBalancer("mine", nil, nil)},
	{name: "turn away the API server's own name", resource: "v1/services", verb: "patch", namespace: "default", object: "kubernetes", body: object{"spec": object{"externalIPs": []any{"192.0.2.7"}}}},
	{name: "lead a Service to a node", resource: "discovery.k8s.io/v1/endpointslices", verb: "create", body: object{
		"metadata":    object{"name": "mine", "labels": object{"kubernetes.io/service-name": "a0123456789abcdef0123456789abcdef", "cluster.x-k8s.io/cluster-name": "acme"}},
		"addressType": "IPv4", "endpoints": []any{object{"addresses": []any{"192.168.255.1"}}}, "ports": []any{object{"port": int64(10250)}},
	}},
	{name: "lead a Service to a pod by Endpoints", resource: "v1/endpoints", verb: "create", body: named("mine", object{
		"subsets": []any{object{"addresses": []any{object{"ip": "10.244.7.8"}}, "ports": []any{object{"port": int64(2379)}}}},
	})},

	// The walls themselves.
	{name: "remove a policy for Services", resource: "admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", verb: "delete", namespace: "-", object: "a"},
	{name: "write a webhook", resource: "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", verb: "create", namespace: "-", body: named("mine", nil)},
	{name: "remove network policies", resource: "networking.k8s.io/v1/networkpolicies", verb: "delete", object: "acme-machines"},
	{name: "open the network", resource: "networking.k8s.io/v1/networkpolicies", verb: "create", body: named("mine", object{"spec": object{"podSelector": object{}, "ingress": []any{object{}}}})},
	{name: "raise the quota", resource: "v1/resourcequotas", verb: "patch", object: "acme", body: object{"spec": object{"hard": object{"services.loadbalancers": "1000"}}}},
	{name: "remove limits", resource: "v1/limitranges", verb: "delete", object: "acme"},
	{name: "weaken the pod security of the namespace", resource: "v1/namespaces", verb: "patch", namespace: "-", object: "tenant-acme", body: object{
		"metadata": object{"labels": object{"pod-security.kubernetes.io/enforce": "privileged"}},
	}},
	{name: "delete the namespace", resource: "v1/namespaces", verb: "delete", namespace: "-", object: "tenant-acme"},
	{name: "make a namespace", resource: "v1/namespaces", verb: "create", namespace: "-", body: named("mine", nil)},

	// Parts of the tenant, and what delivers it.
	{name: "delete the cluster", resource: "cluster.x-k8s.io/v1beta2/clusters", verb: "delete", object: "acme"},
	{name: "scale pools of another tenant", resource: "cluster.x-k8s.io/v1beta2/machinedeployments/scale", verb: "patch", namespace: victim, object: "a", body: object{"spec": object{"replicas": int64(100)}}},
	{name: "delete machines of another tenant", resource: "cluster.x-k8s.io/v1beta2/machines", verb: "delete", namespace: victim, object: "a"},
	{name: "change the template of machines", resource: "infrastructure.cluster.x-k8s.io/v1alpha1/kubevirtmachinetemplates", verb: "patch", object: "a", body: object{}},
	{name: "change the control plane", resource: "controlplane.cluster.x-k8s.io/v1alpha2/kamajicontrolplanes", verb: "patch", object: "acme", body: object{}},
	{name: "move to the data store of others", resource: "kamaji.clastix.io/v1alpha1/tenantcontrolplanes", verb: "patch", object: "acme", body: object{"spec": object{"dataStore": "others"}}},
	{name: "read data stores", resource: "kamaji.clastix.io/v1alpha1/datastores", verb: "list", namespace: "-"},
	{name: "run a virtual machine", resource: "kubevirt.io/v1/virtualmachines", verb: "create", body: named("mine", object{"spec": object{}})},
	{name: "run a virtual machine with the host's disk", resource: "kubevirt.io/v1/virtualmachineinstances", verb: "create", body: named("mine", object{"spec": object{
		"volumes": []any{object{"name": "host", "hostDisk": object{"path": "/disk.img", "type": "DiskOrCreate"}}},
	}})},
	{name: "change the devices of another tenant's machine", resource: "kubevirt.io/v1/virtualmachines", verb: "patch", namespace: victim, object: "a", body: object{}},
	{name: "deliver a chart as the delivery", resource: "helm.toolkit.fluxcd.io/v2/helmreleases", verb: "create", body: named("mine", object{"spec": object{}})},
	{name: "deliver a folder as the delivery", resource: "kustomize.toolkit.fluxcd.io/v1/kustomizations", verb: "create", body: named("mine", object{"spec": object{}})},
	{name: "deliver as Argo CD", resource: "argoproj.io/v1alpha1/applications", verb: "create", namespace: "argocd", body: named("mine", object{"spec": object{}})},
}

// harmless is what the cloud controller manager makes of a Service that asks for nothing.
var harmless = attack{name: "publish a Service", resource: "v1/services", verb: "create", body: loadBalancer("mine", nil, nil)}

// allowed says which attacks a part of the tenant may do, by the end of its name, and why no other tenant is harmed.
var allowed = map[string]map[string]string{
	"csi-driver": {
		"copy the disk of another tenant": "the importer asks for the right to the source, datavolumes/source, in its namespace, which no role gives " +
			"(kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-mutate.go)",
	},
	"kubeconfig-readers": {"read a Secret of the tenant's namespace": "it is the kubeconfig of their own tenant, which this level of access is for"},
}

func manyPortsOf(count int) []any {
	ports := make([]any, count)
	for i := range count {
		ports[i] = object{"name": fmt.Sprint("p", i), "port": int64(i + 1), "protocol": "TCP", "targetPort": int64(i + 1)}
	}
	return ports
}

// TestAttacks makes sure that accounts of a tenant do no harm beyond their tenant, with the rights and policies that the examples write.
func TestAttacks(t *testing.T) {
	server, client := startServer(t)
	folder := golden.Folder(t)
	files, err := filepath.Glob(filepath.Join(folder, "management", "example-*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join(folder, "management", "isolation.yaml"))
	ensureNamespace(t, client, victim)
	used, tried := map[string]bool{}, 0
	for _, file := range files {
		example := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(example, func(t *testing.T) {
			documents, err := manifest.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			accounts := applyRights(t, client, documents)
			hasPolicy := slices.ContainsFunc(documents, func(d manifest.Document) bool { return d.Object.GetKind() == "ValidatingAdmissionPolicy" })
			for _, of := range accounts {
				try := attempts(t, server.Config, of)
				if of.name == publishing && hasPolicy {
					awaitServicePolicies(t, try)
					if err := try(harmless); err != nil {
						t.Errorf("%s must be able to %s: %v", of.name, harmless.name, err)
					}
				}
				for _, a := range attacks {
					err := try(a)
					reason := allowedFor(of.name, a.name)
					if !isRefused(err) && reason == "" {
						t.Errorf("%s may %s: %v", of.name, a.name, err)
					} else if !isRefused(err) {
						used[reason] = true
					}
				}
			}
			tried++
			t.Logf("%d accounts, %d attacks each", len(accounts), len(attacks))
		})
	}
	if tried == len(files) {
		checkUsed(t, used)
	}
}

// checkUsed makes sure that each reason for what is allowed is needed.
func checkUsed(t *testing.T, used map[string]bool) {
	t.Helper()
	for suffix, reasons := range allowed {
		for attack, reason := range reasons {
			if !used[reason] {
				t.Errorf("no account whose name ends with %s may %s: remove the reason", suffix, attack)
			}
		}
	}
}

// allowedFor returns why an account may do what is an attack elsewhere, or nothing.
func allowedFor(name, attack string) string {
	for suffix, reasons := range allowed {
		if strings.HasSuffix(name, suffix) && reasons[attack] != "" {
			return reasons[attack]
		}
	}
	return ""
}

// applyRights stores namespaces, rights and policies of a tenant, and returns the accounts that have these rights. They are removed at the end.
func applyRights(t *testing.T, client *cluster.Client, documents []manifest.Document) []account {
	t.Helper()
	kinds := []string{"Namespace", "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
		"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
	namespaces := map[string]bool{}
	accounts := map[string]account{}
	for _, kind := range kinds {
		for _, document := range documents {
			if document.Object.GetKind() != kind {
				continue
			}
			if namespace := document.Object.GetNamespace(); namespace != "" && !namespaces[namespace] {
				ensureNamespace(t, client, namespace)
				namespaces[namespace] = true
			}
			if _, _, err := client.Apply(t.Context(), document.Object, document.Raw); err != nil {
				t.Fatal(err)
			}
			if kind != "Namespace" {
				t.Cleanup(func() {
					if err := client.Remove(context.WithoutCancel(t.Context()), document.Object); err != nil {
						t.Error(err)
					}
				})
			}
			if strings.HasSuffix(kind, "Binding") && strings.HasPrefix(kind, "Role") {
				for _, of := range subjects(t, document.Object) {
					accounts[of.name] = of
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(accounts), func(a, b account) int { return strings.Compare(a.name, b.name) })
}

// ensureNamespace stores a namespace.
func ensureNamespace(t *testing.T, client *cluster.Client, name string) {
	t.Helper()
	err := client.Create(t.Context(), cluster.NewNamespace(name))
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

// subjects are the accounts that a binding of roles gives rights to.
func subjects(t *testing.T, binding *unstructured.Unstructured) []account {
	t.Helper()
	typed := &rbacv1.RoleBinding{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(binding.Object, typed); err != nil {
		t.Fatal(err)
	}
	var accounts []account
	for _, subject := range typed.Subjects {
		switch subject.Kind {
		case rbacv1.ServiceAccountKind:
			accounts = append(accounts, account{
				name: subject.Name, user: fmt.Sprintf("system:serviceaccount:%s:%s", subject.Namespace, subject.Name),
				groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + subject.Namespace, "system:authenticated"},
			})
		case rbacv1.GroupKind:
			accounts = append(accounts, account{name: subject.Name, user: "somebody", groups: []string{subject.Name, "system:authenticated"}})
		default:
			accounts = append(accounts, account{name: subject.Name, user: subject.Name, groups: []string{"system:authenticated"}})
		}
	}
	return accounts
}

// attempts returns what tries an attack as an account, in a dry run.
func attempts(t *testing.T, config *rest.Config, of account) func(attack) error {
	t.Helper()
	config = rest.CopyConfig(config)
	config.Impersonate = rest.ImpersonationConfig{UserName: of.user, Groups: of.groups}
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return func(a attack) error { return try(t.Context(), client, a) }
}

func try(ctx context.Context, client dynamic.Interface, a attack) error {
	parts := strings.Split(a.resource, "/")
	var group string
	if strings.Contains(parts[0], ".") || parts[0] == "apps" || parts[0] == "batch" {
		group, parts = parts[0], parts[1:]
	}
	version := parts[0]
	resource := client.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: parts[1]})
	var in dynamic.ResourceInterface = resource
	switch a.namespace {
	case "":
		in = resource.Namespace(tenantNamespace)
	case "-":
	default:
		in = resource.Namespace(a.namespace)
	}
	body := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(a.body)}
	dryRun := []string{metav1.DryRunAll}
	var err error
	switch a.verb {
	case "get":
		_, err = in.Get(ctx, a.object, metav1.GetOptions{}, parts[2:]...)
	case "list":
		_, err = in.List(ctx, metav1.ListOptions{})
	case "delete":
		err = in.Delete(ctx, a.object, metav1.DeleteOptions{DryRun: dryRun})
	case "patch":
		content, failed := body.MarshalJSON()
		if failed != nil {
			content = []byte("{}")
		}
		_, err = in.Patch(ctx, a.object, types.MergePatchType, content, metav1.PatchOptions{DryRun: dryRun}, parts[2:]...)
	default:
		asked := body.GetAnnotations()
		body.SetAPIVersion(strings.TrimPrefix(group+"/"+version, "/"))
		body.SetKind(kindOf(parts))
		if body.GetName() == "" {
			body.SetName(a.object)
		}
		var made *unstructured.Unstructured
		made, err = in.Create(ctx, body, metav1.CreateOptions{DryRun: dryRun}, parts[2:]...)
		if err == nil && len(asked) > len(made.GetAnnotations()) {
			return errDropped
		}
	}
	return err
}

// errDropped is what an attack comes to whose annotation does not reach the management cluster.
var errDropped = errors.New("the annotation is dropped")

// isRefused tells whether rights or policies stop an attack. Any other error comes after them.
func isRefused(err error) bool {
	return errors.Is(err, errDropped) || apierrors.IsForbidden(err) || (apierrors.IsInvalid(err) && strings.Contains(err.Error(), "ValidatingAdmissionPolicy"))
}

// kinds are those of resources whose objects are created.
var kinds = map[string]string{
	"serviceaccounts/token": "TokenRequest", "pods/eviction": "Eviction", "secrets": "Secret", "rolebindings": "RoleBinding", "roles": "Role",
	"clusterrolebindings": "ClusterRoleBinding", "clusterroles": "ClusterRole", "serviceaccounts": "ServiceAccount", "pods": "Pod", "deployments": "Deployment",
	"jobs": "Job", "persistentvolumes": "PersistentVolume", "datavolumes": "DataVolume", "services": "Service", "endpointslices": "EndpointSlice",
	"endpoints": "Endpoints", "mutatingwebhookconfigurations": "MutatingWebhookConfiguration", "networkpolicies": "NetworkPolicy", "namespaces": "Namespace",
	"virtualmachines": "VirtualMachine", "virtualmachineinstances": "VirtualMachineInstance", "helmreleases": "HelmRelease", "kustomizations": "Kustomization",
	"applications": "Application",
}

func kindOf(parts []string) string { return kinds[strings.Join(parts[1:], "/")] }

// awaitServicePolicies waits until the server holds requests of an account to the policies for Services, if there are some.
func awaitServicePolicies(t *testing.T, try func(attack) error) {
	t.Helper()
	probe := attacks[slices.IndexFunc(attacks, func(a attack) bool { return a.name == "take an address with externalIPs" })]
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, 30*time.Second, true, func(context.Context) (bool, error) {
		return isRefused(try(probe)), nil
	})
	if err != nil {
		t.Fatal("the policy is not in force: ", err)
	}
}
