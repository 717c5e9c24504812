// Package windows compares sync windows of Argo CD with what the library says of them.
package windows

import (
	"encoding/json"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// windowCase is an Application in a project, and the instants at which the library says that it may sync.
type windowCase struct {
	Project     v1alpha1.AppProject
	Application v1alpha1.Application
	// Instants are in ascending order, by the time in RFC 3339.
	Instants []struct {
		Time  time.Time
		Syncs bool
	}
}

// TestWindows asks Argo CD's own code at each instant: the clock of the test is moved on.
func TestWindows(t *testing.T) {
	command := exec.CommandContext(t.Context(), "node", "-r", "./scripts/esbuild-register.js", "scripts/conformance/windows/cases.ts", "100")
	command.Dir = "../../.."
	output, err := command.Output()
	if err != nil {
		t.Skip("the cases take the packages of npm: ", err)
	}
	var cases []windowCase
	if err := json.Unmarshal(output, &cases); err != nil {
		t.Fatal(err)
	}
	var compared, open int
	for number, one := range cases {
		synctest.Test(t, func(t *testing.T) {
			for _, instant := range one.Instants {
				time.Sleep(time.Until(instant.Time))
				syncs, err := one.Project.Spec.SyncWindows.Matches(&one.Application).CanSync(false, nil)
				if err != nil {
					t.Fatal(err)
				}
				if syncs != instant.Syncs {
					windows, _ := json.Marshal(one.Project.Spec.SyncWindows)
					t.Errorf("case %d at %s: Argo CD says %t, the library %t: %s", number, instant.Time.Format(time.RFC3339), syncs, instant.Syncs, windows)
				}
				compared++
				if syncs {
					open++
				}
			}
		})
	}
	if compared == 0 || open == 0 || open == compared {
		t.Errorf("%d of %d instants are open: nothing is compared", open, compared)
	}
	t.Logf("%d of %d instants are open", open, compared)
}
