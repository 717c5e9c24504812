import { containerText } from './examples';
import { replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { containersOf, isWhole, POD_KINDS } from '../rules/pod-objects';
import { fieldAt, FieldPath, objectsAt, stringAt } from '../values/fields';

/** Places of requests that the kubelet makes. */
const PLACES: readonly (readonly string[])[] = [
  ...['livenessProbe', 'readinessProbe', 'startupProbe'], ...['postStart', 'preStop'].map((event) => `lifecycle.${event}`),
].flatMap((place) => ['httpGet', 'tcpSocket'].map((action) => [...place.split('.'), action, 'port']));

const probePort: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-PROBE-PORT',
  title: 'A name as the port of a probe must be that of a port of its container: the probe fails otherwise.',
  source: 'kubernetes/kubernetes pkg/probe/util.go (ResolveContainerPort), pkg/kubelet/prober/prober.go, pkg/kubelet/lifecycle/handlers.go, v1.37.2',
  kinds: POD_KINDS,
  trap: true,
  example: replaced(containerText('ports: [{name: http, containerPort: 8080}]\nreadinessProbe:\n  httpGet: {path: /, port: http}\n'), 'port: http}', 'port: web}'),
  check: (object) => containersOf(object).filter(isWhole).flatMap(({ container, path }) => {
    const names = objectsAt(container, 'ports').flatMap(([port]) => stringAt(port, 'name') ?? []);
    return PLACES.flatMap((place) => {
      const port = fieldAt(container, ...place);
      if (typeof port !== 'string' || /^\d+$|[{$]/.test(port) || names.includes(port)) return [];
      return [{
        path: [...path, ...place] satisfies FieldPath,
        message: `the container has no port named "${port}"`,
        ...(names.length > 0 && { accepted: names.join(', ') }),
        fix: 'write the name or the number of one of its ports',
      }];
    });
  }),
};

/** Rules over ports that probes name. */
export const PROBE_PORTS: readonly ManifestRule[] = [probePort];
