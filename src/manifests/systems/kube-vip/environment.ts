import { parseGoBool } from '../../values/flag-values';

/** Form in which kube-vip reads a variable. */
type VariableType = 'text' | 'switch' | 'number';

const SWITCHES = `bgp_attach_ip_to_interface bgp_enable bgp_multihop cp_detect cp_enable disable_service_updates egress_clean egress_enableinternalsnat
egress_withnftables enable_endpoints enable_endpointslices enable_node_labeling enable_service_security enable_upnp lb_class_legacy_handling lb_class_only
lb_enable per_service_election_on_demand svc_election svc_enable vip_allow_interface_not_up vip_arp vip_cleanroutingtable vip_ddns vip_interfaceloglobal
vip_leaderelection vip_loseleadership vip_packet vip_preserve_on_leadership_loss vip_routingtable vip_singlenode vip_skipdad vip_startleader vip_wireguard
zebra_enable`;

const NUMBERS = `backend_health_check_interval bgp_as bgp_hold_time bgp_keepalive_interval bgp_peeras control_plane_health_check_failure_threshold
control_plane_health_check_period_seconds control_plane_health_check_timeout_seconds dhcp_backoff_attempts health_check_port lb_port port vip_arpRate
vip_leaseduration vip_loglevel vip_loseleadership_timeout_seconds vip_renewdeadline vip_retryperiod vip_routingprotocol vip_routingtableid
vip_routingtabletype zebra_version`;

const TEXTS = `address annotation bgp_peeraddress bgp_peerpass bgp_peers bgp_routerid bgp_routerinterface bgp_source_if bgp_source_ip bgp_sourceif bgp_sourceip
config_file control_plane_health_check_address control_plane_health_check_ca_path cp_namespace debounce_time dhcp_mode dns_mode egress_podcidr
egress_servicecidr instance_name iptables_backend k8s_config_file kubernetes_addr lb_class_name lb_fwdmethod mirror_dest_interface mpbgp_ipv4 mpbgp_ipv6
mpbgp_nexthop prometheus_server provider_config svc_leasename svc_namespace vip_address vip_cidr vip_configmap vip_interface vip_leaseannotations
vip_leasename vip_nodename vip_packetproject vip_packetprojectid vip_servicesinterface vip_subnet zebra_software_name zebra_url`;

/** Variables of all releases from v0.4 to v1.2 (kube-vip/kube-vip pkg/kubevip/config_envvar.go, config_environment.go). */
const VARIABLES: ReadonlyMap<string, VariableType> = new Map([
  ...namesIn(SWITCHES).map((name) => [name, 'switch'] as const),
  ...namesIn(NUMBERS).map((name) => [name, 'number'] as const),
  ...namesIn(TEXTS).map((name) => [name, 'text'] as const),
]);

function namesIn(text: string): string[] {
  return text.split(/\s+/);
}

/** Names of all variables. */
export function variableNames(): Iterable<string> {
  return VARIABLES.keys();
}

/** True if some release knows a variable; some are read in capital letters, too. */
export function isVariable(name: string): boolean {
  return VARIABLES.has(name) || VARIABLES.has(name.toLowerCase());
}

/** The values that a variable may have; undefined if it has one of them. */
export function acceptedValues(name: string, value: string): string | undefined {
  const type = VARIABLES.get(name);
  if (type === 'switch') return parseGoBool(value) === undefined ? '"true" and "false"' : undefined;
  if (type === 'number') return /^[+-]?\d+$/.test(value) ? undefined : 'whole numbers';
  return value === value.trim() ? undefined : 'the same without spaces around it';
}
