import { TenantControllerPodOptions } from './tenant-controller-options';
import { fieldText } from '../../../manifests/values/fields';

/**
 * The sources of the fields of a Deployment or DaemonSet that options of its pods set.
 *
 * @param options the options
 * @param at the property that holds them, e.g. `clusterAutoscaler.`; empty if they are properties of the construct
 */
export function podSources({ podLabels = {}, podAnnotations = {} }: TenantControllerPodOptions, at = ''): { [field: string]: string } {
  const metadata = Object.entries({ labels: podLabels, annotations: podAnnotations }).flatMap(([field, entries]) => (
    Object.keys(entries).map((key) => [`spec.template.metadata.${field}["${key}"]`, at + fieldText([field === 'labels' ? 'podLabels' : 'podAnnotations', key])])));
  return {
    ...Object.fromEntries(metadata) as { [field: string]: string },
    'spec.template.spec.nodeSelector.**': `${at}nodeSelector.**`,
    'spec.template.spec.tolerations.**': `${at}tolerations.**`,
    'spec.template.spec.priorityClassName': `${at}priorityClassName`,
  };
}
