package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"conformance/internal/golden"
	"conformance/internal/manifest"
	"conformance/internal/programs"
)

// monitoringExample has the rules of a management cluster, of tenants with each kind of control plane, and of one that sleeps.
const monitoringExample = "example-monitoring"

// promtoolPath returns the path of Prometheus' tool, which checks and tests rules: that of the variable PROMTOOL, else the one that is built.
func promtoolPath(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PROMTOOL"); path != "" {
		return path
	}
	table, err := programs.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	unbuilt, err := table.Unbuilt(programs.Options{}, "promtool")
	if err != nil {
		t.Fatal(err)
	}
	if len(unbuilt) > 0 && os.Getenv("CONFORMANCE_BUILD") == "" {
		t.Skip("promtool must be built first, which takes minutes: set CONFORMANCE_BUILD=true")
	}
	built, missing, err := table.Build(t.Context(), programs.Options{Log: t.Logf}, "promtool")
	if err != nil || len(missing) > 0 {
		t.Fatal(err, missing)
	}
	return built[0].Path
}

// writeRules writes the rules of an output to files for Prometheus, each named after its cluster, and returns their paths.
func writeRules(t *testing.T, documents []manifest.Document) []string {
	t.Helper()
	folder := t.TempDir()
	var paths []string
	for _, document := range documents {
		if document.Object.GetKind() != "PrometheusRule" {
			continue
		}
		text, err := yaml.Marshal(document.Object.Object["spec"])
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, document.Object.GetName()+".yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func runTool(t *testing.T, program string, args ...string) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", program, strings.Join(args, " "), err, output)
	}
	return string(output)
}

// TestAlertsAreRules checks names, expressions and templates of all alerts, as Prometheus does when it loads them.
func TestAlertsAreRules(t *testing.T) {
	promtool := promtoolPath(t)
	paths := writeRules(t, golden.Read(t, "management", monitoringExample))
	if len(paths) != 3 {
		t.Fatalf("%d clusters have rules, and one that sleeps has none: %v", len(paths), paths)
	}
	runTool(t, promtool, append([]string{"check", "rules", "--lint=all", "--lint-fatal"}, paths...)...)
}

// TestAlertsFire shows each alert the metrics of a cluster that is as its page declares it, with one thing that is not: this alert fires after its time, and
// no other.
func TestAlertsFire(t *testing.T) {
	promtool := promtoolPath(t)
	paths := writeRules(t, golden.Read(t, "management", monitoringExample))
	folder := filepath.Dir(paths[0])
	seen := map[string]bool{}
	for cluster, cases := range alertCases {
		tests := make([]map[string]any, 0, len(cases))
		for _, one := range cases {
			tests = append(tests, one.promtool(wellSeries[cluster]))
			for _, alert := range one.fires {
				seen[alert] = true
			}
		}
		text, err := yaml.Marshal(map[string]any{"rule_files": []string{cluster + ".yaml"}, "evaluation_interval": "1m", "tests": tests})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, cluster+".test.yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		runTool(t, promtool, "test", "rules", path)
	}
	for _, alert := range declaredNames(t, paths) {
		if !seen[alert] {
			t.Errorf("no case lets %s fire", alert)
		}
	}
}

// declaredNames returns the names of all alerts in files of rules.
func declaredNames(t *testing.T, paths []string) []string {
	names := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if _, name, found := strings.Cut(line, "- alert: "); found {
				names[strings.TrimSpace(name)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// alertCase is the state of a cluster, and what fires then.
type alertCase struct {
	name string
	// series are those that differ from a cluster in order, each with its values; without values it is left out.
	series map[string]string
	// at is the time at which the alerts fire, and before not yet.
	before, at string
	fires      []string
}

// promtool returns the case as a test of Prometheus' tool.
func (c alertCase) promtool(well map[string]string) map[string]any {
	all := maps.Clone(well)
	maps.Copy(all, c.series)
	input := []map[string]string{}
	for _, series := range slices.Sorted(maps.Keys(all)) {
		if all[series] != "" {
			input = append(input, map[string]string{"series": series, "values": all[series]})
		}
	}
	fires := []map[string]any{}
	for _, alert := range c.fires {
		fires = append(fires, map[string]any{"labels": fmt.Sprintf("{alertname=%q}", alert), "value": 1})
	}
	const firing = `group by (alertname) (ALERTS{alertstate="firing"})`
	expressions := []map[string]any{{"expr": firing, "eval_time": c.at, "exp_samples": fires}}
	if c.before != "" {
		expressions = append(expressions, map[string]any{"expr": firing, "eval_time": c.before, "exp_samples": []any{}})
	}
	return map[string]any{"name": c.name, "interval": "1m", "input_series": input, "promql_expr_test": expressions}
}
