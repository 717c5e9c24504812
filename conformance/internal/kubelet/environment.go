package kubelet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"conformance/internal/sandbox"
)

// environment returns the variables of the container.
func (c *container) environment(ctx context.Context, image *Image) (map[string]string, error) {
	api, err := c.worker.kubelet.client.CoreV1().Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("find the Service of the API server: %w", err)
	}
	env := map[string]string{
		"PATH":                    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOSTNAME":                c.worker.hostname(),
		"KUBERNETES_SERVICE_HOST": api.Spec.ClusterIP,
		"KUBERNETES_SERVICE_PORT": fmt.Sprint(api.Spec.Ports[0].Port),
	}
	for _, variable := range image.Env {
		if name, value, found := cutVariable(variable); found {
			env[name] = value
		}
	}
	for _, source := range c.spec.EnvFrom {
		if err := c.addAll(ctx, env, source); err != nil {
			return nil, err
		}
	}
	for _, variable := range c.spec.Env {
		value, found, err := c.value(ctx, variable, env)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", variable.Name, err)
		}
		if found {
			env[variable.Name] = value
		}
	}
	return env, nil
}

func (c *container) addAll(ctx context.Context, env map[string]string, source corev1.EnvFromSource) error {
	client, namespace := c.worker.kubelet.client.CoreV1(), c.worker.pod.Namespace
	var err error
	switch {
	case source.ConfigMapRef != nil:
		var configMap *corev1.ConfigMap
		if configMap, err = client.ConfigMaps(namespace).Get(ctx, source.ConfigMapRef.Name, metav1.GetOptions{}); err == nil {
			for key, value := range configMap.Data {
				env[source.Prefix+key] = value
			}
		} else if apierrors.IsNotFound(err) && first(false, source.ConfigMapRef.Optional) {
			err = nil
		}
	case source.SecretRef != nil:
		var secret *corev1.Secret
		if secret, err = client.Secrets(namespace).Get(ctx, source.SecretRef.Name, metav1.GetOptions{}); err == nil {
			for key, value := range secret.Data {
				env[source.Prefix+key] = string(value)
			}
		} else if apierrors.IsNotFound(err) && first(false, source.SecretRef.Optional) {
			err = nil
		}
	}
	return err
}

// value returns the value of a variable, and false for one whose optional source is missing.
func (c *container) value(ctx context.Context, variable corev1.EnvVar, env map[string]string) (string, bool, error) {
	client, namespace, from := c.worker.kubelet.client.CoreV1(), c.worker.pod.Namespace, variable.ValueFrom
	switch {
	case from == nil:
		return expand(variable.Value, env), true, nil
	case from.FieldRef != nil:
		value, err := c.worker.field(from.FieldRef.FieldPath)
		return value, true, err
	case from.ConfigMapKeyRef != nil:
		configMap, err := client.ConfigMaps(namespace).Get(ctx, from.ConfigMapKeyRef.Name, metav1.GetOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return "", false, err
		}
		value, found := configMap.Data[from.ConfigMapKeyRef.Key]
		return value, found, missing(found, from.ConfigMapKeyRef.Optional, "ConfigMap", from.ConfigMapKeyRef.Name, from.ConfigMapKeyRef.Key)
	case from.SecretKeyRef != nil:
		secret, err := client.Secrets(namespace).Get(ctx, from.SecretKeyRef.Name, metav1.GetOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return "", false, err
		}
		value, found := secret.Data[from.SecretKeyRef.Key]
		return string(value), found, missing(found, from.SecretKeyRef.Optional, "Secret", from.SecretKeyRef.Name, from.SecretKeyRef.Key)
	default:
		return "", false, fmt.Errorf("its source is none that runs here (fieldRef, configMapKeyRef, secretKeyRef)")
	}
}

func missing(found bool, optional *bool, kind, name, key string) error {
	if found || first(false, optional) {
		return nil
	}
	return fmt.Errorf("%s %s has no key %s, or does not exist", kind, name, key)
}

// field returns a field of the pod, as the downward API names it.
func (w *worker) field(path string) (string, error) {
	pod := w.pod
	for prefix, values := range map[string]map[string]string{"metadata.labels": pod.Labels, "metadata.annotations": pod.Annotations} {
		if key, found := strings.CutPrefix(path, prefix+"['"); found {
			return values[strings.TrimSuffix(key, "']")], nil
		}
	}
	switch path {
	case "metadata.name":
		return pod.Name, nil
	case "metadata.namespace":
		return pod.Namespace, nil
	case "metadata.uid":
		return string(pod.UID), nil
	case "spec.nodeName":
		return pod.Spec.NodeName, nil
	case "spec.serviceAccountName":
		return pod.Spec.ServiceAccountName, nil
	case "status.podIP", "status.podIPs":
		return w.address(), nil
	case "status.hostIP", "status.hostIPs":
		return sandbox.Node.String(), nil
	default:
		return "", fmt.Errorf("the field %s is none that runs here", path)
	}
}

// expand fills in $(NAME) with variables. What is unknown stays, and $$ is a dollar sign.
func expand(text string, env map[string]string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		text = after
		if rest, escaped := strings.CutPrefix(text, "$"); escaped {
			out.WriteByte('$')
			text = rest
			continue
		}
		out.WriteByte('$')
		if !strings.HasPrefix(text, "(") {
			continue
		}
		name, rest, closed := strings.Cut(text[1:], ")")
		value, known := env[name]
		if !closed || !known {
			continue
		}
		replaced := strings.TrimSuffix(out.String(), "$")
		out.Reset()
		out.WriteString(replaced + value)
		text = rest
	}
}

func cutVariable(variable string) (name, value string, found bool) { return strings.Cut(variable, "=") }

// hostname returns the host name of the pod's containers.
func (w *worker) hostname() string {
	if w.pod.Spec.Hostname != "" {
		return w.pod.Spec.Hostname
	}
	return w.pod.Name[:min(len(w.pod.Name), 63)]
}

// systemFiles are the files that a kubelet and an image bring into /etc.
var systemFiles = []string{"resolv.conf", "hosts", "passwd", "group"}

func (w *worker) writeSystemFiles() error {
	resolver := fmt.Sprintf("nameserver %s\nsearch %s.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n", w.kubelet.Resolver, w.pod.Namespace)
	contents := map[string]string{
		"resolv.conf": resolver,
		"hosts":       fmt.Sprintf("127.0.0.1 localhost\n%s %s\n", w.address(), w.hostname()),
		"passwd":      "root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
		"group":       "root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n",
	}
	for name, content := range contents {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o644); err != nil {
			return fmt.Errorf("write /etc/%s: %w", name, err)
		}
	}
	return nil
}

func (w *worker) systemMounts() []mount {
	mounts := make([]mount, 0, len(systemFiles))
	for _, name := range systemFiles {
		mounts = append(mounts, mount{Source: filepath.Join(w.dir, name), Target: "/etc/" + name})
	}
	return mounts
}
