package kubelet

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Modes of files and directories, as a kubelet makes them. A group that owns a volume may read and write it, and new files belong to the group.
const (
	openDirectory  = 0o777
	readOnlyShared = 0o440
	groupDirectory = os.ModeSetgid | 0o770
)

// volumeFile is a file of a volume.
type volumeFile struct {
	path    string
	content []byte
	mode    os.FileMode
}

// nodeDirectories are those that a node has before a pod runs there.
var nodeDirectories = []string{"dev", "run/udev", "var/lib/kubelet/plugins", "var/lib/kubelet/plugins_registry", "var/lib/kubelet/pods"}

// volumeDir is where the files of a volume are: those of a hostPath are in the file system of the node.
func (w *worker) volumeDir(name string) string {
	for _, volume := range w.pod.Spec.Volumes {
		if volume.Name == name && volume.HostPath != nil {
			return filepath.Join(w.nodeDir(), volume.HostPath.Path)
		}
	}
	return filepath.Join(w.dir, "volumes", name)
}

func (w *worker) nodeDir() string { return filepath.Join(w.kubelet.Dir, "nodes", w.pod.Spec.NodeName) }

// findHostPath finds a directory of the node, or makes it if it may.
func (w *worker) findHostPath(volume *corev1.Volume) error {
	for _, directory := range nodeDirectories {
		if err := os.MkdirAll(filepath.Join(w.nodeDir(), directory), 0o755); err != nil {
			return fmt.Errorf("make the file system of the node: %w", err)
		}
	}
	directory := w.volumeDir(volume.Name)
	switch kind := first(corev1.HostPathUnset, volume.HostPath.Type); kind {
	case corev1.HostPathDirectory:
		if info, err := os.Stat(directory); err != nil || !info.IsDir() {
			return fmt.Errorf("the node has no directory %s", volume.HostPath.Path)
		}
		return nil
	case corev1.HostPathUnset, corev1.HostPathDirectoryOrCreate:
		return os.MkdirAll(directory, 0o755)
	default:
		return fmt.Errorf("a hostPath of type %s does not run here", kind)
	}
}

// isReadOnlyVolume reports whether nobody may write to a volume, whatever the mount says.
func (w *worker) isReadOnlyVolume(name string) bool {
	for _, volume := range w.pod.Spec.Volumes {
		if volume.Name == name {
			return volume.Secret != nil || volume.ConfigMap != nil || volume.Projected != nil || volume.DownwardAPI != nil
		}
	}
	return false
}

// writeVolumes brings all volumes of the pod up to date.
func (w *worker) writeVolumes(ctx context.Context) error {
	for i := range w.pod.Spec.Volumes {
		volume := &w.pod.Spec.Volumes[i]
		if err := w.writeVolume(ctx, volume); err != nil {
			return fmt.Errorf("volume %s: %w", volume.Name, err)
		}
	}
	return nil
}

func (w *worker) writeVolume(ctx context.Context, volume *corev1.Volume) error {
	if volume.HostPath != nil {
		return w.findHostPath(volume)
	}
	files, err := w.filesOf(ctx, volume)
	if err != nil {
		return err
	}
	dir := w.volumeDir(volume.Name)
	if err := os.MkdirAll(dir, openDirectory); err != nil {
		return err
	}
	group := -1
	if context := w.pod.Spec.SecurityContext; context != nil && context.FSGroup != nil {
		group = int(*context.FSGroup)
	}
	if volume.EmptyDir != nil {
		if err := os.Chmod(dir, openDirectory); err != nil {
			return err
		}
		if group >= 0 {
			if err := os.Chown(dir, -1, group); err != nil {
				return err
			}
			return os.Chmod(dir, groupDirectory|openDirectory)
		}
		return nil
	}
	wanted := map[string]bool{}
	for _, file := range files {
		wanted[file.path] = true
		if err := file.write(dir, group); err != nil {
			return err
		}
	}
	return removeOthers(dir, wanted)
}

// write replaces the file at once, and only if it differs.
func (f volumeFile) write(dir string, group int) error {
	path := filepath.Join(dir, f.path)
	if stored, err := os.ReadFile(path); err == nil && bytes.Equal(stored, f.content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := f.mode
	if group >= 0 {
		mode |= readOnlyShared
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, f.content, 0o600); err != nil {
		return err
	}
	if group >= 0 {
		if err := os.Chown(temporary, -1, group); err != nil {
			return err
		}
	}
	if err := os.Chmod(temporary, mode); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// removeOthers removes files that are not wanted any more.
func removeOthers(dir string, wanted map[string]bool) error {
	return filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || wanted[name] {
			return err
		}
		return os.Remove(path)
	})
}

// filesOf returns the files of a volume.
func (w *worker) filesOf(ctx context.Context, volume *corev1.Volume) ([]volumeFile, error) {
	switch {
	case volume.EmptyDir != nil:
		return nil, nil
	case volume.Secret != nil:
		source := volume.Secret
		return w.secretFiles(ctx, source.SecretName, source.Items, first(false, source.Optional), first(corev1.SecretVolumeSourceDefaultMode, source.DefaultMode))
	case volume.ConfigMap != nil:
		source := volume.ConfigMap
		return w.configMapFiles(ctx, source.Name, source.Items, first(false, source.Optional), first(corev1.ConfigMapVolumeSourceDefaultMode, source.DefaultMode))
	case volume.DownwardAPI != nil:
		return w.fieldFiles(volume.DownwardAPI.Items, first(corev1.DownwardAPIVolumeSourceDefaultMode, volume.DownwardAPI.DefaultMode))
	case volume.Projected != nil:
		return w.projectedFiles(ctx, volume.Projected)
	default:
		return nil, fmt.Errorf("its kind is none that runs here (emptyDir, hostPath, secret, configMap, downwardAPI, projected)")
	}
}

func (w *worker) projectedFiles(ctx context.Context, projected *corev1.ProjectedVolumeSource) ([]volumeFile, error) {
	mode := first(corev1.ProjectedVolumeSourceDefaultMode, projected.DefaultMode)
	var all []volumeFile
	for _, source := range projected.Sources {
		var files []volumeFile
		var err error
		switch {
		case source.Secret != nil:
			files, err = w.secretFiles(ctx, source.Secret.Name, source.Secret.Items, first(false, source.Secret.Optional), mode)
		case source.ConfigMap != nil:
			files, err = w.configMapFiles(ctx, source.ConfigMap.Name, source.ConfigMap.Items, first(false, source.ConfigMap.Optional), mode)
		case source.DownwardAPI != nil:
			files, err = w.fieldFiles(source.DownwardAPI.Items, mode)
		case source.ServiceAccountToken != nil:
			files, err = w.tokenFile(ctx, source.ServiceAccountToken, mode)
		default:
			err = fmt.Errorf("one of its sources is none that runs here (secret, configMap, downwardAPI, serviceAccountToken)")
		}
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

func (w *worker) secretFiles(ctx context.Context, name string, items []corev1.KeyToPath, optional bool, mode int32) ([]volumeFile, error) {
	secret, err := w.kubelet.client.CoreV1().Secrets(w.pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && optional {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return keyFiles("Secret "+name, secret.Data, items, optional, mode)
}

func (w *worker) configMapFiles(ctx context.Context, name string, items []corev1.KeyToPath, optional bool, mode int32) ([]volumeFile, error) {
	configMap, err := w.kubelet.client.CoreV1().ConfigMaps(w.pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && optional {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data := map[string][]byte{}
	for key, value := range configMap.Data {
		data[key] = []byte(value)
	}
	for key, value := range configMap.BinaryData {
		data[key] = value
	}
	return keyFiles("ConfigMap "+name, data, items, optional, mode)
}

// keyFiles returns all keys as files, or those that are named.
func keyFiles(owner string, data map[string][]byte, items []corev1.KeyToPath, optional bool, mode int32) ([]volumeFile, error) {
	var files []volumeFile
	if items == nil {
		for key, content := range data {
			files = append(files, volumeFile{key, content, os.FileMode(mode)})
		}
		return files, nil
	}
	for _, item := range items {
		content, found := data[item.Key]
		if !found {
			if optional {
				continue
			}
			return nil, fmt.Errorf("%s has no key %s", owner, item.Key)
		}
		files = append(files, volumeFile{item.Path, content, os.FileMode(first(mode, item.Mode))})
	}
	return files, nil
}

func (w *worker) fieldFiles(items []corev1.DownwardAPIVolumeFile, mode int32) ([]volumeFile, error) {
	var files []volumeFile
	for _, item := range items {
		if item.FieldRef == nil {
			return nil, fmt.Errorf("the file %s is not of a field, which is all that runs here", item.Path)
		}
		value, err := w.field(item.FieldRef.FieldPath)
		if err != nil {
			return nil, err
		}
		files = append(files, volumeFile{item.Path, []byte(value), os.FileMode(first(mode, item.Mode))})
	}
	return files, nil
}

// tokenFile returns a token of the pod's ServiceAccount. It is asked for once: no run is longer than a token lives.
func (w *worker) tokenFile(ctx context.Context, source *corev1.ServiceAccountTokenProjection, mode int32) ([]volumeFile, error) {
	path := filepath.Join(w.dir, "token-"+filepath.Base(source.Path))
	token, err := os.ReadFile(path)
	if err != nil {
		request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
			ExpirationSeconds: source.ExpirationSeconds,
			BoundObjectRef:    &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: w.pod.Name, UID: w.pod.UID},
		}}
		if source.Audience != "" {
			request.Spec.Audiences = []string{source.Audience}
		}
		answer, err := w.kubelet.client.CoreV1().ServiceAccounts(w.pod.Namespace).CreateToken(ctx, w.pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
		if err != nil {
			return nil, fmt.Errorf("token of ServiceAccount %s: %w", w.pod.Spec.ServiceAccountName, err)
		}
		token = []byte(answer.Status.Token)
		if err := os.WriteFile(path, token, 0o600); err != nil {
			return nil, err
		}
	}
	// As a kubelet does it where all containers run as one user or a group owns the volume.
	if w.pod.Spec.SecurityContext == nil || w.pod.Spec.SecurityContext.FSGroup == nil {
		return []volumeFile{{source.Path, token, os.FileMode(mode)}}, nil
	}
	return []volumeFile{{source.Path, token, 0o600}}, nil
}
