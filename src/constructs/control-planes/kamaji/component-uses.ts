import { AUTHENTICATION_CONFIG, ComponentUse } from './components';
import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { KamajiKonnectivity } from './konnectivity';
import { API_SERVER_FLAGS, CONTROLLER_MANAGER_FLAGS, KONNECTIVITY_API_SERVER_FLAGS, SCHEDULER_FLAGS } from './managed-flags';

/** The API server with the flags that others set. */
export function apiServerUse(props: KamajiControlPlaneProps): ComponentUse {
  const component = props.apiServer ?? {};
  const konnectivity = props.konnectivity ?? KamajiKonnectivity.managed();
  return {
    component: 'kube-apiserver',
    property: 'apiServer',
    props: component,
    managed: {
      ...API_SERVER_FLAGS,
      ...(konnectivity._options && KONNECTIVITY_API_SERVER_FLAGS),
      ...(props.authentication && setBy('controlPlane.authentication', AUTHENTICATION_CONFIG)),
      ...(props.audit && setBy('controlPlane.audit', 'audit-policy-file', 'audit-log-path', 'audit-webhook-config-file')),
      ...(props.encryption && setBy('controlPlane.encryption', 'encryption-provider-config', 'encryption-provider-config-automatic-reload')),
    },
  };
}

/** The controller manager with the flags that others set. */
export function controllerManagerUse(props: KamajiControlPlaneProps): ComponentUse {
  return { component: 'kube-controller-manager', property: 'controllerManager', props: props.controllerManager ?? {}, managed: CONTROLLER_MANAGER_FLAGS };
}

/** The scheduler with the flags that others set. */
export function schedulerUse(props: KamajiControlPlaneProps): ComponentUse {
  return { component: 'kube-scheduler', property: 'scheduler', props: props.scheduler ?? {}, managed: SCHEDULER_FLAGS };
}

function setBy(property: string, ...names: string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `${property} sets it`]));
}
