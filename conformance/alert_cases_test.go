package main

import (
	"fmt"
	"maps"
	"strings"
)

// Values over ten hours, one a minute.
const (
	zero  = "0x600"
	one   = "1x600"
	two   = "2x600"
	three = "3x600"
)

// conditions returns the series of a condition of an object, with the status that it has.
func conditions(metric, namespace, name, condition, status string) map[string]string {
	series := map[string]string{}
	for _, other := range []string{"True", "False", "Unknown"} {
		key := fmt.Sprintf(`%s{customresource_kind="K",namespace=%q,name=%q,type=%q,status=%q}`, metric, namespace, name, condition, other)
		series[key] = zero
		if other == status {
			series[key] = one
		}
	}
	return series
}

// phase returns the series of the phase of a machine, by the label of what it belongs to.
func phase(namespace, owner, name, current string) map[string]string {
	series := map[string]string{}
	for _, other := range []string{"Provisioning", "Provisioned", "Running", "Deleting"} {
		key := fmt.Sprintf(`capi_machine_status_phase{namespace=%q,%s,name=%q,phase=%q}`, namespace, owner, name, other)
		series[key] = zero
		if other == current {
			series[key] = one
		}
	}
	return series
}

func clusterSeries(namespace, name string) map[string]string {
	series := map[string]string{}
	for _, condition := range []string{"Available", "ControlPlaneAvailable", "ControlPlaneInitialized", "RemoteConnectionProbe"} {
		maps.Copy(series, conditions("capi_cluster_status_condition", namespace, name, condition, "True"))
	}
	series[fmt.Sprintf(`kube_deployment_status_replicas_available{namespace=%q,deployment="%s-cloud-controller-manager"}`, namespace, name)] = one
	series[quotaSeries(namespace, name, "used")] = "100x600"
	series[quotaSeries(namespace, name, "hard")] = "200x600"
	series[releaseSeries(namespace, name+"-cilium", "True", "")] = one
	series[serviceSeries(namespace)] = one
	series[addressSeries(namespace)] = one
	return series
}

func poolSeries(namespace, name, size string) map[string]string {
	series := conditions("capi_machinedeployment_status_condition", namespace, name, "RollingOut", "False")
	series[availableSeries(namespace, name)] = size
	series[upToDateSeries(namespace, name)] = size
	maps.Copy(series, conditions("capi_machinehealthcheck_status_condition", namespace, name, "RemediationAllowed", "True"))
	maps.Copy(series, phase(namespace, fmt.Sprintf("deployment_name=%q", name), name+"-x", "Running"))
	return series
}

func availableSeries(namespace, pool string) string {
	return fmt.Sprintf(`capi_machinedeployment_status_replicas_available{namespace=%q,name=%q}`, namespace, pool)
}

func upToDateSeries(namespace, pool string) string {
	return fmt.Sprintf(`capi_machinedeployment_status_replicas_up_to_date{namespace=%q,name=%q}`, namespace, pool)
}

func quotaSeries(namespace, name, kind string) string {
	return fmt.Sprintf(`kube_resourcequota{namespace=%q,resourcequota=%q,resource="requests.memory",type=%q}`, namespace, name, kind)
}

func releaseSeries(namespace, name, ready, suspended string) string {
	labels := ""
	if ready != "" {
		labels += fmt.Sprintf(",ready=%q", ready)
	}
	if suspended != "" {
		labels += fmt.Sprintf(",suspended=%q", suspended)
	}
	return fmt.Sprintf(`gotk_resource_info{customresource_kind="HelmRelease",exported_namespace=%q,name=%q%s}`, namespace, name, labels)
}

func serviceSeries(namespace string) string {
	return fmt.Sprintf(`kube_service_spec_type{namespace=%q,service="web",type="LoadBalancer"}`, namespace)
}

func addressSeries(namespace string) string {
	return fmt.Sprintf(`kube_service_status_load_balancer_ingress{namespace=%q,service="web",ip="192.0.2.1"}`, namespace)
}

func certificateSeries(status string) string {
	return fmt.Sprintf(`kamaji_certificates_current{tcp_namespace="tenant-acme",tcp_name="acme",status=%q,strategy="x509"}`, status)
}

func memberSeries(metric string, member int) string {
	return fmt.Sprintf(`%s{namespace="kamaji-etcd",pod="etcd-default-%d"}`, metric, member)
}

// without returns the series of a prefix as those that are left out.
func without(prefix string, series map[string]string) map[string]string {
	left := map[string]string{}
	for key := range series {
		if strings.HasPrefix(key, prefix) {
			left[key] = ""
		}
	}
	return left
}

func merge(all ...map[string]string) map[string]string {
	series := map[string]string{}
	for _, some := range all {
		maps.Copy(series, some)
	}
	return series
}

const (
	acmePods       = `kube_deployment_status_replicas_available{namespace="tenant-acme",deployment="acme"}`
	acmeController = `kube_deployment_status_replicas_available{namespace="tenant-acme",deployment="acme-cloud-controller-manager"}`
	denials        = `apiserver_validating_admission_policy_check_total{policy="tenant-acme.acme.published-services",policy_binding="b",error_type="no_error",enforcement_action="deny"}`
	bankMachines   = `capi_kubeadmcontrolplane_status_replicas_available{namespace="tenant-bank",name="bank"}`
	bankExpiry     = `capi_machine_status_certificatesexpirydate{namespace="tenant-bank",control_plane_name="bank",name="bank-x"}`
	bankOwner      = `control_plane_name="bank"`
	backupSuccess  = `kube_cronjob_status_last_successful_time{namespace="kamaji-etcd",cronjob="etcd-default-backup"}`
	backupCreated  = `kube_cronjob_created{namespace="kamaji-etcd",cronjob="etcd-default-backup"}`
	defragmented   = `kube_cronjob_status_last_successful_time{namespace="kamaji-etcd",cronjob="etcd-default-defragmentation"}`
	storeReady     = `kamaji_datastore_status{datastore_name="default",status="True",ready="true"}`
	storeNotReady  = `kamaji_datastore_status{datastore_name="default",status="False",ready="false"}`
	storeAlarm     = `etcd_debugging_server_alarms{namespace="kamaji-etcd",pod="etcd-default-1",server_id="1",alarm_type="NOSPACE"}`
)

// wellSeries are the metrics of clusters that are as their pages declare them.
var wellSeries = map[string]map[string]string{
	"acme": merge(
		clusterSeries("tenant-acme", "acme"), poolSeries("tenant-acme", "acme-general", three), poolSeries("tenant-acme", "acme-batch", one),
		map[string]string{
			acmePods: two,
			`kube_deployment_status_replicas_available{namespace="tenant-acme",deployment="acme-cluster-autoscaler"}`: one,
			certificateSeries("valid"): "6x600", certificateSeries("expiring"): zero, certificateSeries("invalid"): zero,
			denials: "7x600",
		},
	),
	"bank": merge(
		clusterSeries("tenant-bank", "bank"), poolSeries("tenant-bank", "bank-general", two),
		conditions("capi_kubeadmcontrolplane_status_condition", "tenant-bank", "bank", "RollingOut", "False"),
		phase("tenant-bank", bankOwner, "bank-x", "Running"),
		// A year after the start.
		map[string]string{bankMachines: three, bankExpiry: "31536000x600"},
	),
	"hall-1": merge(
		conditions("capi_operator_provider_status_condition", "capi-system", "cluster-api", "Ready", "True"),
		conditions("kubevirt_kubevirt_status_condition", "kubevirt", "kubevirt", "Available", "True"),
		map[string]string{
			storeReady: one, backupSuccess: "0 0x60 3600x360 25200x180", backupCreated: zero, defragmented: zero,
			memberSeries("etcd_server_has_leader", 0): one, memberSeries("etcd_server_has_leader", 1): one, memberSeries("etcd_server_has_leader", 2): one,
			memberSeries("etcd_mvcc_db_total_size_in_bytes", 0): "4e9x600", memberSeries("etcd_server_quota_backend_bytes", 0): "8e9x600",
			releaseSeries("flux-system", "hall-1-kamaji", "True", ""): one,
		},
	),
}

// alertCases have the mistakes of a cluster, by its name.
var alertCases = map[string][]alertCase{
	"acme": {
		{name: "as declared", at: "9h"},
		{name: "the API server does not answer", before: "4m", at: "6m", fires: []string{"ControlPlaneDown"},
			series: conditions("capi_cluster_status_condition", "tenant-acme", "acme", "RemoteConnectionProbe", "False")},
		{name: "a new cluster has no API server yet", before: "24m", at: "26m", fires: []string{"ClusterNotInitialized"}, series: merge(
			conditions("capi_cluster_status_condition", "tenant-acme", "acme", "ControlPlaneInitialized", "False"),
			conditions("capi_cluster_status_condition", "tenant-acme", "acme", "ControlPlaneAvailable", "False"),
		)},
		{name: "kube-state-metrics has no configuration", before: "14m", at: "16m", fires: []string{"ClusterNotObserved"}, series: without("capi_", wellSeries["acme"])},
		{name: "a node is missing", before: "24m", at: "26m", fires: []string{"PoolBelowSize"},
			series: map[string]string{availableSeries("tenant-acme", "acme-general"): two}},
		{name: "a node is missing for as long as a new machine takes", at: "9h",
			series: map[string]string{availableSeries("tenant-acme", "acme-general"): "3x10 2x18 3x570"}},
		{name: "a restart of kube-state-metrics does not begin the time anew", before: "24m", at: "26m", fires: []string{"PoolBelowSize"}, series: map[string]string{
			availableSeries("tenant-acme", "acme-general"):                                                          "",
			`capi_machinedeployment_status_replicas_available{namespace="tenant-acme",name="acme-general",pod="a"}`: "2x12 stale",
			`capi_machinedeployment_status_replicas_available{namespace="tenant-acme",name="acme-general",pod="b"}`: "_x12 2x500",
		}},
		{name: "a rollout goes on", at: "2h", series: merge(
			conditions("capi_machinedeployment_status_condition", "tenant-acme", "acme-general", "RollingOut", "True"),
			map[string]string{availableSeries("tenant-acme", "acme-general"): two, upToDateSeries("tenant-acme", "acme-general"): "0x29 1x29 2x29 3x29"},
		)},
		{name: "a rollout is stuck", at: "2h", fires: []string{"RolloutStuck"}, series: merge(
			conditions("capi_machinedeployment_status_condition", "tenant-acme", "acme-general", "RollingOut", "True"),
			map[string]string{availableSeries("tenant-acme", "acme-general"): two, upToDateSeries("tenant-acme", "acme-general"): "0x30 1x570"},
		)},
		{name: "a rollout of the only machine begins", at: "90m", series: map[string]string{
			`capi_machinedeployment_status_condition{namespace="tenant-acme",name="acme-batch",type="RollingOut",status="True"}`: "0x60 1x540",
			upToDateSeries("tenant-acme", "acme-batch"): one,
		}},
		{name: "an autoscaled pool is above its minimum", at: "9h", series: map[string]string{availableSeries("tenant-acme", "acme-batch"): "7x600"}},
		{name: "an autoscaled pool has no node", before: "24m", at: "26m", fires: []string{"PoolBelowSize", "PoolWithoutNodes"},
			series: map[string]string{availableSeries("tenant-acme", "acme-batch"): zero}},
		{name: "a machine does not start", before: "19m", at: "21m", fires: []string{"MachineWithoutNode"},
			series: phase("tenant-acme", `deployment_name="acme-general"`, "acme-general-y", "Provisioned")},
		{name: "a machine does not go", before: "24m", at: "26m", fires: []string{"MachineNotDeleted"},
			series: phase("tenant-acme", `deployment_name="acme-general"`, "acme-general-y", "Deleting")},
		{name: "too many machines are unhealthy", before: "4m", at: "6m", fires: []string{"RemediationBlocked"},
			series: conditions("capi_machinehealthcheck_status_condition", "tenant-acme", "acme-general", "RemediationAllowed", "False")},
		{name: "a pod of the control plane is missing", before: "14m", at: "16m", fires: []string{"ControlPlaneBelowSize"}, series: map[string]string{acmePods: one}},
		{name: "certificates are not renewed", before: "119m", at: "121m", fires: []string{"CertificateNearEnd"}, series: map[string]string{certificateSeries("expiring"): one}},
		{name: "a certificate is renewed", at: "9h", series: map[string]string{certificateSeries("expiring"): "1x5 0x590"}},
		{name: "a controller does not run", before: "14m", at: "16m", fires: []string{"ControllerNotAvailable"}, series: map[string]string{acmeController: zero}},
		{name: "a chart fails", before: "29m", at: "2h", fires: []string{"ReleaseFailing"},
			series: map[string]string{releaseSeries("tenant-acme", "acme-cilium", "True", ""): "", releaseSeries("tenant-acme", "acme-cilium", "False", ""): one}},
		{name: "a chart waits for its controller", at: "2h", fires: []string{"ReleaseFailing"},
			series: map[string]string{releaseSeries("tenant-acme", "acme-cilium", "True", ""): "", releaseSeries("tenant-acme", "acme-cilium", "", ""): one}},
		{name: "a chart is suspended", at: "9h",
			series: map[string]string{releaseSeries("tenant-acme", "acme-cilium", "True", ""): "", releaseSeries("tenant-acme", "acme-cilium", "False", "true"): one}},
		{name: "the memory of the quota is used up", before: "14m", at: "16m", fires: []string{"QuotaNearLimit"},
			series: map[string]string{quotaSeries("tenant-acme", "acme", "used"): "190x600"}},
		{name: "a Service waits for an address", before: "14m", at: "16m", fires: []string{"ServiceWithoutAddress"}, series: map[string]string{addressSeries("tenant-acme"): ""}},
		{name: "a Service is refused again and again", before: "9m", at: "12m", fires: []string{"ServiceRefused"}, series: map[string]string{denials: "7x10 8+1x500"}},
	},
	"bank": {
		{name: "as declared", at: "9h"},
		{name: "a machine of the control plane is missing", before: "24m", at: "26m", fires: []string{"ControlPlaneBelowSize"}, series: map[string]string{bankMachines: two}},
		{name: "machines of the control plane are replaced", at: "9h", series: merge(
			map[string]string{bankMachines: two}, conditions("capi_kubeadmcontrolplane_status_condition", "tenant-bank", "bank", "RollingOut", "True"),
		)},
		{name: "certificates end in ten days", before: "59m", at: "61m", fires: []string{"CertificateNearEnd"}, series: map[string]string{bankExpiry: "864000x600"}},
		{name: "a machine without certificates", at: "9h", series: map[string]string{bankExpiry: ""}},
		{name: "a machine of the control plane does not start", before: "19m", at: "21m", fires: []string{"MachineWithoutNode"},
			series: phase("tenant-bank", bankOwner, "bank-y", "Provisioning")},
	},
	"hall-1": {
		{name: "as declared", at: "8h"},
		{name: "a backup fails", at: "8h", fires: []string{"BackupTooOld"}, series: map[string]string{backupSuccess: "0x600"}},
		{name: "a backup never succeeded", at: "8h", fires: []string{"BackupTooOld"}, series: map[string]string{backupSuccess: ""}},
		{name: "a new backup is not due yet", at: "5h", series: map[string]string{backupSuccess: ""}},
		{name: "a provider is not ready", before: "19m", at: "21m", fires: []string{"ComponentNotReady"},
			series: conditions("capi_operator_provider_status_condition", "capi-system", "cluster-api", "Ready", "False")},
		{name: "the virtualization is not available", before: "14m", at: "16m", fires: []string{"ComponentNotReady"},
			series: conditions("kubevirt_kubevirt_status_condition", "kubevirt", "kubevirt", "Available", "False")},
		{name: "the data store is not ready", before: "4m", at: "6m", fires: []string{"DataStoreNotReady"}, series: map[string]string{storeReady: "", storeNotReady: one}},
		{name: "a member is lost", before: "9m", at: "11m", fires: []string{"DataStoreBelowSize"},
			series: map[string]string{memberSeries("etcd_server_has_leader", 2): "1 stale"}},
		{name: "no member answers", before: "9m", at: "11m", fires: []string{"DataStoreBelowSize"}, series: map[string]string{
			memberSeries("etcd_server_has_leader", 0): "", memberSeries("etcd_server_has_leader", 1): "", memberSeries("etcd_server_has_leader", 2): "",
		}},
		{name: "the database fills up", before: "14m", at: "16m", fires: []string{"DataStoreNearQuota"},
			series: map[string]string{memberSeries("etcd_mvcc_db_total_size_in_bytes", 0): "7e9x600"}},
		{name: "the database is full", at: "1m", fires: []string{"DataStoreAlarm"}, series: map[string]string{storeAlarm: one}},
		{name: "a chart fails", at: "2h", fires: []string{"ReleaseFailing"},
			series: map[string]string{releaseSeries("flux-system", "hall-1-kamaji", "True", ""): "", releaseSeries("flux-system", "hall-1-kamaji", "False", ""): one}},
		{name: "the defragmentation is overdue", at: "9h", fires: []string{"ScheduledJobOverdue"}, series: map[string]string{defragmented: "-700000x600"}},
	},
}
