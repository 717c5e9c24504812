package programs

import (
	"slices"
	"strings"
	"testing"
)

func TestNodesOfEachMinorHaveTheirOwnPrograms(t *testing.T) {
	table := read(t, "../..")
	for _, minor := range []string{"1.33", "1.34", "1.35", "1.36", "1.37"} {
		tools, err := table.NodeTools("v" + minor + ".1")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range tools.Names() {
			if found, err := table.find(name); err != nil || !strings.HasPrefix(found.Version, "v"+minor+".") {
				t.Errorf("%s is built with Kubernetes %s (%v)", name, found.Version, err)
			}
		}
	}
}

func TestNodesOfAnotherMinorCannotBeMade(t *testing.T) {
	if _, err := read(t, "../..").NodeTools("v1.32.7"); err == nil || !strings.HasPrefix(err.Error(), `nodes of Kubernetes v1.32.7: no program "kubeadm-1.32" can be built`) {
		t.Errorf("error %v", err)
	}
}

func TestProgramsOfNodesAreBuiltOnlyWhereTheyAreNamed(t *testing.T) {
	if names := read(t, "../..").Names(); slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "kubeadm-") }) {
		t.Errorf("among all programs: %v", names)
	}
}

func TestNodesOfTheNewestMinorAreBuiltWithTheServersModule(t *testing.T) {
	dir := newTable(t)
	before := keyOf(t, dir, "kubelet-config-1.37")
	write(t, dir, map[string]string{"servers/go.sum": "changed"})
	if keyOf(t, dir, "kubelet-config-1.37") == before {
		t.Error("the key stays when go.sum of the servers changes")
	}
}
