package check

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Allowance is a field that a server adds to objects of a kind and that the library leaves out for a reason.
type Allowance struct {
	// APIVersion and Kind of the objects.
	APIVersion, Kind string
	// Path is the field, with [] for any item of a list.
	Path string
	// Reason says why the field is left out.
	Reason string
	// Only limits the allowance to some objects, unless it is nil.
	Only func(object *unstructured.Unstructured) bool
}

// The reasons that several fields share.
const (
	constantDefault = "the default is the same constant on every server, in the stable API since its first release: " +
		"nobody else sets the field, and a second apply does not change it"
	deprecatedAlias  = "the server mirrors serviceAccountName to this deprecated alias, which manifests should not have"
	writtenByServer  = "the server writes this on every namespace, whoever makes it"
	ownedByScaler    = "the cluster autoscaler owns the number of machines: a manifest that had it would undo its work on every apply"
	podTemplate      = "spec.template.spec."
	autoscalerPrefix = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-"
)

// Allowances returns all drift that is allowed. Everything else is a disagreement, and so is an allowance that nothing needs.
func Allowances() []Allowance {
	allowances := []Allowance{
		{APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "MachineDeployment", Path: "spec.replicas", Reason: ownedByScaler, Only: hasAutoscalerBounds},
		{APIVersion: "v1", Kind: "Namespace", Path: `metadata.labels["kubernetes.io/metadata.name"]`, Reason: writtenByServer},
		{APIVersion: "v1", Kind: "Namespace", Path: "spec.finalizers", Reason: writtenByServer},
		deployment(podTemplate+"serviceAccount", deprecatedAlias),
		cronJob("spec.jobTemplate."+podTemplate+"serviceAccount", deprecatedAlias),
		cronJob("spec.suspend", constantDefault),
	}
	for _, path := range []string{
		"spec.progressDeadlineSeconds",
		"spec.revisionHistoryLimit",
		podTemplate + "containers[].terminationMessagePath",
		podTemplate + "containers[].terminationMessagePolicy",
		podTemplate + "dnsPolicy",
		podTemplate + "initContainers[].terminationMessagePath",
		podTemplate + "initContainers[].terminationMessagePolicy",
		podTemplate + "restartPolicy",
		podTemplate + "schedulerName",
		podTemplate + "terminationGracePeriodSeconds",
		podTemplate + "volumes[].configMap.defaultMode",
	} {
		allowances = append(allowances, deployment(path, constantDefault))
	}
	for _, path := range []string{
		"containers[].terminationMessagePath",
		"containers[].terminationMessagePolicy",
		"dnsPolicy",
		"schedulerName",
		"terminationGracePeriodSeconds",
	} {
		allowances = append(allowances, cronJob("spec.jobTemplate."+podTemplate+path, constantDefault))
	}
	return allowances
}

func cronJob(path, reason string) Allowance {
	return Allowance{APIVersion: "batch/v1", Kind: "CronJob", Path: path, Reason: reason}
}

func deployment(path, reason string) Allowance {
	return Allowance{APIVersion: "apps/v1", Kind: "Deployment", Path: path, Reason: reason}
}

// hasAutoscalerBounds reports whether an object is scaled by the cluster autoscaler's provider for Cluster API.
func hasAutoscalerBounds(object *unstructured.Unstructured) bool {
	bounds := 0
	for key := range object.GetAnnotations() {
		if name, ok := strings.CutPrefix(key, autoscalerPrefix); ok && (name == "min-size" || name == "max-size") {
			bounds++
		}
	}
	return bounds == 2
}
