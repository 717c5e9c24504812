package gitops

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"conformance/internal/live"
)

// definitionGroups are the groups whose definitions a chart installs, by the name of the chart. The objects of these groups
// that are delivered into a tenant wait for them (piraeusdatastore/helm-charts charts/snapshot-controller/templates/crds.yaml).
var definitionGroups = map[string][]string{
	"snapshot-controller": {"snapshot.storage.k8s.io"},
}

// valuesTemplate is the one object of each chart. It shows what the chart was given.
const valuesTemplate = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}` + valuesSuffix + `
  namespace: {{ .Release.Namespace }}
  labels:
    conformance: values
data:
  chart: {{ .Chart.Name }}
  version: {{ .Chart.Version | quote }}
  values.json: {{ .Values | toJson | quote }}
`

// definitionsTemplate has the same condition as the chart whose place it takes.
const definitionsTemplate = `{{ if .Values.installCRDs }}{{ .Files.Get "definitions.yaml" }}{{ end }}`

// HookValue is the value of a chart, on the top level, that gives it a hook: an object with the namespace in which the hook creates
// a ConfigMap, and optionally the events of Helm at which it does. The hook fails for as long as that namespace does not exist.
const HookValue = "conformanceHook"

const hookTemplate = `{{- with .Values.` + HookValue + ` }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $.Release.Name }}-hook
  namespace: {{ .namespace }}
  annotations:
    helm.sh/hook: {{ .events | default "pre-install,pre-upgrade" }}
    helm.sh/hook-delete-policy: before-hook-creation
{{- end }}
`

// UnreadyValue is the value of a chart, on the top level, that gives it a Deployment that nobody makes ready.
const UnreadyValue = "conformanceUnready"

const unreadyTemplate = `{{- if .Values.` + UnreadyValue + ` }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
spec:
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: main, image: registry.example.com/main}]}
{{- end }}
`

// metadata is the head of a chart, as the chart and the index of a repository have it.
func (r request) metadata() map[string]any {
	return map[string]any{"apiVersion": "v2", "name": r.name, "version": r.version}
}

// archive returns the packed chart. The definitions are those of all charts.
func (r request) archive(definitions []*live.Object) ([]byte, error) {
	metadata, err := yaml.Marshal(r.metadata())
	if err != nil {
		return nil, fmt.Errorf("encode the metadata of chart %s: %w", r.name, err)
	}
	files := [][2]string{
		{"Chart.yaml", string(metadata)},
		{"templates/values.yaml", valuesTemplate},
		{"templates/hook.yaml", hookTemplate},
		{"templates/unready.yaml", unreadyTemplate},
	}
	if groups := definitionGroups[r.name]; groups != nil {
		text, err := definitionsOf(groups, definitions)
		if err != nil {
			return nil, fmt.Errorf("chart %s: %w", r.name, err)
		}
		files = append(files, [2]string{"definitions.yaml", text}, [2]string{"templates/definitions.yaml", definitionsTemplate})
	}
	packed, err := r.pack(files)
	if err != nil {
		return nil, fmt.Errorf("pack chart %s: %w", r.name, err)
	}
	return packed, nil
}

// archiveName is the name of the packed chart in a repository.
func (r request) archiveName() string { return r.name + "-" + r.version + ".tgz" }

// pack writes files, each a path and a content, into an archive.
func (r request) pack(files [][2]string) ([]byte, error) {
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	archive := tar.NewWriter(compressed)
	for _, file := range files {
		path, content := file[0], file[1]
		header := &tar.Header{Name: r.name + "/" + path, Mode: 0o644, Size: int64(len(content))}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write([]byte(content)); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(archive.Close(), compressed.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// definitionsOf returns the definitions of some groups as YAML. Each group must have one.
func definitionsOf(groups []string, definitions []*live.Object) (string, error) {
	var out strings.Builder
	missing := slices.Clone(groups)
	for _, definition := range definitions {
		group := live.String(definition.Object, "spec", "group")
		if !slices.Contains(groups, group) {
			continue
		}
		missing = slices.DeleteFunc(missing, func(other string) bool { return other == group })
		text, err := yaml.Marshal(definition.Object)
		if err != nil {
			return "", fmt.Errorf("encode definition %s: %w", definition.GetName(), err)
		}
		out.WriteString("---\n" + string(text))
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("no definition of %s is known: see CRDS_DIR", strings.Join(missing, ", "))
	}
	return out.String(), nil
}
