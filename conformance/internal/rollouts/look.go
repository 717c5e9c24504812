package rollouts

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

// inPlace are the fields of a machine that Cluster API changes without replacing it.
var inPlace = [][]string{{"deletion"}, {"readinessGates"}, {"minReadySeconds"}, {"taints"}}

// snapshot is what there is of machines at a time.
type snapshot struct {
	// missing says what controllers still have to do, empty if nothing.
	missing string
	// sets are the MachineSets by their id, with the pool of each.
	sets     map[string]string
	machines map[string]*machine
}

// machine is what can differ of a machine that stays.
type machine struct {
	// Pool is empty for a machine of the control plane.
	Pool   string
	Fields map[string]any
}

func newSnapshot() *snapshot {
	return &snapshot{sets: map[string]string{}, machines: map[string]*machine{}}
}

// Kinds are those that a look reads.
var Kinds = []schema.GroupKind{live.MachineDeployment, live.MachineSet, live.Machine, live.KubeadmControlPlane}

// look reads the machines and what still has to happen.
func (c *cluster) look() (*snapshot, error) {
	lists := map[schema.GroupKind][]*live.Object{}
	for _, kind := range Kinds {
		list, err := c.watched.List(kind, c.namespace)
		if err != nil {
			return nil, err
		}
		lists[kind] = list
	}
	return lookAt(lists, c.generations), nil
}

// lookAt reads the objects of a cluster by kind, of which some have these generations at least.
func lookAt(lists map[schema.GroupKind][]*live.Object, generations map[string]int64) *snapshot {
	s := newSnapshot()
	s.readMachines(lists[live.Machine], lists[live.MachineSet])
	for key, generation := range generations {
		seen := slices.ContainsFunc(slices.Concat(lists[live.MachineDeployment], lists[live.KubeadmControlPlane]),
			func(object *live.Object) bool { return keyOf(object) == key })
		if !seen && generation != gone {
			s.missing += key + " has not been seen\n"
		}
	}
	for _, pool := range lists[live.MachineDeployment] {
		if s.isSeen(pool, generations) {
			s.lookAtPool(pool, lists[live.Machine], lists[live.MachineSet])
		}
	}
	for _, controlPlane := range lists[live.KubeadmControlPlane] {
		if s.isSeen(controlPlane, generations) {
			s.lookAtControlPlane(controlPlane)
		}
	}
	return s
}

// isSeen reports whether the watch and the controller have the last change of an object.
func (s *snapshot) isSeen(object *live.Object, generations map[string]int64) bool {
	switch {
	case live.IsDeleting(object) || generations[keyOf(object)] == gone:
		s.miss(object, "it is being deleted")
	case object.GetGeneration() < generations[keyOf(object)]:
		s.miss(object, "its last change has not been seen")
	case live.Int(object.Object, "status", "observedGeneration") != object.GetGeneration():
		s.miss(object, "its controller has not seen the last change")
	default:
		return true
	}
	return false
}

func (s *snapshot) miss(object *live.Object, format string, args ...any) {
	s.missing += fmt.Sprintf("%s: %s\n", live.Describe(object), fmt.Sprintf(format, args...))
}

// Machines are those of a cluster at a time.
type Machines struct{ *snapshot }

// ReadMachines returns what can be compared later.
func ReadMachines(machines, sets []live.Object) Machines {
	s := newSnapshot()
	s.readMachines(pointers(machines), pointers(sets))
	return Machines{s}
}

// Look reads the objects of a cluster, by kind.
func Look(lists map[schema.GroupKind][]*live.Object) Machines { return Machines{lookAt(lists, nil)} }

// Missing says what controllers still have to do, empty if nothing.
func (m Machines) Missing() string { return m.missing }

// Count is how many machines there are.
func (m Machines) Count() int { return len(m.machines) }

// Signature is the same for the same machines.
func (m Machines) Signature() string { return m.signature() }

// Compare tells what became of the machines of each pool, and of the control plane, since.
func (m Machines) Compare(after Machines) (pools map[string]Set, controlPlane Set) {
	return m.compare(after.snapshot)
}

// Outcome tells what became of the machines since.
func (m Machines) Outcome(id string, after Machines) Outcome {
	pools, controlPlane := m.compare(after.snapshot)
	return Outcome{ID: id, Pools: pools, ControlPlane: controlPlane}
}

func pointers(objects []live.Object) []*live.Object {
	all := make([]*live.Object, len(objects))
	for i := range objects {
		all[i] = &objects[i]
	}
	return all
}

func (s *snapshot) readMachines(machines, sets []*live.Object) {
	for _, set := range sets {
		s.sets[string(set.GetUID())] = set.GetLabels()[live.PoolLabel]
		if live.IsDeleting(set) {
			s.miss(set, "it is being deleted")
		}
	}
	for _, m := range machines {
		if live.IsDeleting(m) {
			s.miss(m, "it is being deleted")
		}
		if live.String(m.Object, "status", "nodeRef", "name") == "" {
			s.miss(m, "it has no node")
		}
		labels, annotations := m.GetLabels(), m.GetAnnotations()
		fields := map[string]any{"labels": labels, "annotations": annotations}
		for _, path := range append(inPlace, []string{"version"}) {
			fields[path[0]], _, _ = unstructured.NestedFieldCopy(m.Object, append([]string{"spec"}, path...)...)
		}
		s.machines[string(m.GetUID())] = &machine{Pool: labels[live.PoolLabel], Fields: fields}
	}
}

// lookAtPool notes what a MachineDeployment waits for.
func (s *snapshot) lookAtPool(pool *live.Object, machines, sets []*live.Object) {
	size := live.Int(pool.Object, "spec", "replicas")
	onDelete := live.String(pool.Object, "spec", "rollout", "strategy", "type") == "OnDelete"
	counts := []string{"replicas", "readyReplicas", "availableReplicas"}
	if !onDelete {
		counts = append(counts, "upToDateReplicas")
	}
	s.lookAtCounts(pool, size, pool.GetName(), counts...)
	for _, set := range sets {
		if set.GetLabels()[live.PoolLabel] != pool.GetName() {
			continue
		}
		if live.Int(set.Object, "status", "observedGeneration") != set.GetGeneration() ||
			live.Int(set.Object, "status", "replicas") != live.Int(set.Object, "spec", "replicas") {
			s.miss(set, "its controller has not reached its number of machines")
		}
	}
	if onDelete {
		return
	}
	template, _, _ := unstructured.NestedMap(pool.Object, "spec", "template")
	for _, m := range machines {
		if m.GetLabels()[live.PoolLabel] == pool.GetName() && !carries(m, template) {
			s.miss(m, "what changes in place has not reached it")
		}
	}
}

// carries reports whether a machine has what the template of its pool says and is changed in place.
func carries(machine *live.Object, template map[string]any) bool {
	for _, field := range []string{"labels", "annotations"} {
		got := live.Strings(machine.Object, "metadata", field)
		for key, value := range live.Strings(template, "metadata", field) {
			if got[key] != value {
				return false
			}
		}
	}
	for _, path := range inPlace {
		want, _, _ := unstructured.NestedFieldCopy(template, append([]string{"spec"}, path...)...)
		got, _, _ := unstructured.NestedFieldCopy(machine.Object, append([]string{"spec"}, path...)...)
		if want != nil && !hasAll(got, want) {
			return false
		}
	}
	return true
}

// hasAll reports whether a value is the wanted one, beside fields that a webhook adds.
func hasAll(got, want any) bool {
	wanted, isObject := want.(map[string]any)
	fields, _ := got.(map[string]any)
	if !isObject || fields == nil {
		return reflect.DeepEqual(want, got)
	}
	for key, value := range wanted {
		if !hasAll(fields[key], value) {
			return false
		}
	}
	return true
}

// lookAtControlPlane notes what a KubeadmControlPlane waits for.
func (s *snapshot) lookAtControlPlane(controlPlane *live.Object) {
	size := live.Int(controlPlane.Object, "spec", "replicas")
	s.lookAtCounts(controlPlane, size, "", "replicas", "readyReplicas", "availableReplicas", "upToDateReplicas")
}

// lookAtCounts notes counts of a status that are not reached, and machines that are not counted: each kind is watched on its own, and one watch may be behind.
func (s *snapshot) lookAtCounts(owner *live.Object, size int64, pool string, fields ...string) {
	for _, field := range fields {
		if got := live.Int(owner.Object, "status", field); got != size {
			s.miss(owner, "status.%s is %d, not %d", field, got, size)
		}
	}
	var seen int64
	for _, m := range s.machines {
		if m.Pool == pool {
			seen++
		}
	}
	if seen != size {
		s.miss(owner, "%d machines have been seen, not %d", seen, size)
	}
}

// signature is the same for snapshots with the same machines.
func (s *snapshot) signature() string {
	text, err := json.Marshal([]any{s.sets, s.machines})
	if err != nil {
		panic(err) // Maps of strings and of what JSON had.
	}
	return string(text)
}

// compare tells what became of the machines of each pool, and of the control plane.
func (s *snapshot) compare(after *snapshot) (pools map[string]Set, controlPlane Set) {
	all := map[string]*Set{"": {Changed: []string{}}}
	of := func(pool string) *Set {
		if all[pool] == nil {
			all[pool] = &Set{Changed: []string{}}
		}
		return all[pool]
	}
	for id, old := range s.machines {
		set := of(old.Pool)
		set.Before++
		if now := after.machines[id]; now != nil {
			set.Kept++
			set.Changed = append(set.Changed, differing(old, now)...)
		}
	}
	for _, now := range after.machines {
		of(now.Pool).After++
	}
	for id, pool := range after.sets {
		set := of(pool)
		if _, known := s.sets[id]; !known {
			set.NewSets++
		}
	}
	for _, pool := range s.sets {
		of(pool)
	}
	pools = map[string]Set{}
	for name, set := range all {
		slices.Sort(set.Changed)
		set.Changed = slices.Compact(set.Changed)
		if name == "" {
			controlPlane = *set
		} else {
			pools[name] = *set
		}
	}
	return pools, controlPlane
}

func differing(before, after *machine) []string {
	var fields []string
	for _, field := range slices.Sorted(maps.Keys(after.Fields)) {
		if !reflect.DeepEqual(before.Fields[field], after.Fields[field]) {
			fields = append(fields, field)
		}
	}
	return fields
}
