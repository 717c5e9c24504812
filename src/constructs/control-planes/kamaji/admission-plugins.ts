import { KamajiControlPlaneSpecAdmissionControllers as PluginSpec } from '../../../../imports/controlplane.cluster.x-k8s.io';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { admissionPlugins } from '../../../manifests/values/component-facts';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, Rule } from '../../../manifests/values/problem';

/** Admission plug-ins of the API server beside those that are on in every cluster. */
export interface KamajiAdmissionPlugins {
  /**
   * Plug-ins to switch on, such as `AlwaysPullImages`. `EventRateLimit` and `ImagePolicyWebhook` need a file, given by the flag
   * `admission-control-config-file`.
   *
   * Rules: `TC-ADMIT-FIELD-VALUE`, `TC-TRAP-KAMAJI-ADMISSION-PLUGIN`.
   *
   * @default - none beyond the defaults
   */
  readonly enable?: string[];

  /**
   * Plug-ins to switch off. They get `--disable-admission-plugins`, since Kamaji's list only adds to what the API server runs anyway.
   *
   * Rule: `TC-KAMAJI-ADMISSION-PLUGIN`.
   *
   * @default - none
   */
  readonly disable?: string[];
}

// clastix/kamaji charts/kamaji/crds (default of TenantControlPlane admissionControllers), and NodeRestriction, which that list lacks:
// without it a kubelet may change other nodes.
const DEFAULTS: readonly string[] = [
  'CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction', 'DefaultIngressClass', 'DefaultStorageClass',
  'DefaultTolerationSeconds', 'LimitRanger', 'MutatingAdmissionWebhook', 'NamespaceLifecycle', 'NodeRestriction',
  'PersistentVolumeClaimResize', 'Priority', 'ResourceQuota', 'RuntimeClass', 'ServiceAccount', 'StorageObjectInUseProtection',
  'TaintNodesByCondition', 'ValidatingAdmissionWebhook',
];

/** `spec.admissionControllers`: the whole list, since Kamaji replaces its own by it. */
export function admissionControllers(plugins: KamajiAdmissionPlugins): PluginSpec[] {
  const { enable = [], disable = [] } = plugins;
  return [...new Set([...DEFAULTS, ...enable])].filter((name) => !disable.includes(name)).sort() as PluginSpec[];
}

/** The flag that switches off what the API server runs anyway. */
export function disabledPluginArguments(plugins: KamajiAdmissionPlugins, version: KubernetesVersion): ComponentArgument[] {
  const onByDefault = admissionPlugins(version.minorVersion);
  const off = [...new Set(plugins.disable)].filter((name) => onByDefault.get(name)).sort();
  return off.length === 0 ? [] : [{ name: 'disable-admission-plugins', value: off.join(',') }];
}

/** Checks the names of plug-ins that are switched off. */
export function checkAdmissionPlugins(plugins: KamajiAdmissionPlugins, version: KubernetesVersion): Problem[] {
  const { enable = [], disable = [] } = plugins;
  return disable.flatMap((name, index) => checkDisabled(`controlPlane.admissionPlugins.disable[${index}]`, name, enable, version));
}

const ADMISSION_PLUGIN_RULE: Rule = {
  id: 'TC-KAMAJI-ADMISSION-PLUGIN',
  title: 'An admission plug-in that is switched off must be on in the API server.',
  source: 'kubernetes/kubernetes pkg/kubeapiserver/options/plugins.go',
};

function checkDisabled(property: string, name: string, enabled: readonly string[], version: KubernetesVersion): Problem[] {
  const rule = ADMISSION_PLUGIN_RULE;
  if (enabled.includes(name)) {
    return [{ rule, property, message: `${name} is to be switched on and off`, fix: 'remove it from one of the two lists' }];
  }
  const byDefault = [...admissionPlugins(version.minorVersion)].flatMap(([plugin, isOn]) => (isOn ? [plugin] : []));
  const on = [...new Set([...DEFAULTS, ...byDefault])].sort();
  return on.includes(name) ? [] : [{
    rule, property, message: `"${name}" is not an admission plug-in that is on in Kubernetes ${version.minorVersion}`, accepted: on.join(', '), fix: suggestion(name, on),
  }];
}

function suggestion(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near ? `did you mean ${near}?` : 'remove it';
}
