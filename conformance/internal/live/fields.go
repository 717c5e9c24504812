package live

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// String returns a text field, or nothing.
func String(object map[string]any, path ...string) string {
	value, _, _ := unstructured.NestedString(object, path...)
	return value
}

// Int returns a whole number, or 0.
func Int(object map[string]any, path ...string) int64 {
	value, _, _ := unstructured.NestedInt64(object, path...)
	return value
}

// Bool returns a truth value, or false.
func Bool(object map[string]any, path ...string) bool {
	value, _, _ := unstructured.NestedBool(object, path...)
	return value
}

// Scaled returns a bound of a rollout, which is a number of machines or a percentage of the size.
func Scaled(value any, size int64, roundUp bool) (int64, error) {
	var parsed intstr.IntOrString
	switch typed := value.(type) {
	case int64:
		parsed = intstr.FromInt32(int32(typed))
	case string:
		parsed = intstr.FromString(typed)
	default:
		return 0, fmt.Errorf("a bound of the rollout is %v, neither a number nor a percentage", value)
	}
	number, err := intstr.GetScaledValueFromIntOrPercent(&parsed, int(size), roundUp)
	return int64(number), err
}

// Strings returns a field with texts by name, such as labels.
func Strings(object map[string]any, path ...string) map[string]string {
	value, _, _ := unstructured.NestedStringMap(object, path...)
	return value
}

// Maps returns the objects of a list.
func Maps(object map[string]any, path ...string) []map[string]any {
	list, _, _ := unstructured.NestedSlice(object, path...)
	maps := make([]map[string]any, 0, len(list))
	for _, item := range list {
		if fields, ok := item.(map[string]any); ok {
			maps = append(maps, fields)
		}
	}
	return maps
}

// SecretData returns the content of a key of a Secret.
func SecretData(secret *Object, key string) ([]byte, error) {
	encoded, found, _ := unstructured.NestedString(secret.Object, "data", key)
	if !found {
		return nil, fmt.Errorf("Secret %s has no key %s", secret.GetName(), key)
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("Secret %s, key %s: %w", secret.GetName(), key, err)
	}
	return data, nil
}

// OwnerRef returns a reference that makes owner the controller of another object.
func OwnerRef(owner *Object) metav1.OwnerReference {
	return *metav1.NewControllerRef(owner, owner.GroupVersionKind())
}

// HasOwner reports whether an object of this kind is among the owners.
func HasOwner(object *Object, kind string) bool {
	return slices.ContainsFunc(object.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return ref.Kind == kind })
}

// Owners names the owners of an object, on which the garbage collector waits.
func Owners(object *Object) string {
	var owners []string
	for _, ref := range object.GetOwnerReferences() {
		owners = append(owners, ref.Kind+" "+ref.Name)
	}
	if len(owners) == 0 {
		return "nobody"
	}
	return strings.Join(owners, ", ")
}

// IsDeleting reports whether the object waits for its finalizers.
func IsDeleting(object *Object) bool { return object.GetDeletionTimestamp() != nil }

// Describe shows what a person needs who wonders why an object makes no progress:
// its phase, whether it is being deleted, and the conditions that are not as they should be.
func Describe(object *Object) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s", object.GetKind(), object.GetName())
	if phase := String(object.Object, "status", "phase"); phase != "" {
		fmt.Fprintf(&out, ", phase %s", phase)
	}
	if IsDeleting(object) {
		fmt.Fprintf(&out, ", being deleted, finalizers %v", object.GetFinalizers())
	}
	for _, condition := range Maps(object.Object, "status", "conditions") {
		if isUnwanted(condition) {
			fmt.Fprintf(&out, "\n      %s=%s %s: %s", condition["type"], condition["status"],
				String(condition, "reason"), strings.ReplaceAll(String(condition, "message"), "\n", "; "))
		}
	}
	return out.String()
}

// isUnwanted reports whether a condition says that something is missing.
func isUnwanted(condition map[string]any) bool {
	switch String(condition, "type") {
	case "Deleting", "Paused", "Remediating", "RollingOut", "ScalingDown", "ScalingUp", "Updating":
		return String(condition, "status") != "False"
	default:
		return String(condition, "status") != "True"
	}
}

// MissingCondition returns why a condition is not true, or nothing.
func MissingCondition(object *Object, kind string) string {
	for _, condition := range Maps(object.Object, "status", "conditions") {
		if String(condition, "type") == kind {
			if String(condition, "status") == "True" {
				return ""
			}
			return fmt.Sprintf("%s is %s: %s %s", kind, String(condition, "status"), String(condition, "reason"), String(condition, "message"))
		}
	}
	return "there is no condition " + kind
}
