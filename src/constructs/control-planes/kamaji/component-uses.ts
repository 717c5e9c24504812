import { AUTHENTICATION_CONFIG, ComponentUse } from './components';
import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { KamajiKonnectivity } from './konnectivity';
import { NODE_MASK_FLAGS } from '../../contracts/network/node-ranges';

/** The API server with the flags that others set. */
export function apiServerUse(props: KamajiControlPlaneProps): ComponentUse {
  const component = props.apiServer ?? {};
  const konnectivity = props.konnectivity ?? KamajiKonnectivity.managed();
  return {
    component: 'kube-apiserver',
    property: 'apiServer',
    props: component,
    managed: {
      'disable-admission-plugins': 'controlPlane.admissionPlugins sets it',
      'etcd-servers-overrides': 'controlPlane.dataStoreOverrides sets it',
      ...(konnectivity._options && { 'egress-selector-config-file': 'konnectivity sets it' }),
      ...(props.authentication && setBy('controlPlane.authentication', AUTHENTICATION_CONFIG)),
      ...(props.audit && setBy('controlPlane.audit', 'audit-policy-file', 'audit-log-path', 'audit-webhook-config-file')),
      ...(props.encryption && setBy('controlPlane.encryption', 'encryption-provider-config', 'encryption-provider-config-automatic-reload')),
    },
  };
}

/** The controller manager with the flags that others set. */
export function controllerManagerUse(props: KamajiControlPlaneProps): ComponentUse {
  return { component: 'kube-controller-manager', property: 'controllerManager', props: props.controllerManager ?? {}, managed: NODE_MASK_FLAGS };
}

/** The scheduler with the flags that others set. */
export function schedulerUse(props: KamajiControlPlaneProps): ComponentUse {
  return { component: 'kube-scheduler', property: 'scheduler', props: props.scheduler ?? {}, managed: {} };
}

function setBy(property: string, ...names: string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `${property} sets it`]));
}
